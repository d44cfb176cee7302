"""The plans of both agents: for now their Q-tables."""

from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.model import TABLES, Model, table_view
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.q_table import QTableView, draw_q_table
from negotiation_tui.tui.widgets.viewport import Viewport
from negotiation_tui.tui.widgets.words import short


def draw_plan(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the Q-table of this pane's role, or say why there is none."""
    snapshot, role = model.learned, TABLES[pane]
    table, spec = snapshot.q_tables[role], snapshot.strategies[role]
    strategy = short(spec) if spec else None
    unused = f" · not in use, {strategy} plays" if strategy and table is not None else ""
    title = f"{str(role).capitalize()}'s Q-table{unused}"
    view = table_view(model, pane)
    if table is None or view is None:
        draw_heading(canvas, model, pane, title)
        if strategy is None:
            canvas.write(1, 2, "The first line of the recording brings it.", "faint")
            return
        if strategy == PERSON:
            canvas.write(1, 2, f"A person plays the {role}.", str(role))
            return
        canvas.write(1, 2, f"The {role} plays {strategy}, a static strategy.", str(role))
        key = str(role)[0]
        canvas.write(2, 2, "It does not learn.", "faint")
        if not snapshot.recording:
            canvas.write(3, 2, f"Press {key} or t for the learned Q-table.", "faint")
        return
    draw_heading(canvas, model, pane, title, *_notes(model, view))
    nash_conv, shown = snapshot.nash_conv, model.playback.shown if model.playback else None
    best = None if nash_conv is None else nash_conv.responses[role].table
    draw_q_table(
        canvas, QTableView(snapshot.scenario, role, table, view, shown, model.values, best)
    )


def _notes(model: Model, view: Viewport) -> tuple[str, ...]:
    """Return the kind of values and the visible rows, in long and short forms."""
    values = model.values.words
    if not view.last_first_row and not view.last_first_column:
        return (values,)
    last = view.first_row + view.rows
    total = model.snapshot.scenario.n_states
    rows = f"rows {view.first_row + 1:,}–{last:,}"
    return f"{values} · {rows} of {total:,}", rows
