"""The pair at hand as the two-agent screen knows it: price bar and Q-tables are drawn from that."""

from functools import lru_cache

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.nash_conv_series import Equilibria
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.kernel_seats import scenario_for
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.text import abridged, numbered, shared
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.solvers.subgame_perfect import Indifferent, solve
from negotiation_tui.tui.market.layout import BUYER_TABLE, NEGOTIATION, SELLER_TABLE
from negotiation_tui.tui.market.model import Model, beat_of, beats, shown_turns
from negotiation_tui.tui.negotiation import model as two
from negotiation_tui.tui.negotiation.panes.price_bar import draw_bars
from negotiation_tui.tui.negotiation.panes.q_tables import draw_values
from negotiation_tui.tui.negotiation.playback import Playback
from negotiation_tui.tui.negotiation.table_view import TableView
from negotiation_tui.tui.negotiation.words import short
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import TooSmall
from negotiation_tui.tui.toolkit.widgets import draw_heading_line

_TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}
_LARGE = 20_000
"""From so many prices · rounds on no equilibrium is sought for the bar: it would take too long."""


def draw_negotiation(canvas: Canvas, model: Model) -> None:
    """The price bar of the pair at hand."""
    cast = model.stage.cast
    seller, buyer = pair_of(model)
    if seller is None or buyer is None:
        agent = cast.agents[model.followed]
        title = _named(f" {NEGOTIATION} ", agent, " ", canvas)
        draw_heading_line(canvas, title, model.chosen == NEGOTIATION, f"a {agent.role}")
        busy = int(model.stage.free_at[model.followed]) - model.stage.tick
        doing = " found nobody to talk to"
        if busy > 0:
            doing = f" is in a negotiation that was not watched, {numbered(busy, 'tick')} more"
        text = _named("", agent, doing, canvas)
        canvas.put(1, 1, text if model.stage.tick else "the market is about to open", "faint")
        return
    title = _title(cast.agents[seller], cast.agents[buyer], canvas.width - 2)
    draw_heading_line(canvas, title, model.chosen == NEGOTIATION, *_notes(model))
    draw_bars(canvas, as_two(model, seller, buyer))


def _title(seller: Agent, buyer: Agent, width: int) -> str:
    """Both with their reservation prices."""
    cost, value = f" cost {seller.reservation}", f" value {buyer.reservation}"
    room = width - len(f" {NEGOTIATION} {cost} · {value} ")
    one, other = shared(room, len(seller.name), len(buyer.name))
    names = abridged(seller.name, one), abridged(buyer.name, other)
    return f" {NEGOTIATION} {names[0]}{cost} · {names[1]}{value} "


def _named(before: str, agent: Agent, after: str, canvas: Canvas) -> str:
    """A line with the name of an agent, which is cut where it is too long."""
    return before + abridged(agent.name, canvas.width - 2 - len(before + after)) + after


def draw_seller_table(canvas: Canvas, model: Model) -> None:
    """The Q-table of the seller at hand."""
    _draw_table(canvas, model, SELLER_TABLE)


def draw_buyer_table(canvas: Canvas, model: Model) -> None:
    """The Q-table of the buyer at hand."""
    _draw_table(canvas, model, BUYER_TABLE)


def pair_of(model: Model) -> tuple[int | None, int | None]:
    """The seller and the buyer at hand by their numbers; None where the one has no partner."""
    scene, followed = model.stage, model.followed
    at = scene.meeting_of(followed)
    if at is not None:
        return (
            scene.cast.number(Role.SELLER, scene.meetings.sellers[at]),
            scene.cast.number(Role.BUYER, scene.meetings.buyers[at]),
        )
    selling = scene.cast.agents[followed].role is Role.SELLER
    return (followed, None) if selling else (None, followed)


def table_view(model: Model, pane: int) -> TableView | None:
    """Which part of a Q-table is to be seen; None where its pane or its table is not there."""
    placed, (seller, buyer) = model.layout(), pair_of(model)
    number = (seller, buyer)[_TABLES[pane]]
    if isinstance(placed, TooSmall) or pane not in placed.panes or number is None:
        return None
    row, column = 0, 0
    if seller is not None and buyer is not None:
        playback = as_two(model, seller, buyer).playback
        row, column = playback.cell_of(_TABLES[pane]) if playback else (0, 0)
    scrolled = model.scrolled.get(pane)
    return TableView.over(model.stage.cast.scenario, placed.panes[pane], row, column, scrolled)


