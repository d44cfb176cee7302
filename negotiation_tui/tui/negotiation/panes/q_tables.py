"""The Q-tables of both seats: the plan or all values, their openers, limits and cursors. Pure."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.plan import Kind, Plan, learned_plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.words import learner_name
from negotiation_tui.tui.toolkit.boxes import filled
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading, moved
from negotiation_tui.tui.widgets.policy_picture import (
    PolicyView,
    draw_policy_picture,
    legend,
    place_at,
)
from negotiation_tui.tui.widgets.price_bar import LimitStrip
from negotiation_tui.tui.widgets.q_table import (
    QTableView,
    Viewport,
    action_of_column,
    column_of_action,
    draw_q_table,
    n_rows,
    never,
    row_of_state,
    state_of_row,
    taken_in,
)
from negotiation_tui.tui.widgets.values import (
    ActionBars,
    draw_action_bars,
    draw_scale,
    line_counts,
    most,
)
from negotiation_tui.tui.widgets.words import (
    Place,
    last_position,
    place_of,
    rows_of,
    short,
    state_at,
    state_of,
    state_words,
    words,
)

PAGE = 10  # rows of a page
_EXPLAINS = 4  # rows that explain a plan: its colours, a gap, and its legend
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
    """Return the answers of a strategy without a table, unless all values are shown; or None."""
    latest, same = model.latest, model.learned.specs[role] == model.latest.specs[role]
    asked = same and latest.policies[role] is None and model.values is None
    return latest.answers[role] if asked else None


def plan_shown(model: Model, role: Role) -> Plan | None:
    """Return the plan of a role, without a table of what is answered most often; None without."""
    if (found := answers_shown(model, role)) is not None:
        return learned_plan(found.scenario, role, None, found.table, limit_shown(model, role))
    position = last_position(model.shown, role)
    return model.learned.plan(role, position, limit_shown(model, role))


@lru_cache(maxsize=2)
def policy_of(snapshot: Snapshot, role: Role) -> TabularPolicy | None:
    """Return the policy of the player in a seat, for a person that of the learner there."""
    policy, table = snapshot.policies[role], snapshot.q_tables[role]
    policy = policy or snapshot.learned_policies[role]
    return policy if policy or table is None else greedy(snapshot.scenario, role, table[:])


def opened(model: Model, role: Role) -> bool:
    return _opener(model) is role


def cursor(model: Model, pane: int) -> Place:
    """Return the place in a plan or among all values: where it was moved to, or the one in play."""
    place, shown, role = model.scrolled.get(pane), model.shown, TABLES[pane]
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

    bars: int  # rows of bars, from row 2 on
    header: int  # the row with the colours of the plan, 0 for none
    plan: range
    legend: Sequence[str]  # the lines of the legend, at the end


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


def _opener(model: Model) -> Role:
    if model.other_opener is not None:
        return model.other_opener
    return model.shown.opener if model.shown else model.snapshot.opener.role()


def seen(model: Model, role: Role) -> bool:
    """True if a role's limit is shown: at the end, to its person, before that on request."""
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


def draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the values of this pane's role and its plan, or say why there are none."""
    role, learned = TABLES[pane], model.learned
    spec, numbers = learned.strategies[role], numbers_shown(model, role)
    plan = plan_shown(model, role) if model.values is None else None
    rule, learner = short(spec) if spec and spec != PERSON else "", learned.algorithms[role]
    name = "chances" if numbers and numbers.chances else "Q-table"
    answered = numbers is not None and numbers.answered
    if answered:
        name = f"answers: {rule}"
    elif rule and (plan is not None or numbers is None):
        name = f"plan: {rule}"
    elif learner != LEARNED:
        name += f": {learner_name(learner)}"
    title = f"{str(role).capitalize()}'s {name}{limit_words(model, role)}"
    if model.values is not None and numbers is not None:
        _draw_all_values(canvas, model, pane, title, numbers)
    elif plan is not None:
        known = numbers if answered or not rule else None
        _draw_state_and_plan(canvas, model, pane, title, plan, known)
    else:
        draw_heading(canvas, model, pane, title)
        _draw_reasons(canvas, model, role)


def _draw_state_and_plan(
    canvas: Canvas, model: Model, pane: int, title: str, plan: Plan, numbers: Numbers | None
) -> None:
    """Draw bars for the state under the cursor, the plan below them, and a legend if it fits."""
    role, is_opener = TABLES[pane], opened(model, TABLES[pane])
    parts = parts_of(model, role, plan, canvas.height, canvas.width)
    explained = "  ".join(parts.legend)
    more = [sign for sign in signs(model, role, plan) if sign not in explained]
    notes = ["  ".join(more[:n]) for n in (4, 3, 2)]
    notes += [sign for sign in more if sign.startswith("·")]
    draw_heading(canvas, model, pane, title, *notes)
    place = cursor(model, pane)
    state = state_at(plan, is_opener, place)
    bars = _bars(model, role, plan, numbers, state)
    asked = numbers is not None and numbers.answered
    _draw_state(canvas.rows(1, 2 + parts.bars), plan, is_opener, state, bars, asked)
    if parts.header:
        apart = plan.opener_aware or model.other_opener is not None
        part = f" as {'opener' if is_opener else 'responder'}" if apart else ""
        worth = "what it is worth" if numbers and not numbers.chances else "gain of the deal"
        texts = [f"plan{part}, colour: {worth}", f"plan{part}, colour: worth", f"plan{part}: worth"]
        text = next((text for text in texts if len(text) + 9 <= canvas.width), texts[-1])
        canvas.write(parts.header, 1, text, "faint")
        draw_scale(canvas, parts.header, len(text) + 2, most(plan.scenario))
    if parts.plan:
        view = PolicyView(plan, is_opener, place)
        draw_policy_picture(canvas.rows(parts.plan.start, parts.plan.stop), view)
    for y, line in enumerate(parts.legend, canvas.height - len(parts.legend)):
        canvas.write(y, 1, line, "faint")


