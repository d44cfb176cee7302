"""The plans, numbers and hidden limits in the panes: their openers and their cursors. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.plan import Plan, learned_plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.toolkit.boxes import filled
from negotiation_tui.tui.toolkit.paned import moved
from negotiation_tui.tui.widgets.action_bars import line_counts
from negotiation_tui.tui.widgets.limit_strip import LimitStrip
from negotiation_tui.tui.widgets.plan_words import (
    Place,
    last_position,
    place_of,
    rows_of,
    state_at,
    state_of,
)
from negotiation_tui.tui.widgets.policy_picture import legend, place_at
from negotiation_tui.tui.widgets.q_table import (
    Viewport,
    action_of_column,
    column_of_action,
    n_rows,
    row_of_state,
    state_of_row,
)
from negotiation_tui.tui.widgets.words import short

PAGE = 10
"""Rows of a page."""
_EXPLAINS = 4
"""Rows that explain a plan: its colours, a gap, and its legend."""
_LEAST_PLAN, _LARGE = 4, 14
"""The fewest rows of a plan, with two prices; and rows from which it spares some for a legend."""


@dataclass(frozen=True, eq=False, slots=True)
class Numbers:
    """The Q-table of the learner of a role, else the chances of its actions, or of its answers."""

    game: Scenario
    table: NDArray[np.float64]
    chances: bool
    answered: bool = False


def numbers_shown(model: Model, role: Role) -> Numbers | None:
    """Return the numbers of the last learner of a role, at the limit shown; None without one."""
    snapshot, limit, found = model.learned, limit_shown(model, role), answers_shown(model, role)
    table, policy = snapshot.q_tables[role], snapshot.learned_policies[role]
    chances = found is not None or table is None
    if found is not None:
        table = found.halves[0] / np.maximum(found.asked, 1)[:, None]
    elif table is None and policy is not None:
        table = policy.probabilities
    if table is None:
        return None
    game = (found or snapshot).scenario.views[role][limit]
    part = slice(limit * game.n_states, (limit + 1) * game.n_states)
    return Numbers(game, table[part], chances, found is not None)


def answers_shown(model: Model, role: Role) -> Answers | None:
    """Return the answers so far of a strategy without a table, in the past too; None for others.

    None, too, while all values are shown.
    """
    latest, same = model.latest, model.learned.specs[role] == model.latest.specs[role]
    asked = same and latest.policies[role] is None and model.values is None
    return latest.answers[role] if asked else None


def plan_shown(model: Model, role: Role) -> Plan | None:
    """Return the plan of a role: of its strategy, otherwise of its learner; None without one.

    Of a strategy without a table it is what was answered most often.
    """
    if (found := answers_shown(model, role)) is not None:
        return learned_plan(found.scenario, role, None, found.table, limit_shown(model, role))
    position = last_position(_shown(model), role)
    return model.learned.plan(role, position, limit_shown(model, role))


@lru_cache(maxsize=4)
def policy_of(snapshot: Snapshot, role: Role) -> TabularPolicy | None:
    """Return the policy of the player in a seat, for a person that of the learner there."""
    policy, table = snapshot.policies[role], snapshot.q_tables[role]
    policy = policy or snapshot.learned_policies[role]
    return greedy(snapshot.scenario, role, table[:]) if not policy and table is not None else policy


def opened(model: Model, role: Role) -> bool:
    """True if the plan shown for a role is that of the opener."""
    return _opener(model) is role


def cursor(model: Model, pane: int) -> Place:
    """Return the place in a plan, or the cell among all values, that the keys work on.

    It is where it was moved to, otherwise the decision in play.
    """
    place, shown, role = model.scrolled.get(pane), _shown(model), TABLES[pane]
    if place is not None:
        return place
    if shown is not None and shown.opener is not _opener(model):
        return 0, 0
    numbers = numbers_shown(model, role)
    if model.values is None or numbers is None:
        return place_of(shown, role)
    state = state_of(shown, role) or START
    legal = numbers.game.legal_actions(state, role)
    best = max(legal, key=numbers.table[state].__getitem__, default=numbers.game.accept)
    row = row_of_state(numbers.game, role, state)
    return row, column_of_action(numbers.game, role, best)


def entry_at(model: Model, pane: int) -> tuple[int, int | None]:
    """Return the state under the cursor, and the action if all values are shown."""
    role, place = TABLES[pane], cursor(model, pane)
    numbers, is_opener = numbers_shown(model, role), opened(model, role)
    if model.values is not None and numbers is not None:
        state = state_of_row(numbers.game, role, is_opener, place[0])
        return state, action_of_column(numbers.game, role, place[1])
    plan = plan_shown(model, role)
    assert plan is not None
    return state_at(plan, is_opener, place), None


def table_view(model: Model, pane: int) -> Viewport | None:
    """Return the visible part of all values; None if there is no room or nothing to show."""
    area, numbers = model.area_of(pane), numbers_shown(model, TABLES[pane])
    if area is None or numbers is None:
        return None
    role, at = TABLES[pane], cursor(model, pane)
    return Viewport.over(numbers.game, role, opened(model, role), area, at)


def move_cursor(model: Model, command: str) -> Model:
    """Move the cursor of the chosen pane."""
    pane, role, page = model.chosen, TABLES[model.chosen], PAGE
    plan, numbers = plan_shown(model, role), numbers_shown(model, role)
    if model.values is not None and numbers is not None:
        view = table_view(model, pane)
        page = view.rows if view else PAGE
        size = n_rows(numbers.game, role, opened(model, role)), len(numbers.game.offers(role)) + 2
    elif plan is not None:
        size = rows_of(plan), plan.scenario.rounds
    else:
        return replace(model, message="no plan to move in")
    down, right = moved(command, page)
    row, column = cursor(model, pane)
    to = min(max(0, row + down), size[0] - 1), min(max(0, column + right), size[1] - 1)
    return replace(model, scrolled={**model.scrolled, pane: to})


class Parts(NamedTuple):
    """The rows of a pane, whose row 0 is the heading and row 1 the state at hand."""

    bars: int
    """Rows of bars, from row 2 on."""
    header: int
    """The row with the colours of the plan, 0 for none."""
    plan: range
    legend: Sequence[str]
    """The lines of the legend, at the end."""


def signs(model: Model, role: Role, plan: Plan) -> list[str]:
    """Return the signs in the plan shown, each with its words."""
    found, asked = legend(plan, opened(model, role)), answers_shown(model, role) is not None
    return [sign.replace("learned", "asked yet") if asked else sign for sign in found]


def parts_of(model: Model, role: Role, plan: Plan, height: int, width: int) -> Parts:
    """Divide the rows of a pane: some bars, the plan, then what explains both."""
    numbers, need, room = numbers_shown(model, role), 1 + rows_of(plan), height - 2
    counts = line_counts(numbers.game, role, width) if numbers else [1]
    bars = next((lines for lines in counts if room - lines - _EXPLAINS >= need), counts[-1])
    if room - bars < need:
        bars = min(bars, max(2, room - need, room // 4)) if room - 2 >= _LEAST_PLAN else room
    left = room - bars
    spare = max(left - need, 3 if left >= _LARGE else 0)
    lines = filled(signs(model, role, plan), width - 1, "  ")[: max(0, spare - 1)]
    has_header, gap = spare > len(lines), spare > len(lines) + 1
    top = 2 + bars + gap
    rows = range(top + has_header, min(height - len(lines), top + has_header + need))
    header = top if has_header else 0
    return Parts(bars, header, rows if left >= _LEAST_PLAN else range(0), lines)


def choose_cell(model: Model, pane: int, y: int, x: int) -> Model:
    """Move the cursor of a pane to the cell at a row and a column of it, if there is one."""
    area, role, view = model.area_of(pane), TABLES[pane], None
    plan, place = plan_shown(model, role), None
    if model.values is not None:
        view = table_view(model, pane)
        numbers = numbers_shown(model, role)
        place = view.cell_at(len(numbers.game.offers(role)), y, x) if view and numbers else None
    elif area and plan:
        rows = parts_of(model, role, plan, area.height, area.width).plan
        place = place_at(plan, len(rows), area.width, y - rows.start, x) if y in rows else None
    return model if place is None else replace(model, scrolled={**model.scrolled, pane: place})


def switch_opener(model: Model) -> Model:
    """Show the plans for the other opener, or again those in play."""
    switched = None if model.other_opener is not None else _opener(model).other
    return replace(model, other_opener=switched)


def _shown(model: Model) -> Transcript | None:
    return model.playback.shown if model.playback else None


def _opener(model: Model) -> Role:
    if model.other_opener is not None:
        return model.other_opener
    shown = _shown(model)
    return shown.opener if shown else model.snapshot.opener.role()


def seen(model: Model, role: Role) -> bool:
    """True if the limit of a role in the negotiation on the bar is shown.

    It is at the end, and to the person who has it; before, only if the user asks.
    """
    playback = model.playback
    if playback is None or playback.negotiation.transcript.scenario.lottery is None:
        return not model.snapshot.scenario.limits[role]
    return model.reveals or playback.over or playback.negotiation.person is role


def strip(model: Model, role: Role) -> LimitStrip | None:
    """Return what the price bar shows of the limit of a role; None if it is not hidden."""
    limits, playback = model.snapshot.scenario.limits[role], model.playback
    if limits is None:
        return None
    negotiation = playback.negotiation if playback else None
    held = negotiation.beliefs[role] if negotiation else None
    belief = held[min(playback.visible, len(held) - 1)] if held and playback else None
    drawn = None
    if negotiation is not None and seen(model, role):
        drawn = negotiation.transcript.scenario.limit(role)
    spec = model.snapshot.strategies[role]
    if negotiation is None:
        unknown = "one is drawn for each negotiation"
    elif negotiation.person is role:
        unknown = "only you know it"
    elif model.hides and not model.advice:
        belief, unknown = None, model.keys.format("hidden while you play: {advice} says more")
    elif spec is not None and spec != PERSON:
        unknown = f"not known: {short(spec)} has no table to judge by"
    else:
        unknown = "not known: there is no table to judge by"
    return LimitStrip(role, limits.values, belief, drawn, unknown)


def limit_shown(model: Model, role: Role) -> int:
    """Return the index of the limit whose plan is shown.

    It is the chosen one, otherwise the one in play if that is seen. Until then, and where
    negotiations pass too fast, it is the one that is best for a deal.
    """
    chosen, limits = model.limits[role], model.snapshot.scenario.limits[role]
    if limits is None:
        return 0
    if chosen is not None:
        return chosen
    in_play = limit_in_play(model, role)
    widest = 0 if role is Role.SELLER else len(limits.values) - 1
    return widest if in_play is None else in_play


def limit_in_play(model: Model, role: Role) -> int | None:
    """Return the index of the limit that was drawn; None unless it is seen and there is time."""
    sampled = model.in_present and model.running and not model.pace.seen
    if model.playback is None or sampled or not seen(model, role):
        return None
    return model.playback.negotiation.transcript.scenario.limit_index(role)


def limit_words(model: Model, role: Role) -> str:
    """Return the limit whose plan is shown, for a title; empty if it is not hidden."""
    limits, index = model.snapshot.scenario.limits[role], limit_shown(model, role)
    if limits is None:
        return ""
    its = "its " * (index == limit_in_play(model, role))
    return f", {its}limit {limits.values[index]}"


def reveal(model: Model) -> Model:
    """Show both limits from the start of each negotiation, or only at its end."""
    if not model.snapshot.scenario.hidden:
        return replace(model, message="this game has no hidden limits")
    text = "limits show at the end of each negotiation" if model.reveals else "both limits show"
    return replace(model, reveals=not model.reveals, message=text)


def next_limit(model: Model) -> Model:
    """Show the plan of the chosen pane at the next limit, after the last one as in play again."""
    role = TABLES.get(model.chosen)
    if role is None:
        return model.with_message("choose a plan first, by {next_pane} or its number")
    limits, index = model.snapshot.scenario.limits[role], model.limits[role]
    if limits is None:
        return replace(model, message=f"the {role} has no hidden limits")
    following = 0 if index is None else index + 1
    chosen = [*model.limits]
    chosen[role] = following if following < len(limits.values) else None
    return replace(model, limits=(chosen[0], chosen[1]))
