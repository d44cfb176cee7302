"""The panes of the followed pair: its negotiation on the price bar, and both Q-tables."""

from dataclasses import replace
from functools import lru_cache, reduce

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.traders import learner_of, scenario_for
from negotiation_tui.runtime.text import abbreviate, plural
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.tui.market.model import (
    BUYER_TABLE,
    SELLER_TABLE,
    Model,
    frame_of,
    frames,
    shown_turns,
)
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.motion import flashes, slid
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_price_bar, prices_of, reason
from negotiation_tui.tui.widgets.q_table import QTableView, Viewport, cell_of, draw_q_table
from negotiation_tui.tui.widgets.words import before_first, short

_TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}
_LARGE = 20_000
"""Prices · rounds from which on no equilibrium is computed, because it would take too long."""


def draw_negotiation(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the price bar of the followed pair."""
    at, (agent, *others), room = _at(model), _agents(model), canvas.width // 3
    names = [abbreviate(each.name, room) for each in (agent, *others)]
    if at is None:
        draw_heading(canvas, model, pane, names[0], f"a {agent.role}")
        busy = int(model.played.free_at[model.followed]) - model.played.tick
        doing = "found no partner"
        if busy > 0:
            doing = f"is in a negotiation that was not watched, {plural(busy, 'more tick')}"
        text = f"{names[0]} {doing}" if model.played.tick else "the market is about to open"
        canvas.write(1, 1, text, "faint")
        return
    buyer = f"{names[1]} value {others[0].reservation}"
    title = f"{names[0]} cost {agent.reservation} · {buyer}"
    trainee = model.played.encounters.learner(at)
    sample = "sample: " if model.free_running else ""
    tick = f"{sample}tick {model.played.tick:,}"
    learns = "nobody learns" if trainee is None else f"the {trainee} learns"
    draw_heading(canvas, model, pane, title, f"{tick} · {learns}", tick)
    draw_price_bar(canvas, _price_bar(model, at))


def _at(model: Model) -> int | None:
    """Return the index of the followed encounter."""
    return model.played.encounter_of(model.followed)


def pair_of(model: Model) -> tuple[int | None, int | None]:
    """Return the numbers of the followed seller and buyer; None for a missing partner."""
    snapshot, followed = model.played, model.followed
    at = _at(model)
    if at is not None:
        return (
            snapshot.setup.number(Role.SELLER, snapshot.encounters.sellers[at]),
            snapshot.setup.number(Role.BUYER, snapshot.encounters.buyers[at]),
        )
    selling = snapshot.setup.agents[followed].role is Role.SELLER
    return (followed, None) if selling else (None, followed)


def table_view(model: Model, pane: int) -> Viewport | None:
    """Return the visible part of a Q-table; None without its pane or its agent."""
    area, role = model.area_of(pane), _TABLES[pane]
    if area is None or pair_of(model)[role] is None:
        return None
    game, shown = model.played.setup.scenario, _shown(model)
    cell = cell_of(game, shown, role)
    return Viewport.over(game, role, _opened(shown, role), area, cell, model.scrolled.get(pane))


def _opened(shown: Transcript | None, role: Role) -> bool:
    return shown is not None and shown.opener is role


def _agents(model: Model) -> list[Agent]:
    """Return the followed pair, seller first, or the one agent without a partner."""
    agents = model.played.setup.agents
    return [agents[number] for number in pair_of(model) if number is not None]


def _scenario(model: Model) -> Scenario:
    """Return the scenario with the reservation prices of the followed pair."""
    return reduce(scenario_for, _agents(model), model.played.setup.scenario)


def _shown(model: Model) -> Transcript | None:
    """Return the followed negotiation up to the last offer shown; None before the first."""
    snapshot, at = model.played, _at(model)
    visible = 0 if at is None else int(shown_turns(snapshot, model.frame)[at])
    if at is None or not visible:
        return None
    return snapshot.encounters.transcript(at, _scenario(model)).first(visible)


def _price_bar(model: Model, at: int) -> PriceBarView:
    snapshot, meetings = model.played, model.played.encounters
    shown = _shown(model) or Transcript(_scenario(model), Role.SELLER)
    # Other pairs may continue after this one has finished.
    rested = min(model.frame, frames(snapshot)) - frame_of(snapshot, at)
    elapsed = model.now - (model.since - max(0, rested) * model.turn_seconds)
    return PriceBarView(
        shown,
        _equilibria(shown.scenario, shown.opener),
        slid(elapsed, model.turn_seconds) if model.animation else 1.0,
        model.animation and flashes(elapsed),
        _reason(shown, meetings.learner(at), float(meetings.epsilons[at]), _agents(model)),
        waiting=before_first(model.keys, model.running),
    )


def _reason(shown: Transcript, trainee: Role | None, epsilon: float, agents: list[Agent]) -> str:
    """Return why the last offer of a negotiation was made."""
    if trainee is None or not shown.turns:
        return ""
    role = shown.turns[-1].role
    spec = agents[role].strategy
    if role is not trainee:
        return "plays what it knows now" if learns(spec) else ""
    if learner_of(spec).explores_itself:
        return "by its own chances"
    best = "its best" if spec == LEARNED else "its plan"
    return reason(shown, trainee, epsilon, (False, False), best)


def draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the Q-table of the followed agent with this pane's role."""
    role, setup = _TABLES[pane], model.played.setup
    number = pair_of(model)[role]
    if number is None:
        draw_heading(canvas, model, pane, f"Q-table of the {role}")
        canvas.write(1, 2, "No partner, so no Q-table.", "faint")
        return
    agent = setup.agents[number]
    table, view = model.played.tables.get(number), table_view(model, pane)
    name = abbreviate(agent.name, canvas.width // 2)
    if not learns(agent.strategy):
        draw_heading(canvas, model, pane, f"Q-table of {name}")
        canvas.write(1, 2, f"{name} plays {short(agent.strategy)}, a static strategy.", str(role))
        canvas.write(2, 2, "It has nothing to learn.", "faint")
        return
    learner = learner_of(agent.strategy)
    chances = learner.values is None  # it learns probabilities of actions
    kind = f"{learner.name} {'chances' if chances else 'values'}"
    kind = "Q-table" if agent.strategy == LEARNED else kind
    values = Values.RAW if chances else model.values
    words = "chance of each action" if chances else values.words
    draw_heading(canvas, model, pane, f"{kind} of {name}", words)
    if table is None or view is None:
        text = "No Q-table recorded for this agent at that time."
        canvas.write(1, 2, "…" if model.place is None else text, "faint")
        return
    shown = _shown(model)
    part = QTableView(setup.scenario, role, table, view, shown, values, None, chances)
    part = replace(part, opened=_opened(shown, role))
    draw_q_table(canvas, part)


@lru_cache(maxsize=64)
def _equilibria(scenario: Scenario, opener: Role) -> tuple[int, ...]:
    """Return the equilibrium prices with each tie-break; none for a large scenario."""
    if scenario.n_prices * scenario.rounds >= _LARGE:
        return ()
    return prices_of(solve(scenario, opener, tie_break=rule) for rule in TieBreak)
