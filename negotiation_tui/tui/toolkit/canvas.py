"""A grid of cells that clips: panes draw on it, tests read it, the terminal shows it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from negotiation_tui.runtime.text import cells, cells_of

NORMAL = "normal"
_LARGEST = 1000, 400  # the greatest width and height of a frame

_DRAWN = "━┃┏┓┗┛╺╸─┄┊│┤├└┘┌┐┴┬┼╶╴╰╯·–…×−αγλεδ°▸▶◀◂±‖▲↑↓←→●○◆◇░▒▓█▏▎▍▌▋▊▉▁▂▃▄▅▆▇▀✓✗▪≠↕↔╌—"
_PLAIN = "=|++++==-.:|||`'..+++--`'.--x-agledo>><<~|^^v<>os#+:+%#|||%%%%_,-=+*%'yxo/|-.-"
"""The ASCII character for each character above it."""
_BRAILLE = {0x2800 + dots: " .':"[2 * bool(dots & 27) + bool(dots & 228)] for dots in range(256)}
"""The ASCII character for dots in the lower half of a cell, in the upper half, and in both."""
_ASCII: dict[int, int | str] = {**str.maketrans(_DRAWN, _PLAIN), **_BRAILLE}


class Rect(NamedTuple):
    """An area of the screen: first row and column, height and width."""

    y: int
    x: int
    height: int
    width: int

    def contains(self, y: int, x: int) -> bool:
        return 0 <= y - self.y < self.height and 0 <= x - self.x < self.width


Target = tuple[str | int, ...]
"""The meaning of a click in an area: its kind, such as `pane`, then facts."""


def bounded(width: int, height: int) -> tuple[int, int]:
    """Return the size of a frame: a larger terminal shows it in its upper left part."""
    return min(width, _LARGEST[0]), min(height, _LARGEST[1])


class Canvas:
    """Rows of cells, each a character and the name of a style (see `theme`).

    `subcanvas` returns a canvas that draws into a part of this one, with its own origin. Text
    outside is cut off. A wide letter has an empty cell behind it, and a mark is in the cell of its
    letter; what cannot be printed becomes `?`. With `ascii_only` every character becomes an ASCII
    character. `before` is the canvas of the frame before.
    """

    def __init__(
        self, width: int, height: int, ascii_only: bool = False, before: "Canvas | None" = None
    ) -> None:
        self.width, self.height, self.ascii_only = width, height, ascii_only
        self._characters = [[" "] * width for _ in range(height)]
        self._styles = [[NORMAL] * width for _ in range(height)]
        self._y = self._x = 0
        self._targets: list[tuple[Rect, Target]] = []
        self.texts: list[tuple[str, tuple[str | Canvas, ...]]] = []
        self._parts: dict[Rect, tuple[object, Canvas]] = {}
        self._before = before._parts if before and before.ascii_only == ascii_only else {}

    def subcanvas(self, rect: Rect) -> "Canvas":
        """Return a canvas over the part of this one inside a rectangle."""
        part = Canvas.__new__(Canvas)
        y, x = max(0, rect.y), max(0, rect.x)
        part.height = max(0, min(rect.y + rect.height, self.height) - y)
        part.width = max(0, min(rect.x + rect.width, self.width) - x)
        part._characters, part._styles = self._characters, self._styles
        part._targets, part.ascii_only, part.texts = self._targets, self.ascii_only, self.texts
        part._parts, part._before = self._parts, self._before
        part._y, part._x = self._y + y, self._x + x
        return part

    def draw(self, rect: Rect, shown: object, draw: "Callable[[Canvas], None]") -> "Canvas":
        """Draw the part inside a rectangle, and return it.

        A part that shows the same as on the canvas before is taken from there.
        """
        part = self.subcanvas(rect)
        y, x, height, width = area = Rect(part._y, part._x, part.height, part.width)
        before, drawn = self._before.get(area, (None, None))
        if drawn is None or before != shown:
            drawn = Canvas(width, height, self.ascii_only, drawn)
            draw(drawn)
        self._parts[area] = shown, drawn
        for row in range(height):
            _put(self._characters[y + row], x, drawn._characters[row])
            self._styles[y + row][x : x + width] = drawn._styles[row]
        for place, target in drawn._targets:
            self._targets.append((place._replace(y=y + place.y, x=x + place.x), target))
        return drawn

    def write(self, y: int, x: int, text: str, style: str = NORMAL) -> None:
        """Write text that starts at a cell."""
        if not 0 <= y < self.height or x >= self.width:
            return
        plain = text.isascii() and text.isprintable()
        letters: Sequence[str] = text if plain else _cells(text, self.ascii_only)
        if x < 0:
            letters, x = letters[-x:], 0
        if (room := self.width - x) < len(letters):
            halved = letters[room] == ""
            letters = [*letters[: room - 1], " "] if halved else letters[:room]
        y, start, end = self._y + y, self._x + x, self._x + x + len(letters)
        _put(self._characters[y], start, letters)
        self._styles[y][start:end] = [style] * len(letters)

    def target(self, area: Rect, *target: str | int) -> None:
        """Give an area of the canvas a meaning for clicks."""
        y, x, height, width = area
        self._targets.append((Rect(self._y + y, self._x + x, height, width), target))

    def tell(self, topic: str, *texts: "str | Canvas") -> None:
        """Give the speaker whole texts on a topic (see `speaker`), or a canvas to read.

        The topic `field` is not spoken: a name and the values that this part of the frame shows.
        """
        self.texts.append((topic, texts))

    def hit(self, y: int, x: int) -> Target:
        """Return the last target at a cell of the screen and the column in it; empty without."""
        for area, target in reversed(self._targets):
            if area.contains(y, x):
                return *target, x - area.x
        return ()

    def write_right(self, y: int, text: str, style: str = NORMAL) -> None:
        self.write(y, self.width - cells(text), text, style)

    def write_parts(self, y: int, x: int, parts: Iterable[tuple[str, str]]) -> int:
        """Write texts in their styles, one after the other; return the column after the last."""
        for text, style in parts:
            self.write(y, x, text, style)
            x += cells(text)
        return x

    def rows(self, first: int, stop: int) -> "Canvas":
        """Return a canvas over the whole rows `first … stop - 1`."""
        return self.subcanvas(Rect(first, 0, stop - first, self.width))

    def clear(self) -> None:
        for y in range(self.height):
            self.write(y, 0, " " * self.width)

    def spans(self, y: int) -> Iterator[tuple[int, str, str]]:
        """Yield a row as (column, text, style), cut where the style changes."""
        x = 0
        for style, run in groupby(self.cells(y), key=itemgetter(1)):
            letters = [*map(itemgetter(0), run)]
            yield x, "".join(letters), style
            x += len(letters)

    def cells(self, y: int) -> list[tuple[str, str]]:
        """Return the text and the style of each cell in a row."""
        row, part = self._y + y, slice(self._x, self._x + self.width)
        return [*zip(self._characters[row][part], self._styles[row][part], strict=True)]

    def changed_rows(self, before: "Canvas | None") -> list[int]:
        """Return the rows that differ from those of another canvas; all without one of the size."""
        if before is None or (before.width, before.height) != (self.width, self.height):
            return [*range(self.height)]
        one, other = ([*zip(c._characters, c._styles, strict=True)] for c in (self, before))
        return [y for y in range(self.height) if one[y] != other[y]]

    def line(self, y: int) -> str:
        """Return the text of a row, as wide as the canvas."""
        return "".join(self._characters[self._y + y][self._x : self._x + self.width])

    def style_at(self, y: int, x: int) -> str:
        return self._styles[self._y + y][self._x + x]

    def text(self) -> str:
        """Return all rows, without the blanks at their ends."""
        return "\n".join(self.line(y).rstrip() for y in range(self.height))


@lru_cache(maxsize=4096)
def _cells(text: str, ascii_only: bool) -> list[str]:
    """Return the text of each cell, of which a letter and its marks share one."""
    found: list[str] = []
    for character in text:
        n, at = cells_of(character), len(found) - 1
        if n == 0 and at >= 0:
            at -= found[at] == ""
            found[at] = (found[at] + character)[:5]  # as many as curses takes
        else:
            found += [character if n and character.isprintable() else "?", *[""] * (n - 1)]
    return [as_ascii(each[:1] or "?") for each in found] if ascii_only else found


def _put(row: list[str], start: int, letters: Sequence[str]) -> None:
    """Replace cells of a row; of a wide letter that loses a half the other becomes a blank."""
    for at in (start, start + len(letters)):
        if at < len(row) and row[at] == "":
            row[at - 1] = row[at] = " "
    row[start : start + len(letters)] = letters
    if letters and letters[0] == "":
        row[start] = " "


def as_ascii(text: str) -> str:
    return text.translate(_ASCII).encode("ascii", "replace").decode()
