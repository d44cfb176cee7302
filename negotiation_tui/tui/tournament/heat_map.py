"""The heat map: a value for every entrant against every other."""

from typing import NamedTuple

from negotiation_tui.contest.standings import matrix, short
from negotiation_tui.runtime.text import distinct
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.palettes import LEVELS
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.layout import HEADER, Window
from negotiation_tui.tui.tournament.model import Model

_NAMED = 8
"""Least width of a column whose label has room for a part of the name."""


class _Scale(NamedTuple):
    low: float
    high: float

    def style(self, value: float) -> str:
        span = self.high - self.low
        level = int((value - self.low) / span * LEVELS) if span > 0 else LEVELS // 2
        return f"heat{max(0, min(LEVELS - 1, level))}"


def draw_heat_map(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the page of the matrix with the chosen pair: numbers on colours."""
    entrants, measure = model.entrants, model.measure
    values = matrix(entrants, model.latest.cells, measure)
    known = [value for row in values for value in row if value is not None]
    scale = _Scale(min(known), max(known)) if known else _Scale(0, 0)
    place = Rect(0, 0, canvas.height, canvas.width)
    window = Window.over(place, len(entrants), max(map(len, entrants)), model.one, model.other)
    ends = [short(end, 6, measure.percent) for end in scale]
    span = f"{ends[0]} to {ends[1]}" if known else "nothing known yet"
    title = measure.title[0].upper() + measure.title[1:]
    sides = "{} ↓ {} →".format(*model.contest.sides)
    draw_heading(canvas, model, pane, title, f"{sides} · {span}", sides)
    _draw_labels(canvas, model, window)
    for line in range(window.rows):
        row = window.first_row + line
        for n in range(window.columns):
            column = window.first_column + n
            x = window.label + n * window.cell
            text, style = _cell(model, window, scale, values[row][column], row, column)
            chosen = (row, column) == (model.one, model.other)
            style = "title" if chosen else style
            top, middle = _rows(window, line)
            for y in range(top, top + window.height):
                canvas.write(y, x, text if y == middle else " " * window.cell, style)


def _draw_labels(canvas: Canvas, model: Model, window: Window) -> None:
    entrants = model.entrants
    digits = len(str(len(entrants)))
    names = distinct(entrants, window.label - 2 - digits)
    for line in range(window.rows):
        n = window.first_row + line
        style = "bold" if n == model.one else "seller"
        _, y = _rows(window, line)
        if n == model.one:
            canvas.write(y, 0, "▸", "bold")
        canvas.write(y, 1, f"{n + 1:>{digits}} {names[n]}", style)
    short_names = distinct(entrants, window.cell - 2 - digits)
    for column in range(window.columns):
        n = window.first_column + column
        text = str(n + 1)
        if window.cell >= _NAMED:
            text = f"{text} {short_names[n]}"
        style = "chosen" if n == model.other else "buyer"
        right = window.label + (column + 1) * window.cell
        canvas.write(1, right - len(text), text, style)
    if window.first_column:
        canvas.write(1, window.label - 1, "←", "faint")
    if window.first_column + window.columns < len(entrants):
        canvas.write(1, min(canvas.width - 1, window.label + window.columns * window.cell), "→")


def _rows(window: Window, line: int) -> tuple[int, int]:
    """Return the first screen row of a row of cells, and the row of its numbers."""
    top = HEADER + line * window.height
    return top, top + (window.height - 1) // 2


def _cell(
    model: Model, window: Window, scale: _Scale, value: float | None, row: int, column: int
) -> tuple[str, str]:
    """Return the text of a cell, in its full width, and its style."""
    if value is not None:
        text = short(value, window.cell - 1, model.measure.percent)
        return f"{text:>{window.cell}}", scale.style(value)
    result = model.latest.cells.get((model.entrants[row], model.entrants[column]))
    sign = "·" if result is None else "–" if result["refused"] is None else "×"
    return f"{sign:>{window.cell}}", "faint"
