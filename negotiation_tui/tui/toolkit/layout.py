"""Place panes on a screen of any size, in rows that break where the screen is narrow. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from negotiation_tui.tui.toolkit.canvas import Rect

MIN_WIDTH, MIN_HEIGHT = 40, 7  # the smallest screen that can show anything, in cells
FRAMED = 14  # the smallest height of a screen with a frame around the pane that fills it
ANY = 1 << 16  # more rows or columns than any screen has: a pane that makes use of all it gets
PRICE_HEIGHT = 6  # rows of the thinnest price bar, with its heading
GAP = 1  # blank columns between panes side by side


class Place(NamedTuple):
    """The room that a pane needs, and the room it can make use of, in cells."""

    pane: int
    height: int
    width: int
    most_height: int
    most_width: int


Column = tuple[Place, ...]  # panes above each other
Rows = tuple[tuple[Column, ...], ...]
"""Columns in reading order: those of one row stand side by side if the screen is wide enough."""


class Layout(NamedTuple):
    """The areas of the panes on the screen; there are none if it is too small."""

    panes: Mapping[int, Rect] = MappingProxyType({})
    """The room of each pane; its first row is for the heading, in the frame if it has one."""
    lines: Mapping[str, Rect] = MappingProxyType({})
    """The lines around the panes, by their names: `title` and those of `Lines` that have room."""
    frames: Mapping[int, Rect] = MappingProxyType({})
    """The frame around each pane; none on a small screen."""


class Lines(NamedTuple):
    """The smallest height of a screen for each line around the panes; 0 for no such line."""

    footer: int = MIN_HEIGHT + 2
    focus: int = 0  # the keys of the chosen pane
    strip: int = 14  # the numbers of all panes, if some have no room
    caption: int = 0  # one sentence below the first row of panes
    advice: int = 0
    time_line: int = 0  # the past and the present, above the footer


def arrange(
    width: int, height: int, rows: Rows, order: Sequence[int], zoomed: bool, lines: Lines
) -> Layout:
    """Return the layout; panes last in `order` are left out first, while `zoomed` all but one."""
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return Layout()
    return _arranged(width, height, rows, tuple(dict.fromkeys(order)), zoomed, lines)


@lru_cache(maxsize=64)
def _arranged(
    width: int, height: int, rows: Rows, order: tuple[int, ...], zoomed: bool, lines: Lines
) -> Layout:
    panes_known = sum(len(column) for row in rows for column in row)
    there = {name for name, least in lines._asdict().items() if 0 < least <= height}
    bottom = height
    around = {"title": Rect(0, 0, 1, width)}
    for name in ("footer", "focus", "time_line", "advice"):
        if name in there:
            bottom -= 1
            around[name] = Rect(bottom, 0, 1, width)
    caption = "caption" in there and not zoomed
    free = bottom - 1 - caption
    shown = order[:1] if zoomed else _fitting(rows, order, Rect(0, 0, free, width))
    strip = "strip" in there and len(shown) < panes_known
    if strip and not zoomed:
        shown = _fitting(rows, order, Rect(0, 0, free - 1, width))
    if strip:
        bottom -= 1
        around["strip"] = Rect(bottom, 0, 1, width)
    area = Rect(1, 0, bottom - 1 - caption, width)
    framed = _framed(rows)
    room = height >= FRAMED if zoomed else _fitting(framed, order, area) == shown
    areas = _placed(_broken(_only(framed if room else rows, shown), width), area)
    if caption:
        first = min(areas.values())
        line = first.y + first.height
        areas = {
            pane: place._replace(y=place.y + 1) if place.y >= line else place
            for pane, place in areas.items()
        }
        around["caption"] = Rect(line, 0, 1, width)
    frames = areas if room else {}
    inside = {
        pane: Rect(y, x + 1, high - 1, wide - 2) for pane, (y, x, high, wide) in frames.items()
    }
    return Layout(inside or areas, around, frames)


def _framed(rows: Rows) -> Rows:
    """Return the panes with room for a frame around each."""

    def framed(column: Column) -> Column:
        return tuple(Place(n, y + 1, x + 2, high + 1, wide + 2) for n, y, x, high, wide in column)

    return tuple(tuple(map(framed, row)) for row in rows)


def _only(rows: Rows, panes: Sequence[int]) -> Rows:
    some = (
        [tuple(place for place in column if place.pane in panes) for column in row] for row in rows
    )
    return tuple(tuple(filter(None, row)) for row in some if any(row))


def _fitting(rows: Rows, order: Sequence[int], area: Rect) -> tuple[int, ...]:
    """Return the panes that have room, at least one, from the first in `order` on."""
    for number in range(len(order), 1, -1):
        lines = _broken(_only(rows, order[:number]), area.width)
        if sum(map(_height, lines)) <= area.height and all(
            _width(line) <= area.width for line in lines
        ):
            return tuple(order[:number])
    return tuple(order[:1])


def _height(line: Sequence[Column]) -> int:
    return max(sum(place.height for place in column) for column in line)


def _width(line: Sequence[Column]) -> int:
    return sum(max(place.width for place in column) + GAP for column in line) - GAP


def _broken(rows: Rows, width: int) -> Rows:
    """Break each row that is too wide, into lines that need as little height as possible."""

    def cost(lines: Rows) -> tuple[int, int]:
        return sum(map(_height, lines)), len(lines)

    return tuple(line for row in rows for line in min(_breaks(row, width), key=cost))


def _breaks(row: tuple[Column, ...], width: int) -> Iterator[Rows]:
    """Yield every way to break a row into lines that are not too wide."""
    if not row:
        yield ()
        return
    for size in range(1, len(row) + 1):
        if size == 1 or _width(row[:size]) <= width:
            yield from ((row[:size], *rest) for rest in _breaks(row[size:], width))


def _placed(lines: Rows, area: Rect) -> dict[int, Rect]:
    """Return the area of each pane; together they fill the whole area."""
    least = [*map(_height, lines)]
    most = [max(sum(place.most_height for place in each) for each in line) for line in lines]
    panes, y = {}, area.y
    for line, height in zip(lines, shares(area.height, least, most), strict=True):
        x, room = area.x, area.width - GAP * (len(line) - 1)
        widths = [max(place.width for place in column) for column in line]
        most_widths = [max(place.most_width for place in column) for column in line]
        for column, width in zip(line, shares(room, widths, most_widths), strict=True):
            tops = [place.height for place in column], [place.most_height for place in column]
            top = y
            for place, own in zip(column, shares(height, *tops), strict=True):
                panes[place.pane] = Rect(top, x, own, width)
                top += own
            x += width + GAP
        y += height
    return panes


def shares(room: int, least: Sequence[int], most: Sequence[int]) -> list[int]:
    """Divide cells: everyone gets the least, then the smallest grows first, up to its most.

    If there is less than the least the last get less, if there is more than the most the last
    gets the rest.
    """
    sizes: list[int] = []
    for size in least:
        sizes.append(min(size, room - sum(sizes)))
    for _ in range(room - sum(sizes)):
        growing = [n for n in range(len(sizes)) if sizes[n] < most[n]] or [len(sizes) - 1]
        sizes[min(growing, key=sizes.__getitem__)] += 1
    return sizes
