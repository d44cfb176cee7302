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
RIBBON = 2  # rows of the line with the games shown
WORDS = 2  # rows of what was said
GAP = 1  # blank columns between panes side by side
_BELOW: tuple[str, ...] = ("footer", "time_line", "state_buyer", "state_seller", "legend")
"""The lines below the panes, the lowest first, but for the strip, which is above them."""


class PaneRoom(NamedTuple):
    """The room that a pane needs, and the room it can make use of, in cells."""

    pane: int
    height: int
    width: int
    most_height: int
    most_width: int


Stack = tuple[PaneRoom, ...]  # panes above each other
Rows = tuple[tuple[Stack, ...], ...]
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
    strip: int = 14  # the numbers of all panes, if some have no room
    caption: int = 0  # sentences below the first row of panes
    time_line: int = 0  # the past and the present, above the footer
    ribbon: int = 0  # the games shown, below the sentences
    second: int = 0  # a second row of sentences
    words: int = 0  # what was said, above the first row of panes
    state_seller: int = 0  # the state at hand, below the panes
    state_buyer: int = 0
    legend: int = 0  # the signs of the plans


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
    there = {name for name, least in lines._asdict().items() if 0 < least <= height}
    below = [name for name in _BELOW if name in there]
    inside = {"caption": 1 + ("second" in there), "ribbon": RIBBON}
    inside = {name: n for name, n in inside.items() if name in there and not zoomed}
    above = WORDS * ("words" in there and not zoomed)
    room = height - 1 - above - len(below) - sum(inside.values())
    shown = order[:1] if zoomed else _fitting(rows, order, room, width)
    if "strip" in there and len(shown) < sum(len(column) for row in rows for column in row):
        below.append("strip")
        room -= 1
        shown = shown if zoomed else _fitting(rows, order, room, width)
    framed = tuple(tuple(tuple(map(_framed, column)) for column in row) for row in rows)
    frames = height >= FRAMED if zoomed else _fitting(framed, order, room, width) == shown
    broken = _broken(framed if frames else rows, shown, width)
    areas = _placed(broken, room, width, 1 + above, sum(inside.values()))
    around = {name: Rect(height - n, 0, 1, width) for n, name in enumerate(below, 1)}
    first = min(areas.values())
    line = first.y + first.height
    for name, rows_inside in inside.items():
        around[name] = Rect(line, 0, rows_inside, width)
        line += rows_inside
    around |= {"words": Rect(1, 0, above, width)} if above else {}
    around["title"] = Rect(0, 0, 1, width)
    if not frames:
        return Layout(areas, around)
    panes = {n: Rect(y, x + 1, high - 1, wide - 2) for n, (y, x, high, wide) in areas.items()}
    return Layout(panes, around, areas)


def _framed(place: PaneRoom) -> PaneRoom:
    """Return a place with room for a frame around its pane."""
    pane, height, width, most_height, most_width = place
    return PaneRoom(pane, height + 1, width + 2, most_height + 1, most_width + 2)


def _fitting(rows: Rows, order: tuple[int, ...], height: int, width: int) -> tuple[int, ...]:
    """Return the panes that have room, at least one, from the first in `order` on."""
    for number in range(len(order), 1, -1):
        lines = _broken(rows, order[:number], width)
        wide = any(_width(line) > width for line in lines)
        if sum(map(_height, lines)) <= height and not wide:
            return order[:number]
    return order[:1]


def _height(line: Sequence[Stack]) -> int:
    return max(sum(place.height for place in column) for column in line)


def _width(line: Sequence[Stack]) -> int:
    return sum(max(place.width for place in column) + GAP for column in line) - GAP


def _broken(rows: Rows, panes: Sequence[int], width: int) -> Rows:
    """Return the rows of some panes, broken if too wide, into lines of the least height."""
    lines: list[tuple[Stack, ...]] = []
    for row in rows:
        some = (tuple(place for place in column if place.pane in panes) for column in row)
        breaks = _breaks(tuple(filter(None, some)), width)
        least: Rows = min(breaks, key=lambda lines: (sum(map(_height, lines)), len(lines)))
        lines += least
    return tuple(lines)


def _breaks(row: tuple[Stack, ...], width: int) -> Iterator[Rows]:
    """Yield every way to break a row into lines that are not too wide."""
    if not row:
        yield ()
    for size in range(1, len(row) + 1):
        if size == 1 or _width(row[:size]) <= width:
            yield from ((row[:size], *rest) for rest in _breaks(row[size:], width))


def _placed(lines: Rows, height: int, width: int, y: int, below_first: int) -> dict[int, Rect]:
    """Return the area of each pane, from row `y` on; together they fill the height.

    There are `below_first` more rows between the first line and those below it.
    """
    least = [*map(_height, lines)]
    most = [max(sum(place.most_height for place in each) for each in line) for line in lines]
    panes = {}
    for line, high in zip(lines, divided(height, least, most), strict=True):
        x, room = 0, width - GAP * (len(line) - 1)
        widths = [max(place.width for place in column) for column in line]
        most_widths = [max(place.most_width for place in column) for column in line]
        for column, wide in zip(line, divided(room, widths, most_widths), strict=True):
            tops = [place.height for place in column], [place.most_height for place in column]
            top = y
            for place, rows_high in zip(column, divided(high, *tops), strict=True):
                panes[place.pane] = Rect(top, x, rows_high, wide)
                top += rows_high
            x += wide + GAP
        y += high + below_first
        below_first = 0
    return panes


def divided(room: int, least: Sequence[int], most: Sequence[int]) -> list[int]:
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
