"""Draw canvases as SVG, one as a picture or several as a film, in the colours of a theme. Pure."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from zlib import crc32

from negotiation_tui.runtime.text import cells as cells_in
from negotiation_tui.tui.toolkit.canvas import NORMAL, Canvas, Rect
from negotiation_tui.tui.toolkit.theme import Appearance, styles_of

CELL_WIDTH, CELL_HEIGHT, FONT = 8, 17, 13.3
"""Size of a cell and of its characters, in pixels; whole cells leave no seams between them."""
_BASE = 13  # height of the line on which characters stand, below the top of their cell
MARGIN = 12
_REST = 3.0  # seconds for which a film shows its last frame, if nothing more changes
_FAMILY = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"
_ON_DARK, _ON_LIGHT = ("#d0d0d0", "#16181d"), ("#24292f", "#ffffff")
"""Ink and paper of a terminal's own colours."""
_GAP = 6
"""Unchanged cells between two changes that are drawn again, which is shorter than to begin anew."""
_BASIC = (
    *("#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"),
    *("#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff"),
)
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LEVELS = (0, 95, 135, 175, 215, 255)


def screen_files(canvas: Canvas, theme: str) -> tuple[tuple[str, str], ...]:
    """Return a canvas as SVG and as text: the ending of each file and its contents."""
    return (".svg", svg(canvas, theme)), (".txt", f"{canvas.text()}\n")


def svg(canvas: Canvas, theme: str) -> str:
    """Return a canvas as an SVG document, in the colours of a theme of `THEMES`."""
    return film([(0.0, canvas)], theme, 0.0)


def film(frames: Iterable[tuple[float, Canvas]], theme: str, seconds: float) -> str:
    """Return frames of one size as an SVG document that shows them over and over, without a script.

    Each frame is the second at which it begins, the first at 0, and its canvas. The film lasts
    `seconds`, or ends `_REST` after its last change. Only cells that change
    are stored, and painted over those before: a viewer without motion, or whose reader asks for
    less of it, shows the last frame.
    """
    pen = _Pen(theme)
    shown: Canvas | None = None
    drawn = []
    for second, canvas in frames:
        parts = "\n".join(pen.changes(shown, canvas))
        if parts or shown is None:
            drawn.append((second, parts))
        shown = canvas
    assert shown is not None
    seconds = min(seconds, drawn[-1][0] + _REST)
    width, height = shown.width * CELL_WIDTH + 2 * MARGIN, shown.height * CELL_HEIGHT + 2 * MARGIN
    name = f"f{crc32(repr(drawn).encode()) >> 8:x}"  # a page can contain several documents
    rules = [f"#{name} text{{white-space:pre}}", f"#{name} path{{shape-rendering:crispEdges}}"]
    rules += [f"#{name} .{each}{{{look}}}" for look, each in pen.classes.items()]
    groups = []
    for number, (second, parts) in enumerate(drawn[1:]):
        hidden, begin = "0%{visibility:hidden}", f"{100 * second / seconds:.3f}%"
        rules.append(f"@keyframes {name}-{number}{{{hidden}{begin}{{visibility:visible}}}}")
        groups.append(f'<g style="animation-name:{name}-{number}">\n{parts}\n</g>')
    if groups:
        rules.append(f"#{name} g{{animation:{seconds:g}s step-end infinite}}")
        still = f"#{name} g{{animation:none!important}}"
        rules.append(f"@media(prefers-reduced-motion:reduce){{{still}}}")
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 0 {width} {height}"',
        f' font-family="{_FAMILY}" font-size="{FONT}" xml:space="preserve">',
        *("<style>", *rules, "</style>"),
        f'<rect width="100%" height="100%" rx="8" fill="{pen.paper}"/>',
    ]
    return "\n".join([*head, drawn[0][1], *groups, "</svg>", ""])


class _Pen:
    """Draws the changes of canvases in a theme; `classes` are the names of the looks it used."""

    def __init__(self, theme: str) -> None:
        usual = _ON_LIGHT if theme == "light" else _ON_DARK
        self._looks = {name: _look(style[256], usual) for name, style in styles_of(theme).items()}
        self.paper = self._looks[NORMAL][1]
        self.classes: dict[str, str] = {}

    def changes(self, before: Canvas | None, canvas: Canvas) -> list[str]:
        """Return the elements of the cells that differ from those of the canvas before.

        The grounds come first, one element per colour, so that none covers a part of a text.
        """
        grounds: dict[str, str] = {}
        texts: list[str] = []
        # Some characters reach over the edge of their cell, and must go with what is painted over.
        spill = 0.5 if before else 0
        for y in range(canvas.height):
            top = MARGIN + y * CELL_HEIGHT
            cells = canvas.cells(y)
            was = before.cells(y) if before else [None] * len(cells)
            changed = (x for x, cell in enumerate(cells) if cell != was[x])
            for first, stop in _joined(changed):
                spans = canvas.subcanvas(Rect(y, first, 1, stop - first)).spans(0)
                left = MARGIN + first * CELL_WIDTH
                for ground, same in groupby(spans, key=lambda span: self._looks[span[2]][1]):
                    from_x = left
                    for _, run, style in same:
                        texts += self._text(left, top, run, self._looks[style][0])
                        left += cells_in(run) * CELL_WIDTH
                    if before or ground != self.paper:
                        wide = left - from_x + 2 * spill
                        path = f"M{from_x - spill:g} {top}h{wide:g}v{CELL_HEIGHT}h{-wide:g}"
                        grounds[ground] = grounds.get(ground, "") + path
        fills = ((path, self._class(f"fill:{ground}")) for ground, path in grounds.items())
        return [*(f'<path d="{path}" class="{each}"/>' for path, each in fills), *texts]

    def _text(self, left: int, top: int, run: str, look: str) -> Iterator[str]:
        """Yield the element of text in one style, unless it is blank."""
        if text := run.strip():
            left += (len(run) - len(run.lstrip())) * CELL_WIDTH
            length = f' textLength="{cells_in(text) * CELL_WIDTH}"' if len(text) > 1 else ""
            place = f'x="{left}" y="{top + _BASE}"{length} class="{self._class(look)}"'
            yield f"<text {place}>{text.translate(_ESCAPED)}</text>"

    def _class(self, look: str) -> str:
        return self.classes.setdefault(look, f"c{len(self.classes)}")


def _joined(columns: Iterable[int]) -> list[tuple[int, int]]:
    """Return columns as spans of the first and the next, joined where few others lie between."""
    spans: list[tuple[int, int]] = []
    for x in columns:
        first = spans.pop()[0] if spans and x <= spans[-1][1] + _GAP else x
        spans.append((first, x + 1))
    return spans


def _look(appearance: Appearance, usual: tuple[str, str]) -> tuple[str, str]:
    """Return the look of text, and its ground; `usual` are the terminal's ink and paper."""
    names = appearance.attributes
    ink, ground = xterm(appearance.foreground, usual[0]), xterm(appearance.background, usual[1])
    ink, ground = (ground, ink) if "reverse" in names else (ink, ground)
    bold = ";font-weight:bold" if "bold" in names else ""
    return f"fill:{ink}{bold}" + ";text-decoration:underline" * ("underline" in names), ground


def xterm(number: int, usual: str) -> str:
    """Return a colour of xterm's palette; `usual`, the terminal's, if the number is negative."""
    if number < 0:
        return usual
    if number < 16:
        return _BASIC[number]
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    red, rest = divmod(number - 16, 36)
    levels = (_LEVELS[part] for part in (red, *divmod(rest, 6)))
    return "#" + "".join(f"{level:02x}" for level in levels)
