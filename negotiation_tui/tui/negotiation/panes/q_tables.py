"""One agent's Q-table as a heat map: what it believes each action in each state is worth."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.q_table import normalized
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.tui.negotiation.layout import BUYER_TABLE, SELLER_TABLE
from negotiation_tui.tui.negotiation.model import Model, table_view
from negotiation_tui.tui.negotiation.panes.frame import draw_heading
from negotiation_tui.tui.negotiation.table_view import CELL, HEADER, TableView
from negotiation_tui.tui.negotiation.words import short
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.palettes import LEVELS


def draw_seller_table(canvas: Canvas, model: Model) -> None:
    """The seller's."""
    _draw_table(canvas, model, SELLER_TABLE, Role.SELLER)


def draw_buyer_table(canvas: Canvas, model: Model) -> None:
    """The buyer's."""
    _draw_table(canvas, model, BUYER_TABLE, Role.BUYER)


def _draw_table(canvas: Canvas, model: Model, pane: int, role: Role) -> None:
    snapshot = model.learned
    table, words = snapshot.q_tables[role], snapshot.strategies[role]
    strategy = short(words) if words else None
    kept = f" · kept, {strategy} plays" if strategy and table is not None else ""
    title = f"{str(role).capitalize()}'s Q-table{kept}"
    view = table_view(model, pane)
    if table is None or view is None:
        draw_heading(canvas, model, pane, title)
        if strategy is None:
            canvas.put(1, 2, "It comes with the first line of the recording.", "faint")
            return
        if strategy == PERSON:
            canvas.put(1, 2, f"A person plays the {role}.", str(role))
            return
        canvas.put(1, 2, f"The {role} plays {strategy}, a static strategy.", str(role))
        key = str(role)[0]
        canvas.put(2, 2, "It has nothing to learn.", "faint")
        if not snapshot.recording:
            canvas.put(3, 2, f"Press {key} or t to seat the learner.", "faint")
        return
    draw_heading(canvas, model, pane, title, *_notes(model, view))
    draw_values(canvas, model, view, role, table)


def draw_values(
    canvas: Canvas, model: Model, view: TableView, role: Role, table: NDArray[np.float64]
) -> None:
    """The part of a table that is in view, with its labels; from row 1 on."""
    _draw_labels(canvas, model, view, role)
    for line in range(view.rows):
        _draw_row(canvas, model, view, role, view.first_row + line, HEADER + line, table)


def _notes(model: Model, view: TableView) -> tuple[str, ...]:
    """How values are shown and which rows, at length and in short."""
    values = "best of row = 1" if model.normalized else "raw"
    if not view.last_first_row and not view.last_first_column:
        return (values,)
    last = view.first_row + view.rows
    total = model.snapshot.scenario.n_states
    rows = f"rows {view.first_row + 1:,}–{last:,}"
    return f"{values} · {rows} of {total:,}", rows


def _cells(model: Model, view: TableView) -> list[tuple[int, int]]:
    """The actions in sight and the column each is drawn in."""
    scenario = model.snapshot.scenario
    offers = range(view.first_column, view.first_column + view.columns)
    actions = (*offers, scenario.accept, scenario.reject)
    return [(action, view.label_width + CELL * n) for n, action in enumerate(actions)]


def _draw_labels(canvas: Canvas, model: Model, view: TableView, role: Role) -> None:
    scenario = model.snapshot.scenario
    names = {scenario.accept: "acc", scenario.reject: "rej"}
    canvas.put(1, 1, "state", "faint")
    for action, x in _cells(model, view):
        text = names.get(action) or scenario.action_label(action)
        canvas.put(1, x, text.center(CELL), str(role))
    if view.first_column:
        canvas.put(1, view.label_width - 1, "←", "faint")
    if view.first_column < view.last_first_column:
        canvas.put(1, view.label_width + CELL * view.columns - 1, "→", "faint")


def _draw_row(
    canvas: Canvas,
    model: Model,
    view: TableView,
    role: Role,
    state: int,
    y: int,
    table: NDArray[np.float64],
) -> None:
    playback = model.playback
    current = playback.state_of(role) if playback else None
    done = next(
        (
            t.action
            for t in (playback.turns if playback else ())
            if (t.role, t.state) == (role, state)
        ),
        None,
    )
    label = model.snapshot.scenario.state_label(state)
    if state == current:
        canvas.put(y, 0, "▸", "bold")
    canvas.put(y, 2, label, "bold" if state == current else "faint")
    row = normalized(table[state]) if model.normalized else table[state]
    top = row.max()
    judged = model.learned.nash_conv
    good = None if judged is None else judged.responses[role].table[state]
    scale = 1.0 if model.normalized else max(table.max(), 1e-300)
    for action, x in _cells(model, view):
        value = float(row[action])
        best = top > 0 and value == top
        if value:
            _draw_value(canvas, y, x, value, scale, best, chosen=action == done)
            if best and good is not None and not good[action]:
                canvas.put(y, x + CELL - 1, "!", "wrong")
        elif action == done:
            canvas.put(y, x, "  ··  ", "chosen")


def _draw_value(
    canvas: Canvas, y: int, x: int, value: float, scale: float, best: bool, chosen: bool
) -> None:
    text = f"{value:.2f}"[: CELL - 2].center(CELL - 2)
    level = max(0, min(LEVELS - 1, int(value / scale * LEVELS)))
    style = f"heat{level}"
    canvas.put(y, x, f"[{text}]" if best else f" {text} ", f"{style}-best" if best else style)
    if chosen:
        canvas.put(y, x + 1, text, f"{style}-chosen")
