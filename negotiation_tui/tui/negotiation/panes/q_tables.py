"""The Q-tables of both seats: the state at hand as bars above the plan, or all values."""

import textwrap

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.plans_shown import (
    Numbers,
    cursor,
    limit_in_play,
    limit_shown,
    limit_words,
    numbers_shown,
    opened,
    parts_of,
    plan_shown,
    signs,
    table_view,
)
from negotiation_tui.tui.negotiation.words import learner_name
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.policy_picture import PolicyView, draw_policy_picture
from negotiation_tui.tui.widgets.q_table import QTableView, draw_q_table, never, taken_in
from negotiation_tui.tui.widgets.values import ActionBars, draw_action_bars, draw_scale, most
from negotiation_tui.tui.widgets.words import short, state_at, state_words, words


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
    actions, shown = list(numbers.game.legal_actions(state, role)), model.playback
    decision, low, high = plan.decision(state), int(plan.lowest[state]), int(plan.highest[state])
    between = range(low, high + 1) if decision.n_prices == high - low + 1 else (low, high)
    closing = {Kind.ACCEPT: plan.scenario.accept, Kind.WALK_AWAY: plan.scenario.walk_away}
    chosen = {action for action in actions if action in between}
    chosen |= {action for kind, action in closing.items() if kind in decision.kinds}
    limits = model.snapshot.scenario.limits[role]
    in_play = not limits or limit_shown(model, role) == limit_in_play(model, role)
    if shown and in_play and not numbers.answered:
        taken = taken_in(shown.shown, role).get(state)
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
    nash_conv, shown = snapshot.nash_conv, model.playback.shown if model.playback else None
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
