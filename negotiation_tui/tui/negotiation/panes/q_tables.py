"""The numbers of both agents: the values of actions, or their probabilities."""

import textwrap

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.q_table import Values
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.limits_shown import limit_in_play, limit_shown, limit_words
from negotiation_tui.tui.negotiation.model import TABLES, Model, table_view
from negotiation_tui.tui.negotiation.words import learner_name
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.q_table import QTableView, draw_q_table
from negotiation_tui.tui.widgets.viewport import Viewport
from negotiation_tui.tui.widgets.words import short


def draw_table(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the values of this pane's role, else its probabilities, or say why there are none."""
    snapshot, role = model.learned, TABLES[pane]
    table, spec = snapshot.q_tables[role], snapshot.strategies[role]
    policy, learner = snapshot.learned_policies[role], learner_name(snapshot.algorithms[role])
    numbers = "Q-table" if policy is None else f"values: {learner}"
    chances = table is None and policy is not None
    if table is None and policy is not None:
        table, numbers = policy.probabilities, f"chances: {learner}"
    strategy = short(spec) if spec else None
    unused = f" · not in use, {strategy} plays" if strategy and table is not None else ""
    title = f"{str(role).capitalize()}'s {numbers}{limit_words(model, role)}{unused}"
    view = table_view(model, pane)
    if table is None or view is None:
        draw_heading(canvas, model, pane, title)
        draw_reasons(canvas, model, role, "plays by fixed rules, so it has no Q-table")
        return
    values = Values.RAW if chances or model.values is None else model.values
    words = "chance of each action" if chances else values.words
    draw_heading(canvas, model, pane, title, *_notes(model, view, words))
    nash_conv, shown = snapshot.nash_conv, model.playback.shown if model.playback else None
    best = None if nash_conv is None else nash_conv.responses[role].table
    limit, n = limit_shown(model, role), snapshot.scenario.n_states
    game, own = snapshot.scenario.views[role][limit], table[limit * n : (limit + 1) * n]
    taken = not snapshot.scenario.limits[role] or limit == limit_in_play(model, role)
    draw_q_table(canvas, QTableView(game, role, own, view, shown, values, best, chances, taken))


def draw_reasons(canvas: Canvas, model: Model, role: Role, static: str) -> None:
    """Say why a role has nothing to draw; `static` is the reason of a static strategy."""
    spec = model.learned.strategies[role]
    if spec is None:
        text = "The first line of the recording brings it."
    elif spec == PERSON:
        text = f"A person plays the {role}."
    else:
        text = f"{short(spec).capitalize()} {static}."
        if not model.latest.recording:
            text += model.keys.format(f" {{{role}}} or {{toggle}} lets the {role} learn.")
    for y, line in enumerate(textwrap.wrap(text, max(1, canvas.width - 4))):
        canvas.write(1 + y, 2, line, "faint" if y else str(role))


def _notes(model: Model, view: Viewport, values: str) -> tuple[str, ...]:
    """Return the kind of values and the visible rows, in long and short forms."""
    if not view.last_first_row and not view.last_first_column:
        return (values,)
    last = view.first_row + view.rows
    total = model.snapshot.scenario.n_states
    rows = f"rows {view.first_row + 1:,}–{last:,}"
    return f"{values} · {rows} of {total:,}", rows
