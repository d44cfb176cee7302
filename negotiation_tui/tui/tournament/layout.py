"""Place the panes on a screen of any size. Pure."""

from dataclasses import dataclass
from typing import Self

from negotiation_tui.tui.toolkit.canvas import Rect
from negotiation_tui.tui.toolkit.layout import ANY, Layout, Lines, Place, TooSmall
from negotiation_tui.tui.toolkit.layout import arrange as arrange_rows

LEADERBOARD, MATRIX, PAIRING = 1, 2, 3
CELL, WIDEST_CELL, HIGHEST_CELL = 4, 8, 3
LABEL = 7
HEADER = 2
"""Rows of a pane's heading and the labels of its columns."""


def arrange(
    width: int, height: int, chosen: int, detail: int, zoomed: bool, entrants: int
) -> Layout | TooSmall:
    """Return the layout; the chosen pane, the pairing and `detail` are left out last."""
    table = min(entrants + HEADER, max(4, height - 8))
    rows = (
        (
            Place(LEADERBOARD, table, 44, entrants + HEADER, max(44, min(60, width // 3))),
            Place(MATRIX, table, 44, HIGHEST_CELL * entrants + HEADER, ANY),
        ),
        (Place(PAIRING, 3, 1, 8, ANY),),
    )
    order = chosen, PAIRING, detail, LEADERBOARD, MATRIX
    return arrange_rows(width, height, rows, order, zoomed, Lines())


@dataclass(frozen=True, slots=True)
class Window:
    """The visible rows and columns of the matrix, and their sizes."""

    first_row: int
    first_column: int
    rows: int
    columns: int
    label: int
    cell: int
    height: int

    @classmethod
    def over(cls, place: Rect, entrants: int, longest: int, row: int, column: int) -> Self:
        """Return the page with this cell; labels are shortened if that makes all columns fit."""
        spare = place.width - CELL * entrants
        label = min(longest + 5, spare if spare >= LABEL else max(LABEL, place.width // 3))
        cell = max(CELL, min(WIDEST_CELL, (place.width - label) // entrants))
        room = max(1, place.height - HEADER)
        height = max(1, min(HIGHEST_CELL, room // entrants))
        rows = min(entrants, room // height)
        columns = min(entrants, (place.width - label) // cell)
        if columns < entrants:  # room for the sign that there are more
            columns = max(1, (place.width - label - 1) // cell)
        return cls(
            first_shown(row, rows, entrants),
            first_shown(column, columns, entrants),
            rows,
            columns,
            label,
            cell,
            height,
        )


def first_shown(at: int, rows: int, total: int) -> int:
    """Return the first visible row of the page with row `at`; the last page is full."""
    return max(0, min(at // rows * rows, total - rows))
