"""Boxes, headings and lines that every screen draws, and lists such as the help. Pure."""

import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from negotiation_tui.runtime.text import shortened
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Hint, Key, Keys

_MESSAGE_ROWS = 3
_UNBROKEN = "\xa0"
WIDE = 100  # columns from which the lines around the panes have room for more words


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
    """Draw a pane's heading, on a line unless framed, and at the right the first note that fits."""
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


HELP = "help"  # name of the box
TWO_COLUMNS = 110  # the smallest width of a screen with two columns of keys
_GAP = 3
_LABEL = 10
_HANG = " " * (_LABEL + 2)


class ListLine(NamedTuple):
    """One line of the help or of a list; `stop` is True if it can be marked."""

    text: str
    stop: bool = False
    key: Key | None = None  # the row of the key table that begins here
    heading: bool = False


def help_lines(model: Any) -> tuple[ListLine, ...]:
    """Return the keys in their groups, and the words with meanings, that match what was typed."""
    _, width = _columns(model)
    groups = dict.fromkeys((*model.subjects, *(row.group for row in model.keys)))
    lines: list[ListLine] = []
    for group in groups:
        heading = [ListLine(group, heading=True)]
        for row in model.keys:
            about = f"{row.shown} {row.help} {row.command} {row.group}"
            if row.group == group and found(about, model.typed):
                first, *rest = _wrapped(f" {row.shown:<{_LABEL}} {row.help}", width)
                lines += [*heading, ListLine(f" {first.strip()}", stop=True, key=row)]
                lines += map(ListLine, rest)
                heading = []
    searched = *model.about.items(), *(model.glossary.items() if model.typed else ())
    words = [each for each in searched if found(" ".join(each), model.typed)]
    words.sort(key=lambda each: bool(model.typed) and not found(each[0], model.typed))
    if words:
        lines.append(ListLine("Words", heading=True))
    for word, meaning in words:
        parts = _wrapped(model.keys.format(f"{word:<11} {meaning}"), width - 1)
        lines += [ListLine(f" {part}", stop=True) for part in parts]
    return tuple(lines) or (ListLine("nothing matches: Backspace takes a letter back"),)


def marked(model: Any) -> Key | None:
    """Return the marked row of the key table, None if another line is marked."""
    stops = [line for line in help_lines(model) if line.stop]
    return stops[min(model.modal_row, len(stops) - 1)].key if stops else None


def stops(model: Any) -> int:
    """Return the number of lines that can be marked."""
    return sum(line.stop for line in help_lines(model))


def draw_help(canvas: Canvas, model: Any) -> None:
    """Draw the page of the help with the marked line, and nothing behind it."""
    canvas.rows(1, canvas.height - 1).clear()
    lines, (columns, width) = help_lines(model), _columns(model)
    columns = 1 if len(lines) <= modal_rows(canvas.height) else columns
    title = f"Help: {model.typed}_" if model.typed else "Help: type to search"
    ends = "↑↓ mark · Enter does it", f"{model.keys['close']} closes"
    draw_list(canvas, title, lines, model.modal_row, ends, width, columns)


def draw_list(
    canvas: Canvas,
    title: str,
    lines: Sequence[ListLine],
    row: int,
    ends: tuple[str, str],
    width: int,
    columns: int = 1,
) -> None:
    """Draw the page of a list on which the stop number `row` is marked; `ends` are its keys."""
    most = modal_rows(canvas.height)
    lines = _unbroken(lines, most)
    rows = min(most, len(lines))
    places = [n for n, line in enumerate(lines) if line.stop]
    numbers = {n: number for number, n in enumerate(places)}
    at = places[min(row, len(places) - 1)] if places else -1
    page, pages = max(0, at) // (rows * columns), -(-len(lines) // (rows * columns))
    number = (f"page {page + 1} of {pages}",) if pages > 1 else ()
    longest = " · ".join((*number, *ends))
    blank = " " * (columns * (width + _GAP) - _GAP)
    foot = longest if len(longest) + 6 <= canvas.width else " · ".join((*number, ends[-1]))
    inside = draw_box(canvas, title, [blank] * rows, 0, foot)
    first = page * rows * columns
    for n, line in enumerate(lines[first : first + rows * columns]):
        y, x = n % rows, n // rows * (width + _GAP)
        style = "focus" if line.heading else "bold" if first + n == at else "normal"
        inside.write(y, x, line.text[:width], style)
        if first + n == at:
            inside.write(y, x, "▸", "bold")
        if line.stop:
            inside.target(Rect(y, x, 1, width), "row", numbers[first + n])


def _columns(model: Any) -> tuple[int, int]:
    """Return the number of columns and their width, with a cell for the mark before each line."""
    columns = 2 if model.width >= TWO_COLUMNS else 1
    return columns, max(20, (model.width - 4 - _GAP * (columns - 1)) // columns)


@lru_cache(maxsize=512)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, width, subsequent_indent=_HANG))


def _unbroken(lines: Sequence[ListLine], rows: int) -> tuple[ListLine, ...]:
    """Put a blank line where a group's heading would be the last line of a column."""
    kept: list[ListLine] = []
    for line in lines:
        if line.heading and rows > 1 and len(kept) % rows == rows - 1:
            kept.append(ListLine(""))
        kept.append(line)
    return tuple(kept)


def edited(text: str, key: str) -> str | None:
    """Return the text after a letter or Backspace; None for any other key."""
    if key == "backspace" and text:
        return text[:-1]
    letter = " " if key == "space" else key
    return text + letter if len(letter) == 1 and letter.isprintable() else None


def found(text: str, words: str) -> bool:
    """True if every one of the words is in the text."""
    return all(word in text.lower() for word in words.lower().split())
