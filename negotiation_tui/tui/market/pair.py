"""The panes of the followed pair: its negotiation on the price bar, and both Q-tables."""

from functools import lru_cache, reduce
from typing import NamedTuple

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role, pair
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
from negotiation_tui.tui.toolkit.pace import slid
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets import price_bar
from negotiation_tui.tui.widgets.price_bar import PriceBarView, prices_of
from negotiation_tui.tui.widgets.q_table import QTableView, Viewport, cell_of, draw_q_table
from negotiation_tui.tui.widgets.words import before_first, short

_TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}
_LARGE = 20_000
"""Prices · rounds from which on no equilibrium is computed, because it would take too long."""


class Meeting(NamedTuple):
    """The encounter of the followed agent."""

    at: int  # its index
    numbers: tuple[int, int]  # of seller and buyer
    agents: tuple[Agent, Agent]
    shown: Transcript  # up to the last offer shown


def meeting_of(model: Model) -> Meeting | None:
    """Return the encounter of the followed agent; None without a partner."""
    snapshot, setup = model.here, model.here.setup
    at = snapshot.encounter_of(model.followed)
    if at is None:
        return None
    numbers = pair(int(snapshot.encounters.of(role)[at]) for role in Role)
    agents = pair(setup.agents[number] for number in numbers)
    whole = snapshot.encounters.transcript(at, reduce(scenario_for, agents, setup.scenario))
    visible = int(shown_turns(snapshot, model.frame)[at])
    return Meeting(at, numbers, agents, whole.first(visible))


def draw_negotiation(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the price bar of the followed pair."""
    meeting, snapshot, room = meeting_of(model), model.here, canvas.width // 3
    if meeting is None:
        agent = snapshot.setup.agents[model.followed]
        name = abbreviate(agent.name, room)
        draw_heading(canvas, model, pane, name, f"a {agent.role}")
        busy = int(snapshot.free_at[model.followed]) - snapshot.tick
        doing = "found no partner"
        if busy > 0:
            doing = f"is in a negotiation that was not watched, {plural(busy, 'more tick')}"
        text = f"{name} {doing}" if snapshot.tick else "the market is about to open"
        canvas.write(1, 1, text, "faint")
        return
    limits = zip(("cost", "worth"), meeting.agents, strict=True)
    title = " · ".join(f"{abbreviate(a.name, room)} {name} {a.reservation}" for name, a in limits)
    trainee = snapshot.encounters.learner(meeting.at)
    sample = "sample: " if model.free_running else ""
    tick = f"{sample}tick {snapshot.tick:,}"
    kind, who = ("SHOW", "") if trainee is None else ("PRACTICE", f"the {trainee} learns")
    what = " · ".join(filter(None, (kind, who, tick)))
    draw_heading(canvas, model, pane, title, what, f"{kind} · {tick}", tick)
    shown = meeting.shown
    names = (agent.name for agent in meeting.agents)
    canvas.tell("field", "price", f"{snapshot.tick}", *names, str(meeting.shown.opener))
    view = PriceBarView(
        shown,
        _equilibria(shown.scenario, shown.opener),
        motion(model),
        price_bar.guess(shown),
        waiting=before_first(model.keys, model.running),
    )
    price_bar.draw_announcement(canvas, view)
    if not model.free_running:
        canvas.tell("event", f"{title} · {what}", canvas.line(1))
    price_bar.draw_bars(canvas, view)


def motion(model: Model) -> float:
    """Return the share of its way that the newest marker has moved."""
    meeting, snapshot = meeting_of(model), model.here
    if meeting is None or not model.options.animation:
        return 1.0
    # Other pairs may continue after this one has finished.
    rested = min(model.frame, frames(snapshot)) - frame_of(snapshot, meeting.at)
    elapsed = model.now - (model.since - max(0, rested) * model.turn_seconds)
    return slid(elapsed, model.turn_seconds)


class AgentTable:
    """The Q-table of a pane: that of the followed agent, or of its partner."""

    def __init__(self, model: Model, pane: int) -> None:
        self.role, meeting, area = _TABLES[pane], meeting_of(model), model.area_of(pane)
        setup, followed = model.here.setup, model.followed
        agent = followed if setup.agents[followed].role is self.role else None
        self.agent = meeting.numbers[self.role] if meeting else agent
        """The number of the agent; None without a partner."""
        self.shown = meeting.shown if meeting else None
        self.opened = self.shown is not None and self.shown.opener is self.role
        self.view: Viewport | None = None  # the visible part; None without a pane or an agent
        if area is not None and self.agent is not None:
            cell = cell_of(setup.scenario, self.shown, self.role)
            part = self.role, self.opened, area, cell, model.scrolled.get(pane)
            self.view = Viewport.over(setup.scenario, *part)


def draw_agent_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the Q-table of the followed agent with this pane's role."""
    side, setup = AgentTable(model, pane), model.here.setup
    if side.agent is None:
        draw_heading(canvas, model, pane, f"Q-table of the {side.role}")
        canvas.write(1, 2, "No partner, so no Q-table.", "faint")
        return
    agent, table = setup.agents[side.agent], model.here.tables.get(side.agent)
    canvas.tell("field", str(side.role), f"{model.here.tick}", agent.name)
    name = abbreviate(agent.name, canvas.width // 2)
    if not learns(agent.strategy):
        draw_heading(canvas, model, pane, f"Q-table of {name}")
        text = f"{name} plays {short(agent.strategy)}, a static strategy."
        canvas.write(1, 2, text, str(side.role))
        canvas.write(2, 2, "A static strategy learns nothing.", "faint")
        return
    learner = learner_of(agent.strategy)
    chances = learner.values is None  # it learns probabilities of actions
    kind = f"{learner.name} {'chances' if chances else 'values'}"
    kind = "Q-table" if agent.strategy == LEARNED else kind
    values = Values.RAW if chances else model.values
    in_coins = values is Values.RAW and not (chances or model.zoomed)
    words = "chance of each action" if chances else "coins" if in_coins else values.words
    draw_heading(canvas, model, pane, f"{kind} of {name}", words)
    if table is None or side.view is None:
        text = "No Q-table recorded for this agent at that time."
        canvas.write(1, 2, "…" if model.live else text, "faint")
        return
    part = setup.scenario, side.role, table, side.view, side.shown, values, None, chances
    coins = setup.scenario.width if in_coins else 1
    draw_q_table(canvas, QTableView(*part, opened=side.opened, coins=coins))


@lru_cache(maxsize=64)
def _equilibria(scenario: Scenario, opener: Role) -> tuple[int, ...]:
    """Return the equilibrium prices with each tie-break; none for a large scenario."""
    if scenario.n_prices * scenario.rounds >= _LARGE:
        return ()
    return prices_of(solve(scenario, opener, tie_break=rule) for rule in TieBreak)
