"""A table of cells on colours, with names along both sides, by pages. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.ranked_list import HEADER, first_shown

HIGHEST_CELL = 3
_CELL, _NUMBERED, _NAMED = 4, 8, 12
"""Least width of a cell; greatest below a number; least and greatest below a name."""
_WIDEST = 26
_LABEL = 15  # columns that the names of rows get, if they need them, before all columns fit
SideNames = Callable[[int], Sequence[str]]
"""Returns the names along a side, each in at most so many columns."""


class HeatMap(NamedTuple):
    """The names of rows and columns, and what is in each cell."""

    down: SideNames
    across: SideNames
    cell: Callable[[int, int, int], tuple[str, str]]
    """Returns the text, in less than a width, and the style of the cell in a row and a column."""
    at: tuple[int, int]  # the row and the column whose page is shown
    marked: bool = True  # true if the cell there is marked
    numbered: bool = False  # true if rows and columns have numbers, which can stand for names
    least: int = _CELL  # least width of a cell


def draw_cells(canvas: Canvas, table: HeatMap) -> int:
    """Draw the page with a cell below a heading, arrows if there are more; return its height."""
    (one, other), numbered = table.at, table.numbered
    names = table.down(canvas.width), table.across(canvas.width)
    (total, wide), (long, longest) = map(len, names), (max(map(len, side)) for side in names)
    digits = len(str(total)) if numbered else 0
    label = min(long + digits + 4, max(_LABEL, canvas.width - _CELL * wide))
    cell = (canvas.width - label) // wide
    named = cell >= min(_NAMED, longest + digits + 2) or not numbered
    cell = min(cell, min(_WIDEST, longest + digits + 2) if named else _NUMBERED)
    cell = max(table.least, cell)
    columns = min(wide, (canvas.width - label) // cell)
    if columns < wide:  # room for the sign that there are more
        columns = max(1, (canvas.width - label - 1) // cell)
    height = max(1, min(HIGHEST_CELL, (canvas.height - HEADER) // total))
    rows = min(total, max(1, (canvas.height - HEADER) // height))
    top, left = first_shown(one, rows, total), first_shown(other, columns, wide)

    across, down = table.across(cell - 2 - digits), table.down(label - 2 - digits)
    for n in range(left, left + columns):
        name = f" {across[n]}" if named else ""
        text, end = f"{n + 1}{name}" if numbered else name, label + (n - left + 1) * cell
        style = "chosen" if n == other and table.marked else "buyer"
        canvas.write(1, end - len(text), text, style)
    canvas.write(1, 0, "↑" * (top > 0) + "↓" * (top + rows < total), "faint")
    if left:
        canvas.write(1, label - 1, "←", "faint")
    if left + columns < wide:
        canvas.write(1, min(canvas.width - 1, label + columns * cell), "→")
    middle = (height - 1) // 2
    for row in range(top, top + rows):
        line = canvas.rows(HEADER + (row - top) * height, HEADER + (row - top + 1) * height)
        chosen = row == one and table.marked
        place = f"{row + 1:>{digits}} " if numbered else ""
        text = f"{'▸' if chosen else ' '}{place}{down[row]}"
        line.write(middle, 0, text, "bold" if chosen else "seller")
        for column in range(left, left + columns):
            text, style = table.cell(row, column, cell)
            style = "title" if chosen and column == other else style
            for y in range(height):
                shown = text if y == middle else ""
                line.write(y, label + (column - left) * cell, f"{shown:>{cell}}", style)
    return HEADER + rows * height
