"""The leaderboard: all entrants, sorted by a column."""

from typing import NamedTuple

from negotiation_tui.runtime.text import distinct
from negotiation_tui.tournament.standings import COLUMNS, Standing
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.layout import HEADER, first_shown
from negotiation_tui.tui.tournament.model import SORTS, Model

_RANK = 4
_NAME = 12
"""Width that names get before a column does."""


class _Column(NamedTuple):
    name: str
    title: str
    width: int
    form: str


_VALUES = (
    _Column("overall", "both", 7, ".3f"),
    _Column("seller", "seller", 7, ".3f"),
    _Column("buyer", "buyer", 7, ".3f"),
    _Column("deals", "deals", 6, ".0%"),
    _Column("rounds", "rounds", 7, ".1f"),
    _Column("pairings", "pairings", 9, "d"),
)


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entrant of the page, with a mark at the chosen seller."""
    sort = COLUMNS[model.sort_index]
    notes = f"mean gain (reward), by {SORTS[sort]}", f"by {SORTS[sort]}"
    draw_heading(canvas, model, pane, "Leaderboard", *notes)
    columns = [column for n, column in enumerate(_VALUES) if _needed(n) <= canvas.width]
    longest = max(map(len, model.entrants)) + 1
    room = min(longest, canvas.width - _RANK - 1 - sum(column.width for column in columns))
    canvas.write(1, 0, "rank", "faint")
    canvas.write(1, _RANK + 1, "entrant", "chosen" if sort == "name" else "faint")
    x = _RANK + 1 + room
    for column in columns:
        style = "chosen" if column.name == sort else "faint"
        canvas.write(1, x + column.width - len(column.title), column.title, style)
        x += column.width
    standings, rows = model.standings, canvas.height - HEADER
    at = [each.name for each in standings].index(model.entrants[model.seller])
    first = first_shown(at, max(1, rows), len(standings))
    names = dict(zip(model.entrants, distinct(model.entrants, room - 1), strict=True))
    for y, standing in enumerate(standings[first : first + rows], HEADER):
        name = names[standing.name]
        _draw_standing(canvas, y, standing, name, columns, room, first + y - HEADER == at)


def _needed(n: int) -> int:
    return _RANK + 1 + _NAME + sum(column.width for column in _VALUES[: n + 1])


def _draw_standing(
    canvas: Canvas,
    y: int,
    standing: Standing,
    name: str,
    columns: list[_Column],
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
        value = getattr(standing, column.name)
        text = "–" if value is None else format(value, column.form)
        canvas.write(y, x + column.width - len(text), text, style)
        x += column.width
