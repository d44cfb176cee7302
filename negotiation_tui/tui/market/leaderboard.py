"""The leaderboard: agents and teams, sorted by a column."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market import ranking
from negotiation_tui.runtime.text import abbreviate
from negotiation_tui.tui.market.layout import LEADERBOARD
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import short, signed

HEADER = 2
TITLES = {name: name for name in ranking.COLUMNS} | {
    "surplus": "gain (surplus)",
    "each": "gain per negotiation",
    "met": "negotiations",
}
"""The titles of the sort orders."""
_NAME = 16
"""Width that names get, if they need it, before a column does."""
_GAP = 2
"""Columns between a name and words about it."""


class _Column(NamedTuple):
    name: str
    title: str
    width: int
    """Least width; wider if the numbers are."""


_VALUES = (
    _Column("surplus", "gain", 9),
    _Column("money", "money", 9),
    _Column("each", "each", 7),
    _Column("deals", "deals", 8),
    _Column("met", "of", 8),
)


class Board(NamedTuple):
    """The visible page of entries."""

    first: int
    rows: int
    marked: int | None
    """The rank index of the marked entry; None if it is not on the page."""

    @classmethod
    def of(cls, model: Model) -> "Board":
        """Return the page with the marked entry; the first page until the user picks one."""
        area, ranked = model.area_of(LEADERBOARD), model.ranked
        rows = max(1, area.height - HEADER) if area else 1
        places = np.flatnonzero(ranked == model.marked).tolist()
        if not places or (model.picked is None and places[0] >= rows):
            return cls(0, rows, None)
        return cls(max(0, min(places[0] // rows * rows, len(ranked) - rows)), rows, places[0])


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entry of the page, with a mark at the chosen one."""
    ranked, sort = model.ranked, ranking.COLUMNS[model.sort_index]
    shown = f"{model.filter}, " if model.filter != "all" else ""
    title = "Leaderboard"
    if model.search or model.typing:
        title += f" /{abbreviate(model.search, canvas.width // 2)}{'_' * model.typing}"
    note = f"{shown}{len(ranked):,} by {TITLES[sort]}"
    draw_heading(canvas, model, pane, title, note, f"by {TITLES[sort]}")
    if not len(ranked):
        text = "no entries: {filter} changes the filter, {search} and Enter end the search"
        canvas.write(1, 1, model.keys.format(text), "faint")
        return
    digits = max(4, 1 + len(f"{len(ranked):,}"))
    longest = max(*ranking.longest_names(model.latest.setup), *map(len, model.latest.setup.teams))
    way = ranking.longest_learner(model.latest.setup)
    needed = digits + 2 + min(_NAME, 1 + longest) + (_GAP + way if way else 0)
    columns, values = [], ranking.values(model.accounts)
    for column in (_fitted(column, values) for column in _VALUES):
        needed += column.width
        if needed <= canvas.width:
            columns.append(column)
    room = canvas.width - digits - 2 - sum(column.width for column in columns)
    canvas.write(1, digits - 4, "rank", "faint")
    canvas.write(1, digits + 1, "who", "chosen" if sort == "name" else "faint")
    x = digits + 1 + room
    for column in columns:
        style = "chosen" if column.name == sort else "faint"
        canvas.write(1, x + column.width - len(column.title), column.title, style)
        x += column.width
    board = Board.of(model)
    for y, entry in enumerate(ranked[board.first : board.first + board.rows].tolist(), HEADER):
        rank = board.first + y - HEADER + 1
        _draw_entry(canvas, model, y, rank, digits, entry, columns, room)


def _draw_entry(
    canvas: Canvas,
    model: Model,
    y: int,
    rank: int,
    digits: int,
    entry: int,
    columns: list[_Column],
    room: int,
) -> None:
    setup, values = model.latest.setup, ranking.values(model.accounts)
    marked = entry == model.marked
    if marked:
        canvas.write(y, 0, "▸", "bold")
    canvas.write(y, 1, f"{rank:>{digits - 1},}", "bold" if marked else "faint")
    if entry < len(setup.agents):
        agent = setup.agents[entry]
        name, style = agent.name, str(agent.role)
        plays = "" if agent.strategy == LEARNED else short(agent.strategy)
        brief = plays.partition(":")[0] if learns(agent.strategy) else plays
        team = f"in {agent.team}" if agent.team else ""
        more = [(plays, team), (brief, team), (brief,)]
    else:
        name, style, more = setup.teams[entry - len(setup.agents)], "bold", [("a team",)]
    canvas.write(y, digits + 1, abbreviate(name, room - 1), style)
    texts = ("  ".join(filter(None, words)) for words in more)
    words = next((text for text in texts if len(name) + _GAP + len(text) < room), "")
    canvas.write(y, digits + 1 + len(name) + _GAP, words, "faint")
    x = digits + 1 + room
    for column in columns:
        text = _text(column, getattr(values, column.name)[entry])
        canvas.write(y, x + column.width - len(text), text, "bold" if marked else "normal")
        x += column.width


def _fitted(column: _Column, values: ranking.Values) -> _Column:
    """Return the column, wide enough for its longest number and a gap."""
    numbers = getattr(values, column.name)
    ends = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
    longest = max(len(_text(column, end)) for end in ends)
    return column._replace(width=max(column.width, longest + 2))


def _text(column: _Column, value: float) -> str:
    if column.name == "each":
        return "–" if np.isnan(value) else f"{value:,.2f}"
    return signed(int(value)) if column.name == "money" else f"{int(value):,}"