def as_two(model: Model, seller: int, buyer: int) -> two.Model:
    """What the two-agent screen would know of this negotiation."""
    scene, cast = model.stage, model.stage.cast
    agents = cast.agents[seller], cast.agents[buyer]
    scenario = scenario_for(scenario_for(cast.scenario, agents[0]), agents[1])
    strategies = [None if agent.strategy == LEARNED else agent.strategy for agent in agents]
    snapshot = Snapshot(
        scenario=scenario,
        parameters=_ONE,
        seed=cast.seed,
        opener=scenario.opener,
        strategies=(strategies[0], strategies[1]),
        given=(),
        negotiations=scene.negotiations,
        finished=False,
        negotiation=None,
        q_tables=(scene.tables.get(seller), scene.tables.get(buyer)),
        statistics=_NOTHING,
        per_second=None,
        compiled=False,
        tests=(),
        notice="",
        notices=0,
        handled=0,
        equilibria=_equilibria(scenario),
        nash_conv=None,
        nash_convs=(),
    )
    return two.Model(
        snapshot,
        width=model.width,
        height=model.height,
        ascii=model.ascii,
        animation=model.animation,
        now=model.now,
        running=model.running,
        playback=_playback(model, scenario),
        normalized=model.normalized,
    )


def _playback(model: Model, scenario: Scenario) -> Playback | None:
    scene = model.stage
    at = scene.meeting_of(model.followed)
    if at is None:
        return None
    visible = int(shown_turns(scene, model.beat)[at])
    if not visible:
        return None
    meetings = scene.meetings
    negotiation = Negotiation(
        number=scene.negotiations,
        cycle=0,
        episode=0,
        trainee=meetings.trainee(at),
        epsilon=float(meetings.epsilons[at]),
        test=False,
        transcript=meetings.transcript(at, scenario),
    )
    # Others may go on when these two are through.
    rested = min(model.beat, beats(scene)) - beat_of(scene, at)
    since = model.since - max(0, rested) * model.turn_seconds
    still = not model.animation
    return Playback(negotiation, visible, since, model.now, model.turn_seconds, still)


def _notes(model: Model) -> tuple[str, ...]:
    scene = model.stage
    at = scene.meeting_of(model.followed)
    who = None if at is None else scene.meetings.trainee(at)
    trained = "nobody learns" if who is None else f"training the {who}"
    sample = "sample: " if model.free_running else ""
    tick = f"{sample}tick {scene.tick:,}"
    return f"{tick} · {trained}", tick


def _draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    role, cast = _TABLES[pane], model.stage.cast
    seller, buyer = pair_of(model)
    number = (seller, buyer)[role]
    chosen = model.chosen == pane
    if number is None:
        draw_heading_line(canvas, f" {pane} Q-table of the {role} ", chosen)
        canvas.put(1, 2, "There is nobody at the other side of the table.", "faint")
        return
    agent = cast.agents[number]
    table, view = model.stage.tables.get(number), table_view(model, pane)
    title = _named(f" {pane} Q-table of ", agent, " ", canvas)
    if agent.strategy != LEARNED:
        draw_heading_line(canvas, title, chosen)
        plays = f" plays {short(agent.strategy)}, a static strategy."
        canvas.put(1, 2, _named("", agent, plays, canvas), str(role))
        canvas.put(2, 2, "It has nothing to learn.", "faint")
        return
    values = "best of row = 1" if model.normalized else "raw"
    draw_heading_line(canvas, title, chosen, values)
    if table is None or view is None:
        text = "Its table of then was not kept: it was not followed."
        canvas.put(1, 2, "…" if model.place is None else text, "faint")
        return
    shown = as_two(model, seller, buyer) if seller is not None and buyer is not None else None
    if shown is None:
        shown = as_two(model, *_alone(model, number))
    draw_values(canvas, shown, view, role, table)


def _alone(model: Model, number: int) -> tuple[int, int]:
    """An agent without a partner, with anybody at the other side for the sake of the picture."""
    if number < model.stage.cast.sellers:
        return number, model.stage.cast.sellers
    return 0, number


@lru_cache(maxsize=64)
def _equilibria(scenario: Scenario) -> Equilibria:
    """For each opener, the equilibrium with each rule for the indifferent; none if large."""
    if scenario.n_prices * scenario.rounds >= _LARGE:
        return (), ()
    seller, buyer = (
        tuple(solve(scenario, opener, _ONE.discount_rate, rule) for rule in Indifferent)
        for opener in Role
    )
    return seller, buyer


_ONE = Parameters(cycles=1, episodes=1)
_NOTHING = CycleStatistics(np.zeros((0, N_STATISTICS), np.int64))
