"""The panes of the pair at hand: its negotiation on the price bar, and both Q-tables."""

from functools import lru_cache, reduce

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.kernel_seats import scenario_for
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.text import abbreviate, plural, split_width
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.tui.market.layout import BUYER_TABLE, SELLER_TABLE
from negotiation_tui.tui.market.model import Model, beat_of, beats, shown_turns
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import TooSmall
from negotiation_tui.tui.toolkit.widgets import draw_heading_line
from negotiation_tui.tui.widgets.motion import flashes, slid
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_price_bar, prices_of, reason
from negotiation_tui.tui.widgets.q_table import QTableView, cell_of, draw_q_table
from negotiation_tui.tui.widgets.viewport import Viewport
from negotiation_tui.tui.widgets.words import before_first, short

_TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}
_LARGE = 20_000
"""From so many prices · rounds on no equilibrium is sought for the bar: it would take too long."""


def draw_negotiation(canvas: Canvas, model: Model, pane: int) -> None:
    """The price bar of the pair at hand."""
    at, agents = model.stage.encounter_of(model.followed), _agents(model)
    if at is None:
        (agent,) = agents
        title = _named(f" {pane} ", agent, " ", canvas)
        draw_heading_line(canvas, title, model.chosen == pane, f"a {agent.role}")
        busy = int(model.stage.free_at[model.followed]) - model.stage.tick
        doing = " found nobody to talk to"
        if busy > 0:
            doing = f" is in a negotiation that was not watched, {plural(busy, 'tick')} more"
        text = _named("", agent, doing, canvas)
        canvas.write(1, 1, text if model.stage.tick else "the market is about to open", "faint")
        return
    title = _title(agents[0], agents[1], canvas.width - 2, pane)
    draw_heading_line(canvas, title, model.chosen == pane, *_notes(model))
    draw_price_bar(canvas, _price_bar(model, at))


def _title(seller: Agent, buyer: Agent, width: int, pane: int) -> str:
    """Both with their reservation prices."""
    cost, value = f" cost {seller.reservation}", f" value {buyer.reservation}"
    room = width - len(f" {pane} {cost} · {value} ")
    one, other = split_width(room, len(seller.name), len(buyer.name))
    names = abbreviate(seller.name, one), abbreviate(buyer.name, other)
    return f" {pane} {names[0]}{cost} · {names[1]}{value} "


def _named(before: str, agent: Agent, after: str, canvas: Canvas) -> str:
    """A line with the name of an agent, which is cut where it is too long."""
    return before + abbreviate(agent.name, canvas.width - 2 - len(before + after)) + after


def pair_of(model: Model) -> tuple[int | None, int | None]:
    """The seller and the buyer at hand by their numbers; None where the one has no partner."""
    scene, followed = model.stage, model.followed
    at = scene.encounter_of(followed)
    if at is not None:
        return (
            scene.setup.number(Role.SELLER, scene.encounters.sellers[at]),
            scene.setup.number(Role.BUYER, scene.encounters.buyers[at]),
        )
    selling = scene.setup.agents[followed].role is Role.SELLER
    return (followed, None) if selling else (None, followed)


def table_view(model: Model, pane: int) -> Viewport | None:
    """Which part of a Q-table is to be seen; None where its pane or its table is not there."""
    placed, role = model.layout(), _TABLES[pane]
    if isinstance(placed, TooSmall) or pane not in placed.panes or pair_of(model)[role] is None:
        return None
    cell = cell_of(_shown(model), role)
    scrolled = model.scrolled.get(pane)
    return Viewport.over(model.stage.setup.scenario, placed.panes[pane], cell, scrolled)


def _agents(model: Model) -> list[Agent]:
    """The pair at hand, seller first; one agent where it has no partner."""
    agents = model.stage.setup.agents
    return [agents[number] for number in pair_of(model) if number is not None]


def _scenario(model: Model) -> Scenario:
    """The scenario as the pair at hand sees it."""
    return reduce(scenario_for, _agents(model), model.stage.setup.scenario)


def _shown(model: Model) -> Transcript | None:
    """The negotiation at hand up to the last offer shown, None before the first."""
    scene = model.stage
    at = scene.encounter_of(model.followed)
    visible = 0 if at is None else int(shown_turns(scene, model.beat)[at])
    if at is None or not visible:
        return None
    return scene.encounters.transcript(at, _scenario(model)).first(visible)


def _price_bar(model: Model, at: int) -> PriceBarView:
    scene, meetings = model.stage, model.stage.encounters
    shown = _shown(model) or Transcript(_scenario(model), Role.SELLER)
    # Others may go on when these two are through.
    rested = min(model.beat, beats(scene)) - beat_of(scene, at)
    elapsed = model.now - (model.since - max(0, rested) * model.turn_seconds)
    learned = [agent.strategy == LEARNED for agent in _agents(model)]
    return PriceBarView(
        shown,
        _equilibria(shown.scenario, shown.opener),
        slid(elapsed, model.turn_seconds) if model.animation else 1.0,
        model.animation and flashes(elapsed),
        reason(shown, meetings.learner(at), float(meetings.epsilons[at]), learned),
        waiting=before_first(model.keys, model.running),
    )


def _notes(model: Model) -> tuple[str, ...]:
    scene = model.stage
    at = scene.encounter_of(model.followed)
    who = None if at is None else scene.encounters.learner(at)
    trained = "nobody learns" if who is None else f"training the {who}"
    sample = "sample: " if model.free_running else ""
    tick = f"{sample}tick {scene.tick:,}"
    return f"{tick} · {trained}", tick


def draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the Q-table of the agent at hand that has this pane's role."""
    role, cast = _TABLES[pane], model.stage.setup
    number = pair_of(model)[role]
    chosen = model.chosen == pane
    if number is None:
        draw_heading_line(canvas, f" {pane} Q-table of the {role} ", chosen)
        canvas.write(1, 2, "There is nobody at the other side of the table.", "faint")
        return
    agent = cast.agents[number]
    table, view = model.stage.tables.get(number), table_view(model, pane)
    title = _named(f" {pane} Q-table of ", agent, " ", canvas)
    if agent.strategy != LEARNED:
        draw_heading_line(canvas, title, chosen)
        plays = f" plays {short(agent.strategy)}, a static strategy."
        canvas.write(1, 2, _named("", agent, plays, canvas), str(role))
        canvas.write(2, 2, "It has nothing to learn.", "faint")
        return
    values = "best of row = 1" if model.normalized else "raw"
    draw_heading_line(canvas, title, chosen, values)
    if table is None or view is None:
        text = "Its table of then was not kept: it was not followed."
        canvas.write(1, 2, "…" if model.place is None else text, "faint")
        return
    draw_q_table(
        canvas, QTableView(cast.scenario, role, table, view, _shown(model), model.normalized)
    )


@lru_cache(maxsize=64)
def _equilibria(scenario: Scenario, opener: Role) -> tuple[int, ...]:
    """The prices of the equilibria with each rule for the indifferent; none if it is large."""
    if scenario.n_prices * scenario.rounds >= _LARGE:
        return ()
    return prices_of(solve(scenario, opener, tie_break=rule) for rule in TieBreak)
