"""The two lists of a contest: the leaderboard, and the heat map in its order."""

from functools import lru_cache

from negotiation_tui.contest.contest import BY_NAME, matrix, short
from negotiation_tui.runtime.text import distinct
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.toolkit.theme import LEVELS
from negotiation_tui.tui.tournament.model import HIGHEST_CELL, Model
from negotiation_tui.tui.widgets.ranked_list import (
    HEADER,
    Column,
    Line,
    draw_ranked_list,
    first_shown,
)

_CELL, _NUMBERED, _NAMED = 4, 8, 12
"""Least width of a cell; greatest below a number; least and greatest below a name."""
_WIDEST = 26
_LABEL = 15
"""Columns that the names of rows get, if they need them, before all columns fit."""


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entrant of the page, with a mark at the chosen row."""
    order = f"by {model.order.sort}"
    notes = f"{model.contest.scores}, {order}", order
    draw_heading(canvas, model, pane, "Leaderboard", *notes)
    columns = [column for column in model.contest.columns if column is not BY_NAME]
    shown = [Column(each.title, each.width, each == model.order) for each in columns]
    names = Column("entrant", max(map(len, model.entrants)) + 1, model.order is BY_NAME)
    at, rows = model.ranking.index(model.marked[0]), max(1, canvas.height - HEADER)
    first = first_shown(at, rows, len(model.entrants))
    lines = [
        Line(
            "–" if each.rank is None else str(each.rank),
            each.name,
            [column.text(each) for column in columns],
        )
        for each in model.standings[first : first + rows]
    ]

    def shorten(name: str, room: int) -> str:
        return _names(model.entrants, room)[name]

    draw_ranked_list(canvas, names, shown, lines, at - first, shorten)


@lru_cache(maxsize=8)
def _names(entrants: tuple[str, ...], room: int) -> dict[str, str]:
    return dict(zip(entrants, distinct(entrants, room), strict=True))


def draw_heat_map(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the page of the matrix with the chosen pair: numbers on colours."""
    names, measure, order = model.entrants, model.measure, model.ranking
    values = matrix(names, model.latest.cells, measure)
    known = [value for row in values for value in row if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    ends = [short(end, 6, measure.percent) for end in (low, high)]
    span = f"{ends[0]} to {ends[1]}" if known else "nothing known yet"
    sides = "{} ↓ {} →".format(*model.contest.sides)
    title = measure.title[0].upper() + measure.title[1:]
    draw_heading(canvas, model, pane, title, f"{sides} · {span}", sides)

    total, digits, longest = len(names), len(str(len(names))), max(map(len, names))
    label = min(longest + digits + 4, max(_LABEL, canvas.width - _CELL * total))
    cell = (canvas.width - label) // total
    named = cell >= min(_NAMED, longest + digits + 2)
    cell = max(_CELL, min(cell, min(_WIDEST, longest + digits + 2) if named else _NUMBERED))
    columns = min(total, (canvas.width - label) // cell)
    if columns < total:  # room for the sign that there are more
        columns = max(1, (canvas.width - label - 1) // cell)
    height = max(1, min(HIGHEST_CELL, (canvas.height - HEADER) // total))
    rows = min(total, max(1, (canvas.height - HEADER) // height))
    at = order.index(model.marked[0]), order.index(model.marked[1])
    top, left = first_shown(at[0], rows, total), first_shown(at[1], columns, total)

    for n in range(left, left + columns):
        name = f" {_names(names, cell - 2 - digits)[names[order[n]]]}" if named else ""
        text, end = f"{n + 1}{name}", label + (n - left + 1) * cell
        canvas.write(1, end - len(text), text, "chosen" if n == at[1] else "buyer")
    if left:
        canvas.write(1, label - 1, "←", "faint")
    if left + columns < total:
        canvas.write(1, min(canvas.width - 1, label + columns * cell), "→")
    for row in range(top, top + rows):
        line = canvas.rows(HEADER + (row - top) * height, HEADER + (row - top + 1) * height)
        middle = (height - 1) // 2
        name = _names(names, label - 2 - digits)[names[order[row]]]
        mark, style = ("▸", "bold") if row == at[0] else (" ", "seller")
        line.write(middle, 0, f"{mark}{row + 1:>{digits}} {name}", style)
        for column in range(left, left + columns):
            text, style = _cell(model, values, (order[row], order[column]), (low, high, cell - 1))
            style = "title" if (row, column) == at else style
            for y in range(height):
                shown = text if y == middle else ""
                line.write(y, label + (column - left) * cell, f"{shown:>{cell}}", style)


def _cell(
    model: Model,
    values: list[list[float | None]],
    pair: tuple[int, int],
    scale: tuple[float, float, int],
) -> tuple[str, str]:
    """Return the text of a cell and its style; a scale has both ends and the room of a text."""
    value, (low, high, room) = values[pair[0]][pair[1]], scale
    if value is None:
        result = model.latest.cells.get((model.entrants[pair[0]], model.entrants[pair[1]]))
        return "·" if result is None else "–" if result["refused"] is None else "×", "faint"
    share = (value - low) / (high - low) if high > low else 0.5
    level = min(LEVELS - 1, int(share * LEVELS))
    return short(value, room, model.measure.percent), f"heat{level}"
