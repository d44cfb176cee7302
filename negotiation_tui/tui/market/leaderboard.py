"""The leaderboard: agents and teams, sorted by a column."""

from typing import NamedTuple

import numpy as np

from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market import ranking
from negotiation_tui.runtime.text import abbreviate
from negotiation_tui.tui.market.model import LEADERBOARD, Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.ranked_list import (
    HEADER,
    Column,
    Line,
    draw_ranked_list,
    first_shown,
)
from negotiation_tui.tui.widgets.words import short, signed

TITLES = {name: name for name in ranking.COLUMNS} | {
    "surplus": "gain (surplus)",
    "each": "gain per negotiation",
    "met": "negotiations",
}
"""The titles of the sort orders."""
_COLUMNS = {
    "surplus": ("gain", 9),
    "money": ("money", 9),
    "each": ("each", 7),
    "deals": ("deals", 8),
    "met": ("of", 8),
}
"""The title and the least width of each column."""


class Board(NamedTuple):
    """The visible page of entries, and the rank index of the marked one if it is on the page."""

    first: int
    rows: int
    marked: int | None

    @classmethod
    def of(cls, model: Model) -> "Board":
        """Return the page with the marked entry; the first page until the user picks one."""
        area, ranked = model.area_of(LEADERBOARD), model.ranked
        rows = max(1, area.height - HEADER) if area else 1
        places = np.flatnonzero(ranked == model.marked).tolist()
        if not places or (model.picked is None and places[0] >= rows):
            return cls(0, rows, None)
        return cls(first_shown(places[0], rows, len(ranked)), rows, places[0])


def draw_leaderboard(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a line per entry of the page, with a mark at the chosen one."""
    ranked, sort, setup = model.ranked, ranking.COLUMNS[model.sort_index], model.latest.setup
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
    values, columns = ranking.values(model.accounts), []
    for name, (heading, width) in _COLUMNS.items():
        numbers = getattr(values, name)
        ends = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
        widest = max(width, *(len(_text(name, end)) + 2 for end in ends))
        columns.append(Column(heading, widest, name == sort))
    longest = max(*ranking.longest_names(setup), *map(len, setup.teams))
    way = ranking.longest_learner(setup)
    names = Column("who", 1 + longest + (2 + way if way else 0), sort == "name")
    board = Board.of(model)
    page = ranked[board.first : board.first + board.rows].tolist()
    lines = [_line(model, values, board.first + 1 + n, entry) for n, entry in enumerate(page)]
    marked = None if board.marked is None else board.marked - board.first
    draw_ranked_list(canvas, names, columns, lines, marked, abbreviate)


def _line(model: Model, values: ranking.Values, rank: int, entry: int) -> Line:
    setup = model.latest.setup
    numbers = [_text(name, getattr(values, name)[entry]) for name in _COLUMNS]
    if entry >= len(setup.agents):
        team = setup.teams[entry - len(setup.agents)]
        return Line(f"{rank:,}", team, numbers, "bold", ["a team"])
    agent = setup.agents[entry]
    plays = "" if agent.strategy == LEARNED else short(agent.strategy)
    brief = plays.partition(":")[0] if learns(agent.strategy) else plays
    beside = [plays, brief]
    if agent.team:
        beside = [f"{plays}  in {agent.team}".lstrip(), f"{brief}  in {agent.team}".lstrip(), brief]
    return Line(f"{rank:,}", agent.name, numbers, str(agent.role), beside)


def _text(column: str, value: float) -> str:
    if column == "each":
        return "–" if np.isnan(value) else f"{value:,.2f}"
    return signed(int(value)) if column == "money" else f"{int(value):,}"