def _bars(
    model: Model, role: Role, plan: Plan, numbers: Numbers | None, state: int
) -> ActionBars | None:
    """Return the numbers of the state under the cursor; None without any."""
    if numbers is None or never(plan.scenario, role, state, opened(model, role)):
        return None
    actions, shown = list(numbers.game.legal_actions(state, role)), model.shown
    decision, low, high = plan.decision(state), int(plan.lowest[state]), int(plan.highest[state])
    between = range(low, high + 1) if decision.n_prices == high - low + 1 else (low, high)
    closing = {Kind.ACCEPT: plan.scenario.accept, Kind.WALK_AWAY: plan.scenario.walk_away}
    chosen = {action for action in actions if action in between}
    chosen |= {action for kind, action in closing.items() if kind in decision.kinds}
    limits = model.snapshot.scenario.limits[role]
    in_play = not limits or limit_shown(model, role) == limit_in_play(model, role)
    if shown and in_play and not numbers.answered:
        taken = taken_in(shown, role).get(state)
        chosen = chosen if taken is None else {taken}
    return ActionBars(numbers.game, role, actions, numbers.table[state], chosen, numbers.chances)


def _draw_state(
    canvas: Canvas, plan: Plan, is_opener: bool, state: int, bars: ActionBars | None, asked: bool
) -> None:
    """Draw the state under the cursor in words, and below it what each action is worth."""
    decision, name, rest = plan.decision(state), state_words(plan.scenario, state, is_opener), ""
    why_not = never(plan.scenario, plan.role, state, is_opener)
    each = "each offer" if state == START else "each"
    if why_not:
        texts = [f"{name}: {why_not}"]
    elif bars is None:
        texts = [f"{name}, by fixed rules:"]
        canvas.write(1, 0, f"▸{words(decision, plan.role)}", "bold")
    else:
        more = draw_action_bars(canvas.rows(1, canvas.height), bars)
        rest = f"  {more} more" if more else ""
        texts = [f"{name}, what {each} is worth:", f"{name}, each is worth:", f"{name}, worth:"]
        if bars.chances:
            texts = [f"{name}, how likely {each} is:", f"{name}, chances:"]
        if asked and not bars.row.any():
            texts = [f"{name}, not asked yet:"]
        elif asked:
            texts = [f"{name}, how often it answered until now:", f"{name}, answered:"]
        elif Kind.UNTRIED in decision.kinds:
            texts = [f"{name}, nothing learned yet:", f"{name}, not learned:"]
    texts.append(f"{name}:")
    text = next((text for text in texts if len(text + rest) < canvas.width), texts[-1])
    canvas.write(0, 1, text, "bold")
    canvas.write_right(0, rest, "faint")


def _draw_all_values(canvas: Canvas, model: Model, pane: int, title: str, numbers: Numbers) -> None:
    role, snapshot, view = TABLES[pane], model.learned, table_view(model, pane)
    assert view is not None
    strategy = snapshot.strategies[role]
    if strategy:
        title += f" · not in use, {short(strategy)} plays"
    elif numbers.game.opener_aware:
        title += f" as {'opener' if opened(model, role) else 'responder'}"
    values = Values.RAW if numbers.chances or model.values is None else model.values
    kind = "chance of each action" if numbers.chances else values.words
    total = view.rows + view.last_first_row
    rows = f"rows {view.first_row + 1:,}–{view.first_row + view.rows:,}"
    notes = (f"{kind} · {rows} of {total:,}", rows) if view.last_first_row else (kind,)
    draw_heading(canvas, model, pane, title, *notes)
    nash_conv, shown = snapshot.nash_conv, model.shown
    best = None if nash_conv is None else nash_conv.responses[role].table
    hidden = snapshot.scenario.limits[role]
    taken = not hidden or limit_shown(model, role) == limit_in_play(model, role)
    part = numbers.game, role, numbers.table, view, shown, values, best, numbers.chances, taken
    draw_q_table(canvas, QTableView(*part, opened(model, role), model.scrolled.get(pane)))


def _draw_reasons(canvas: Canvas, model: Model, role: Role) -> None:
    spec = model.learned.strategies[role]
    if spec is None:
        text = "The first line of the recording brings it."
    elif spec == PERSON:
        text = f"A person plays the {role}."
    else:
        name = short(spec)
        text = f"{name[0].upper()}{name[1:]} plays by rules of its own: no table shows them."
        if not model.latest.recording:
            text += model.keys.format(f" {{{role}}} or {{toggle}} lets the {role} learn.")
    for y, line in enumerate(textwrap.wrap(text, max(1, canvas.width - 4))):
        canvas.write(1 + y, 2, line, "faint" if y else str(role))
