"""A Q-table as a heat map: the learned value of each action in each state."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.q_table import Values
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.palettes import LEVELS
from negotiation_tui.tui.widgets.viewport import CELL, HEADER, Viewport


@dataclass(frozen=True, eq=False, slots=True)
class QTableView:
    """A part of a Q-table, and everything else that is drawn in it."""

    scenario: Scenario
    role: Role
    table: NDArray[np.float64]
    viewport: Viewport
    shown: Transcript | None = None
    """The negotiation up to the last turn shown, whose state is marked."""
    values: Values = Values.RAW
    responses: NDArray[np.bool_] | None = None
    """Entries that are best responses; all other greedy entries are marked as wrong."""
    chances: bool = False
    """True if the table holds the probabilities of actions."""
    played: bool = True
    """True if the negotiation is known to be played by this table, so that its actions are marked.
    """


def state_of(shown: Transcript | None, role: Role) -> int | None:
    """Return the state (row of the Q-table) in which a role must act now, or acted last."""
    if shown is None:
        return None
    position = shown.position
    if position is not None and position.role is role:
        return position.state
    return next((turn.state for turn in reversed(shown.turns) if turn.role is role), None)


def cell_of(shown: Transcript | None, role: Role) -> tuple[int, int]:
    """Return the row from `state_of` and the column of the role's last offer (0 if none)."""
    turns = shown.turns if shown else ()
    actions = (turn.action for turn in reversed(turns) if turn.role is role)
    offers = (action for action in actions if shown and action < shown.scenario.accept)
    return state_of(shown, role) or 0, next(offers, 0)


def draw_q_table(canvas: Canvas, view: QTableView) -> None:
    """Draw the visible part with its labels, from row 1 on."""
    _draw_labels(canvas, view)
    _draw_legend(canvas, view)
    current, turns = state_of(view.shown, view.role), view.shown.turns if view.shown else ()
    own = (turn for turn in reversed(turns) if turn.role is view.role and view.played)
    taken = {turn.state: turn.action for turn in own}
    for y in range(HEADER, HEADER + view.viewport.rows):
        state = view.viewport.first_row + y - HEADER
        label, style = view.scenario.state_label(state), "bold" if state == current else "faint"
        canvas.write(y, 0, "▸" * (state == current), "bold")
        canvas.write(y, 2, label, style)
        _draw_row(canvas, view, y, state, taken.get(state))


def _cells(view: QTableView) -> list[tuple[int, int]]:
    """Return the visible actions, each with the column of the canvas where it is drawn."""
    scenario, part = view.scenario, view.viewport
    offers = range(part.first_column, part.first_column + part.columns)
    actions = (*offers, scenario.accept, scenario.walk_away)
    return [(action, part.label_width + CELL * n) for n, action in enumerate(actions)]


def _draw_labels(canvas: Canvas, view: QTableView) -> None:
    scenario, part = view.scenario, view.viewport
    names = {scenario.accept: "acc", scenario.walk_away: "rej"}
    canvas.write(1, 1, "state", "faint")
    for action, x in _cells(view):
        text = names.get(action) or scenario.action_label(action)
        canvas.write(1, x, text.center(CELL), str(view.role))
    if part.first_column:
        canvas.write(1, part.label_width - 1, "←", "faint")
    if part.first_column < part.last_first_column:
        canvas.write(1, part.label_width + CELL * part.columns - 1, "→", "faint")


def _scale(view: QTableView) -> float:
    """Return the value of the brightest colour: the largest reward of a deal, or 1 without one."""
    if view.chances:
        return 1.0
    zopa = view.scenario.zopa or ()
    largest = max((view.scenario.reward(view.role, price) for price in zopa), default=0.0)
    return largest if largest > 0 else 1.0


def _draw_legend(canvas: Canvas, view: QTableView) -> None:
    """Explain the colours and the marks on the last row."""
    if not view.viewport.legend:
        return
    y = canvas.height - 1
    largest = _scale(view)
    scale = next(text for form in (".2g", ".0e") if len(text := f"{largest:{form}}") < LEVELS)
    scale = scale if view.values is Values.RAW else "best"
    for level, character in enumerate(f"0{scale:>{LEVELS - 1}}"):
        canvas.write(y, 1 + level, character, f"heat{level}")
    best = "likeliest" if view.chances else "best"
    marks = f"[ ] {best} of the row", "  ! no best response" * (view.responses is not None)
    shorter = f"[ ] {best}", "  ! wrong" * (view.responses is not None)
    x = LEVELS + 3
    texts = map("".join, (marks, shorter, shorter[:1]))
    text = next((text for text in texts if x + len(text) <= canvas.width), "")
    canvas.write(y, x, text, "faint")


def _draw_row(canvas: Canvas, view: QTableView, y: int, state: int, taken: int | None) -> None:
    row = view.values.of(view.table[state])
    top = row.max()
    scale = _scale(view) if view.values is Values.RAW else max(top, 1e-300)
    for action, x in _cells(view):
        value = float(row[action])
        best = top > 0 and value == top
        if value:
            _draw_value(canvas, y, x, value, scale, best, chosen=action == taken)
            if best and view.responses is not None and not view.responses[state, action]:
                canvas.write(y, x + CELL - 1, "!", "wrong")
        elif action == taken:
            canvas.write(y, x, "  ··  ", "chosen")


def _draw_value(
    canvas: Canvas, y: int, x: int, value: float, scale: float, best: bool, chosen: bool
) -> None:
    text = f"{value:.2f}"[: CELL - 2].center(CELL - 2)
    level = min(LEVELS - 1, int(max(0.0, value / scale) * LEVELS))  # the quotient may be −∞
    style = f"heat{level}"
    canvas.write(y, x, f"[{text}]" if best else f" {text} ", f"{style}-best" if best else style)
    if chosen:
        canvas.write(y, x + 1, text, f"{style}-chosen")
