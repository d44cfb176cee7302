"""Place the panes on a screen of any size. Pure."""

from dataclasses import dataclass
from typing import Self

from negotiation_tui.tui.toolkit.canvas import Rect
from negotiation_tui.tui.toolkit.layout import MIN_HEIGHT, MIN_WIDTH, Layout, TooSmall

LEADERBOARD, MATRIX, PAIRING = 1, 2, 3
WIDE = 110
CELL, WIDEST_CELL, HIGHEST_CELL = 4, 8, 3
LABEL = 7
HEADER = 2
"""Rows of a pane's heading and the labels of its columns."""


def arrange(
    width: int, height: int, chosen: int, detail: int, zoomed: bool, entrants: int
) -> Layout | TooSmall:
    """Place the panes that have room; `detail` is the one above the pairing on a narrow screen."""
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return TooSmall()
    title = Rect(0, 0, 1, width)
    footer = Rect(height - 1, 0, 1, width) if height >= MIN_HEIGHT + 2 else None
    bottom = height - 1 if footer else height
    if zoomed:
        return Layout({chosen: Rect(1, 0, bottom - 1, width)}, title, footer)
    left = bottom - 1
    below = max(3, min(8, left - entrants - HEADER)) if left >= 9 else 0
    pairing = {PAIRING: Rect(bottom - below, 0, below, width)} if below else {}
    main = Rect(1, 0, left - below, width)
    if width < WIDE:
        return Layout({detail: main, **pairing}, title, footer)
    board = min(60, max(44, width // 3))
    panes = {
        LEADERBOARD: main._replace(width=board - 1),
        MATRIX: main._replace(x=board, width=width - board),
    }
    return Layout({**panes, **pairing}, title, footer)


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
