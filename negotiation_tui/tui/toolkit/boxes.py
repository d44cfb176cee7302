"""Boxes, headings and lines that every screen draws."""

import textwrap
from collections.abc import Iterable, Sequence

from negotiation_tui.runtime.text import shortened
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Hint, Keys

_MESSAGE_ROWS = 3
_UNBROKEN = "\xa0"
WIDE = 100
"""Columns from which the lines around the panes have room for more words."""


def modal_rows(height: int) -> int:
    """Return the number of lines that a box can show on a screen of this height."""
    return max(1, height - 4)


def wrapped(lines: Sequence[str], width: int, indent: int) -> tuple[str, ...]:
    """Wrap lines for a box on a screen of this width, and indent their rest if there is room."""
    hang = " " * (indent if width >= 60 else 2)
    return tuple(
        part
        for line in lines
        for part in textwrap.wrap(line, max(20, width - 4), subsequent_indent=hang) or [""]
    )


def wrapped_parts(lines: Iterable[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Wrap texts, each with its style."""
    return [(part, style) for text, style in lines for part in textwrap.wrap(text, max(1, width))]


def filled(texts: Iterable[str], width: int, gap: str) -> list[str]:
    """Return lines with as many whole texts as fit, a gap between two."""
    joined = gap.join(text.replace(" ", _UNBROKEN) for text in texts)
    lines = textwrap.wrap(joined, max(1, width), break_long_words=False)
    return [line.replace(_UNBROKEN, " ") for line in lines]


def draw_message(canvas: Canvas, message: str) -> None:
    """Draw a message over the last rows, wrapped; what has no room is left out after a word."""
    width = max(1, canvas.width - 2)
    lines = textwrap.wrap(message, width)
    if len(lines) > _MESSAGE_ROWS:
        rest = " ".join(lines[_MESSAGE_ROWS - 1 :])
        lines = [*lines[: _MESSAGE_ROWS - 1], shortened(rest, width)]
    area = canvas.rows(canvas.height - len(lines), canvas.height)
    area.clear()
    for y, line in enumerate(lines):
        area.write(y, 1, line, "message")


def draw_footer_line(canvas: Canvas, hints: Iterable[Hint | None], begin: str = "") -> None:
    """Draw as many hints as fit, after the text at the beginning of the line."""
    wide = canvas.width >= WIDE
    canvas.write(0, 1, begin, "faint")
    x = 1 + len(begin) + 2 * bool(begin)
    for names, words in filter(None, hints):
        short, colon, more = words.partition(":")
        word = short + more if wide and colon else short
        if x + len(names) + 1 + len(word) > canvas.width:
            break
        canvas.write(0, x, names, "key")
        canvas.write(0, x + len(names) + 1, word, "faint")
        canvas.target(Rect(0, x, 1, len(names) + 1 + len(word)), "key", names)
        x += len(names) + 1 + len(word) + 1 + wide


def draw_box(canvas: Canvas, heading: str, lines: Sequence[str], first: int, ends: str) -> Canvas:
    """Draw a box in the middle of the canvas with lines from `first` on; return their room."""
    rows = min(len(lines), modal_rows(canvas.height))
    more = f" ↑↓ {len(lines)} lines " if len(lines) > rows else ""
    edges = f" {heading} ", f"{more} {ends} "
    width = min(canvas.width, max(map(len, (*lines, *edges))) + 4)
    area = Rect((canvas.height - rows - 2) // 2, (canvas.width - width) // 2, rows + 2, width)
    box = canvas.subcanvas(area)
    box.clear()
    for y, line in enumerate(lines[first : first + rows], 1):
        box.write(y, 2, line)
    draw_frame(box, chosen=False)
    box.write(0, 2, edges[0], "focus")
    box.write(rows + 1, 2, edges[1], "heading")
    return box.subcanvas(Rect(1, 2, rows, box.width - 4))


def draw_too_small(canvas: Canvas, width: int, height: int, keys: Keys) -> None:
    """Draw the size that the screen has, and the size that it needs."""
    sizes = f"needs {width}×{height}", f"has {canvas.width}×{canvas.height}"
    for y, text in enumerate((*sizes, f"{keys['quit']} quits")):
        canvas.write(y, 0, text)


def draw_frame(canvas: Canvas, chosen: bool) -> None:
    """Draw a frame along the edges of the canvas, a heavy one around the chosen pane."""
    left, right, foot_left, foot_right, across, down = "┏┓┗┛━┃" if chosen else "┌┐└┘─│"
    style, width, foot = "focus" if chosen else "heading", canvas.width - 2, canvas.height - 1
    canvas.write(0, 0, f"{left}{across * width}{right}", style)
    for y in range(1, foot):
        canvas.write(y, 0, down, style)
        canvas.write(y, width + 1, down, style)
    canvas.write(foot, 0, f"{foot_left}{across * width}{foot_right}", style)


def draw_heading_line(
    canvas: Canvas, name: str, chosen: bool, *notes: str, framed: bool = False
) -> None:
    """Draw the heading of a pane, and at the right the first note that has room.

    A line runs through it if there is no frame, a heavy one if the pane is chosen.
    """
    style, width = "focus" if chosen else "heading", canvas.width - 2
    if not framed:
        left, across, right = "╺━╸" if chosen else "╶─╴"
        canvas.write(0, 0, f"{left}{across * width}{right}", style)
    name = f" {shortened(name, width - 2)} "
    canvas.write(0, 1, name, style)
    note = next((note for note in notes if len(name) + len(note) + 6 <= canvas.width), None)
    if note:
        canvas.write(0, canvas.width - 3 - len(note), f" {note} ", "heading")


def draw_title_line(canvas: Canvas, state: str, choices: Iterable[Sequence[str]]) -> None:
    """Draw the state at the right, and at the left the first choice of texts that has room."""
    canvas.write(0, 0, " " * canvas.width, "title")
    canvas.write_right(0, f" {state} ", "title")
    texts = map("  ".join, choices)
    text = next((text for text in texts if len(text) <= canvas.width - len(state) - 4), "")
    canvas.write(0, 1, text, "title")
