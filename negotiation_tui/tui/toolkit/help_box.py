"""Lists with a marked line, such as the help: all keys, found by typing. Pure."""

import textwrap
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from negotiation_tui.tui.toolkit.boxes import draw_box, modal_rows
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.keys import Key

HELP = "help"
"""Name of the box."""
WIDE = 110
"""The smallest width of a screen with two columns of keys."""
_GAP = 3
_LABEL = 10
_HANG = " " * (_LABEL + 2)


class ListLine(NamedTuple):
    """One line of the help or of a list; `stop` is True if it can be marked."""

    text: str
    stop: bool = False
    key: Key | None = None
    """The row of the key table that begins here."""
    heading: bool = False


def help_lines(model: Any) -> tuple[ListLine, ...]:
    """Return the keys in their groups, and the words with meanings, that match what was typed."""
    width = _column_width(model)
    groups = dict.fromkeys((*model.subjects, *(row.group for row in model.keys)))
    lines: list[ListLine] = []
    for group in groups:
        rows = [row for row in model.keys if row.group == group and _matches(row, model.typed)]
        if rows:
            lines += [ListLine(group, heading=True), *_key_lines(rows, width)]
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
    lines, width = help_lines(model), _column_width(model)
    columns = 1 if len(lines) <= modal_rows(canvas.height) else _columns(model)
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


def _columns(model: Any) -> int:
    return 2 if int(model.width) >= WIDE else 1


def _column_width(model: Any) -> int:
    """Return the width of a column, with one cell for the mark before each line."""
    columns = _columns(model)
    return max(20, (int(model.width) - 4 - _GAP * (columns - 1)) // columns)


def _matches(row: Key, words: str) -> bool:
    """True if every word typed is in the key's label, effect, name or group."""
    return found(f"{row.shown} {row.help} {row.command} {row.group}", words)


def _key_lines(rows: Sequence[Key], width: int) -> Iterator[ListLine]:
    for row in rows:
        text = f" {row.shown:<{_LABEL}} {row.help}"
        first, *rest = _wrapped(text, width)
        yield ListLine(f" {first.strip()}", stop=True, key=row)
        yield from map(ListLine, rest)


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
