"""Draw a canvas as a picture: SVG, in the 256 colours of a theme. Pure."""

from negotiation_tui.tui.toolkit.canvas import NORMAL, Canvas
from negotiation_tui.tui.toolkit.theme import THEMES, Appearance

CELL_WIDTH, CELL_HEIGHT, FONT = 8.43, 18, 14
"""Size of a cell and of its characters, in pixels."""
MARGIN = 12
_FAMILY = "ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"
_ON_DARK, _ON_LIGHT = ("#d0d0d0", "#16181d"), ("#24292f", "#ffffff")
"""Ink and paper of a terminal's own colours."""
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
    styles, grounds = THEMES[theme], _ON_LIGHT if theme == "light" else _ON_DARK
    paper = _colours(styles[NORMAL].c256, grounds)[1]
    width = round(canvas.width * CELL_WIDTH + 2 * MARGIN)
    height = canvas.height * CELL_HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        f' font-family="{_FAMILY}" font-size="{FONT}" xml:space="preserve">',
        "<style>text{white-space:pre}</style>",  # newer browsers obey only this
        f'<rect width="100%" height="100%" rx="8" fill="{paper}"/>',
    ]
    for y in range(canvas.height):
        top = MARGIN + y * CELL_HEIGHT
        for x, run, style in canvas.spans(y):
            look = styles[style].c256
            parts += _span(MARGIN + x * CELL_WIDTH, top, run, look, (*grounds, paper))
    return "\n".join([*parts, "</svg>", ""])


def _span(
    left: float, top: int, run: str, look: Appearance, grounds: tuple[str, str, str]
) -> list[str]:
    """Return the elements of text in one style: its ground if it has its own, then the text."""
    ink, behind = _colours(look, grounds[:2])
    at, wide = f'x="{left:.1f}"', f"{len(run) * CELL_WIDTH:.1f}"
    parts = []
    if behind != grounds[2]:
        parts.append(
            f'<rect {at} y="{top}" width="{wide}" height="{CELL_HEIGHT}" fill="{behind}"/>'
        )
    if run.strip():
        bold = ' font-weight="bold"' if "bold" in look.attributes else ""
        line = ' text-decoration="underline"' if "underline" in look.attributes else ""
        parts.append(
            f'<text {at} y="{top + FONT}" textLength="{wide}" fill="{ink}"{bold}{line}>'
            f"{run.translate(_ESCAPED)}</text>"
        )
    return parts


def _colours(look: Appearance, grounds: tuple[str, str]) -> tuple[str, str]:
    """Return the ink and the paper of an appearance."""
    ink, paper = xterm(look.foreground, grounds[0]), xterm(look.background, grounds[1])
    return (paper, ink) if "reverse" in look.attributes else (ink, paper)


def xterm(number: int, own: str) -> str:
    """Return a colour of xterm's palette; the terminal's `own` if the number is negative."""
    if number < 0:
        return own
    if number < 16:
        return _BASIC[number]
    if number >= 232:
        return "#" + 3 * f"{8 + 10 * (number - 232):02x}"
    red, rest = divmod(number - 16, 36)
    levels = (_LEVELS[part] for part in (red, *divmod(rest, 6)))
    return "#" + "".join(f"{level:02x}" for level in levels)
