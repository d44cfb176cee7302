"""The leaderboard: all entrants, sorted by a column."""

from collections.abc import Sequence
from itertools import accumulate

from negotiation_tui.contest.standings import BY_NAME, AnyStanding, Column
from negotiation_tui.runtime.text import distinct
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.layout import HEADER, first_shown
from negotiation_tui.tui.tournament.model import Model

_RANK = 4
_NAME = 12
"""Width that names get before a column does."""


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entrant of the page, with a mark at the chosen row."""
    order = f"by {model.order.sort}"
    notes = f"{model.contest.scores}, {order}", order
    draw_heading(canvas, model, pane, "Leaderboard", *notes)
    columns = _fitting(model.contest.columns, canvas.width)
    longest = max(map(len, model.entrants)) + 1
    room = min(longest, canvas.width - _RANK - 1 - sum(column.width for column in columns))
    canvas.write(1, 0, "rank", "faint")
    canvas.write(1, _RANK + 1, "entrant", "chosen" if model.order is BY_NAME else "faint")
    x = _RANK + 1 + room
    for column in columns:
        style = "chosen" if column == model.order else "faint"
        canvas.write(1, x + column.width - len(column.title), column.title, style)
        x += column.width
    standings, rows = model.standings, canvas.height - HEADER
    at = [each.name for each in standings].index(model.entrants[model.one])
    first = first_shown(at, max(1, rows), len(standings))
    names = dict(zip(model.entrants, distinct(model.entrants, room - 1), strict=True))
    for y, standing in enumerate(standings[first : first + rows], HEADER):
        name = names[standing.name]
        _draw_standing(canvas, y, standing, name, columns, room, first + y - HEADER == at)


def _fitting(columns: Sequence[Column], width: int) -> list[Column]:
    """Return the first columns that leave room for names."""
    values = [column for column in columns if column is not BY_NAME]
    needed = accumulate((column.width for column in values), initial=_RANK + 1 + _NAME)
    return values[: sum(room <= width for room in needed) - 1]


def _draw_standing(
    canvas: Canvas,
    y: int,
    standing: AnyStanding,
    name: str,
    columns: list[Column],
    room: int,
    marked: bool,
) -> None:
    style = "bold" if marked else "normal"
    if marked:
        canvas.write(y, 0, "▸", "bold")
    rank = "–" if standing.rank is None else str(standing.rank)
    canvas.write(y, _RANK - len(rank), rank, style)
    canvas.write(y, _RANK + 1, name, style)
    x = _RANK + 1 + room
    for column in columns:
        text = column.text(standing)
        canvas.write(y, x + column.width - len(text), text, style)
        x += column.width
