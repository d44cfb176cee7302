"""Boxes, headings and lines that every screen draws, and lists such as the help. Pure."""

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, Generic, NamedTuple, TypeVar

from negotiation_tui.runtime.text import first_fitting, shortened
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Hint, Key, Keys

MESSAGE_ROWS = 3
_UNBROKEN = "\xa0"
WIDE = 100  # columns from which the lines around the panes have room for more words


def wrapped_parts(lines: Iterable[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """Wrap texts, each with its style."""
    return [(part, style) for text, style in lines for part in textwrap.wrap(text, max(1, width))]


def filled(texts: Iterable[str], width: int, gap: str) -> list[str]:
    """Return lines with as many whole texts as fit, a gap between two."""
    joined = gap.join(text.replace(" ", _UNBROKEN) for text in texts)
    lines = textwrap.wrap(joined, max(1, width), break_long_words=False)
    return [line.replace(_UNBROKEN, " ") for line in lines]


def draw_message(canvas: Canvas, message: str, most: int = MESSAGE_ROWS) -> None:
    """Draw a message over `most` last rows, wrapped; the rest is left out after a word."""
    canvas.tell("message", message)
    width, most = max(1, canvas.width - 2), min(most, canvas.height)
    lines = textwrap.wrap(message, width)
    if len(lines) > most:
        lines = [*lines[: most - 1], shortened(" ".join(lines[most - 1 :]), width)]
    area = canvas.rows(canvas.height - len(lines), canvas.height)
    area.clear()
    for y, line in enumerate(lines):
        area.write(y, 1, line, "message")


def draw_footer_line(canvas: Canvas, hints: Iterable[Hint | None]) -> None:
    """Draw as many hints as fit."""
    wide, shown = canvas.width >= WIDE, [*filter(None, hints)]
    for hint in map("  ".join, shown):
        canvas.tell("keys", hint)
    x = 1
    for names, words in shown:
        short, colon, more = words.partition(":")
        word = short + more if wide and colon else short
        if x + len(names) + 1 + len(word) > canvas.width:
            break
        canvas.write(0, x, names, "key")
        canvas.write(0, x + len(names) + 1, word, "faint")
        canvas.target(Rect(0, x, 1, len(names) + 1 + len(word)), "key", names)
        x += len(names) + 1 + len(word) + 1 + wide


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
    """Draw a pane's heading on a line, and at the right the first note that fits."""
    style, width = "focus" if chosen else "heading", canvas.width - 2
    left, across, right = "╺━╸" if chosen else "╶─╴"
    left, right = (across, across) if framed else (left, right)  # part of the frame around it
    canvas.write(0, 0, f"{left}{across * width}{right}", style)
    name = f" {shortened(name, width - 2)} "
    canvas.write(0, 1, name, style)
    if note := first_fitting(notes, canvas.width - len(name) - 6):
        canvas.write(0, canvas.width - 3 - len(note), f" {note} ", "heading")


def draw_title_line(canvas: Canvas, state: str, choices: Iterable[Sequence[str]]) -> None:
    """Draw the state at the right, and at the left the first choice of texts that has room."""
    canvas.write(0, 0, " " * canvas.width, "title")
    canvas.write_right(0, f" {state} ", "title")
    choices = list(choices)
    canvas.tell("title", *choices[0], *state.split("  "))
    room = canvas.width - len(state) - 4
    canvas.write(0, 1, first_fitting(map("  ".join, choices), room), "title")


HELP = "help"  # name of the box
TWO_COLUMNS = 110  # the smallest width of a screen with two columns of keys
_GAP = 3
_LABEL = 10
_HANG = " " * (_LABEL + 2)
_FIRST_COLUMN, _GAPS, _WORD = re.compile(r"\S+ {2,}"), re.compile(r" {2,}"), re.compile(r"\w+")
_READABLE, _INDENT = 30, 4
"""Columns that an entry of a list needs beside its name; columns of its indent without them."""


M = TypeVar("M", bound=Any)  # a model


class ListLine(NamedTuple):
    """One line of the help or of a list; `stop` is True if it can be marked."""

    text: str
    stop: bool = False
    key: Key | None = None  # the row of the key table that begins here
    heading: bool = False


class Box(NamedTuple, Generic[M]):
    """A box on top of the panes: a list with a marked line, or a text that scrolls."""

    title: Callable[[M], str]
    lines: Callable[[M], Sequence[str | ListLine]]
    """Returns the lines of the model's list, of which each text can be marked, or the text."""
    choose: Callable[[M], M] | None = None
    """Carries out the marked line of a list, or what was typed."""
    does: str = ""  # the effect of keys
    leaves: str = "{close} closes"
    marks: bool = False  # true for a list
    keeps: bool = False  # true if the marked line stays while one types
    typed: str | None = None
    """For a box that one types into, the command that opens it, and closes it while nothing is
    typed; empty if its key is a letter like any other there."""


def box_lines(model: Any, box: Box[Any]) -> Sequence[ListLine]:
    """Return the lines of a box on top, wrapped."""
    width = max(20, model.width - 4)
    if box.marks:
        return [
            part
            for line in box.lines(model)
            for part in (_entry(line, width - 2) if isinstance(line, str) else [line])
        ]
    wraps = (textwrap.wrap(str(line), width, subsequent_indent="  ") for line in box.lines(model))
    return [ListLine(part) for parts in wraps for part in parts or [""]]


def _entry(text: str, width: int) -> list[ListLine]:
    """Return the lines of an entry of a list; more than one hang below its second column."""
    parts = [text]
    if len(text) > width:
        name = _FIRST_COLUMN.match(text)
        hang = name.end() if name else _INDENT
        if width - hang < _READABLE:
            text, hang = _GAPS.sub("  ", text), _INDENT
        below = " " * hang
        parts = textwrap.wrap(text, width, subsequent_indent=below, break_on_hyphens=False)
    return [ListLine(f"  {part}", stop=n == 0) for n, part in enumerate(parts)]


def scrolled(model: Any, box: Box[Any], step: int, pages: int) -> int:
    """Return the number of the marked line, or of the first one shown of a text.

    A list moves by `step` lines or to the beginning of another page, a text by both.
    """
    lines, rows, columns, _ = _arranged(model, box)
    if not box.marks:
        last = len(lines) - rows
        return max(0, min(min(int(model.modal_row), last) + step + pages * rows, last))
    stops = [n for n, line in enumerate(lines) if line.stop]
    if not stops:
        return 0
    page, last = rows * columns, len(stops) - 1
    row = min(int(model.modal_row), last)
    if pages:
        begin = (stops[row] // page + pages) * page
        return next((n for n, stop in enumerate(stops) if stop >= begin), last)
    return max(0, min(row + step, last))


def _arranged(model: Any, box: Box[Any]) -> tuple[Sequence[ListLine], int, int, int]:
    """Return the lines of a box, and the rows, the columns and the width of a page."""
    most, lines = max(1, model.height - 4), box_lines(model, box)
    columns, width = 1, min(max(len(line.text) for line in lines), model.width - 4)
    if box is HELP_BOX:
        most = max(1, most - model.height // 3)
        columns, width = _columns(model)
        columns = 1 if len(lines) <= most else columns
    lines = _unbroken(lines, most)
    return lines, min(most, len(lines)), columns, width


def help_lines(model: Any) -> tuple[ListLine, ...]:
    """Return the keys in their groups, and the words with meanings, that match what was typed."""
    _, width = _columns(model)
    typed = model.typed.lower().strip()

    def misses(row: Key) -> tuple[bool, ...]:  # name of a command, beginning of help, whole words
        text, whole = row.help.lower(), {*typed.split()}
        return row.command != typed, not text.startswith(typed), not whole <= {*_WORD.findall(text)}

    keys = sorted(model.keys, key=misses)
    groups = dict.fromkeys((*(() if typed else model.subjects), *(row.group for row in keys)))
    lines: list[ListLine] = []
    for group in groups:
        heading = [ListLine(group, heading=True)]
        for row in keys:
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
    return tuple(lines) or (ListLine("nothing matches; Backspace deletes a letter"),)


HELP_BOX: Box[Any] = Box(
    lambda model: f"Help: {model.typed}_" if model.typed else "Help: type to search",
    help_lines,
    does="↑↓ mark · Enter does it",
    marks=True,
    typed=HELP,
)
"""The keys and the words of a screen, below its first rows, which stay."""


def marked(model: Any) -> Key | None:
    """Return the marked row of the key table, None if another line is marked."""
    stops = [line for line in help_lines(model) if line.stop]
    return stops[min(model.modal_row, len(stops) - 1)].key if stops else None


def draw_modal(canvas: Canvas, model: Any, box: Box[Any]) -> None:
    """Draw the box on top: the page of a list with the marked line, or a part of a text."""
    lines, rows, columns, width = _arranged(model, box)
    page, stops = rows * columns, [n for n, line in enumerate(lines) if line.stop]
    at = stops[min(model.modal_row, len(stops) - 1)] if stops else -1
    first = max(0, at) // page * page
    more = f"page {first // page + 1} of {-(-len(lines) // page)} · "
    if not box.marks:
        first, more = max(0, min(model.modal_row, len(lines) - rows)), f"↑↓ {len(lines)} lines  "
    does, leaves = map(model.keys.format, (box.does, box.leaves))
    more = more * (len(lines) > page)
    foot = f" {more}{does and f'{does} · '}{leaves} "
    foot = foot if len(foot) + 4 <= canvas.width else f" {more}{leaves} "
    title, room = f" {box.title(model)} ", columns * (width + _GAP) - _GAP
    wide = min(canvas.width, max(room, len(title), len(foot)) + 4)
    top, left = (canvas.height - rows - 2) // 2, (canvas.width - wide) // 2
    if box is HELP_BOX:  # its title stays in its place while one types
        top, left = 1 + canvas.height // 3, 0
    frame = canvas.subcanvas(Rect(top, left, rows + 2, wide))
    frame.clear()
    frame.target(Rect(0, 0, frame.height, frame.width), "box")
    frame.tell("box", box.title(model), *_entries(lines, at), foot)
    draw_frame(frame, chosen=False)
    frame.write(0, 2, title, "focus")
    frame.write(rows + 1, 2, foot, "heading")
    inside = frame.subcanvas(Rect(1, 2, rows, frame.width - 4))
    for n, line in enumerate(lines[first : first + page], first):
        y, x = (n - first) % rows, (n - first) // rows * (width + _GAP)
        style = "focus" if line.heading else "bold" if n == at else "normal"
        inside.write(y, x, line.text[:width], style)
        inside.write(y, x, "▸" * (n == at), "bold")
        if line.stop:
            inside.target(Rect(y, x, 1, width), "row", stops.index(n))


def _entries(lines: Sequence[ListLine], at: int) -> list[str]:
    """Return the entries of a list, or the lines of a text; a mark precedes that of line `at`."""
    entries: list[str] = []
    for n, line in enumerate(lines):
        text, indent = line.text.strip(), _INDENT // (1 if line.stop else 2)
        if entries and line.text.startswith(" " * indent):
            text = f"{entries.pop()} {text}"
        entries.append(f"{'▸' * (n == at)}{text}")
    return entries


def _columns(model: Any) -> tuple[int, int]:
    """Return the number of columns and their width, with a cell for the mark before each line."""
    columns = 2 if model.width >= TWO_COLUMNS else 1
    return columns, max(20, (model.width - 4 - _GAP * (columns - 1)) // columns)


@lru_cache(maxsize=512)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, width, subsequent_indent=_HANG))


def _unbroken(lines: Sequence[ListLine], rows: int) -> Sequence[ListLine]:
    """Put blank lines where a column would end within an entry, or below a heading."""
    laid: list[ListLine] = []
    for n, line in enumerate(lines):
        below = takewhile(lambda each: not (each.stop or each.heading), lines[n + 1 :])
        together = 2 if line.heading else 1 + sum(1 for _ in below)
        left = -len(laid) % rows
        if (line.stop or line.heading) and left < together <= rows:
            laid += [ListLine("")] * left
        laid.append(line)
    return laid


def edited(text: str, key: str) -> str | None:
    """Return the text after a letter or Backspace; None for any other key."""
    if key == "backspace":
        return text[:-1]
    letter = " " if key == "space" else key
    return text + letter if len(letter) == 1 and letter.isprintable() else None


def found(text: str, words: str) -> bool:
    """True if every one of the words is in the text."""
    return all(word in text.lower() for word in words.lower().split())
