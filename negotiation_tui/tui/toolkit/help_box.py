"""The help: all keys by subject, found by typing and carried out with Enter. Pure."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from negotiation_tui.tui.toolkit.boxes import draw_box, modal_rows
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Key
from negotiation_tui.tui.toolkit.search import edited, found

HELP = "help"
"""Name of the box."""
WIDE = 110
"""The smallest width of a screen with two columns of keys."""
_GAP = 3
_LABEL = 10
_HANG = " " * (_LABEL + 2)

M = TypeVar("M", bound=Any)


class HelpLine(NamedTuple):
    """One line; `stop` is True if it can be marked."""

    text: str
    stop: bool = False
    key: Key | None = None
    """The row of the key table that begins here."""
    heading: bool = False


def help_lines(model: Any, about: Sequence[str]) -> tuple[HelpLine, ...]:
    """Return the keys that match what was typed, in their groups; then, if nothing was, `about`."""
    width = _column_width(model)
    groups = dict.fromkeys((*model.subjects, *(row.group for row in model.keys)))
    lines: list[HelpLine] = []
    for group in groups:
        rows = [row for row in model.keys if row.group == group and _matches(row, model.typed)]
        if rows:
            lines += [HelpLine(group, heading=True), *_key_lines(rows, width)]
    if model.typed:
        return tuple(lines) or (HelpLine("no key matches: Backspace takes a letter back"),)
    for text in _paragraphs(about):
        parts = _wrapped(model.keys.format(text), width - 1)
        lines += [HelpLine(f" {part}", stop=True) for part in parts] or [HelpLine("")]
    return tuple(lines)


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Join each line that begins with a blank to the line before."""
    joined: list[str] = []
    for line in lines:
        if line.startswith(" "):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line)
    return joined


def marked(model: Any, about: Sequence[str]) -> Key | None:
    """Return the marked row of the key table, None if another line is marked."""
    stops = [line for line in help_lines(model, about) if line.stop]
    return stops[min(model.modal_row, len(stops) - 1)].key if stops else None


def stops(model: Any, about: Sequence[str]) -> int:
    """Return the number of lines that can be marked."""
    return sum(line.stop for line in help_lines(model, about))


def typed(model: M, key: str) -> M | None:
    """Return the model after a letter or Backspace; None for any other key."""
    text = edited(model.typed, key)
    return None if text is None else replace(model, typed=text, modal_row=0)


def draw_help(canvas: Canvas, model: Any, about: Sequence[str]) -> None:
    """Draw the page of the help with the marked line."""
    lines, most, width = help_lines(model, about), modal_rows(canvas.height), _column_width(model)
    columns = 1 if len(lines) <= most else _columns(model)
    lines = _unbroken(lines, most)
    rows = min(most, len(lines))
    places = [n for n, line in enumerate(lines) if line.stop]
    at = places[min(model.modal_row, len(places) - 1)] if places else -1
    page, pages = max(0, at) // (rows * columns), -(-len(lines) // (rows * columns))
    ends = f"{model.keys['close']} closes"
    number = f"page {page + 1} of {pages} · " if pages > 1 else ""
    longest = f"{number}↑↓ mark · Enter does it · {ends}"
    title = f"Help: {model.typed}_" if model.typed else "Help: type to search"
    blank = " " * (columns * (width + _GAP) - _GAP)
    foot = longest if len(longest) + 6 <= canvas.width else f"{number}{ends}"
    inside = draw_box(canvas, title, [blank] * rows, 0, foot)
    first = page * rows * columns
    for n, line in enumerate(lines[first : first + rows * columns]):
        y, x = n % rows, n // rows * (width + _GAP)
        style = "focus" if line.heading else "bold" if first + n == at else "normal"
        inside.write(y, x, line.text[:width], style)
        if first + n == at:
            inside.write(y, x, "▸", "bold")


def _columns(model: Any) -> int:
    return 2 if int(model.width) >= WIDE else 1


def _column_width(model: Any) -> int:
    """Return the width of a column, with one cell for the mark before each line."""
    columns = _columns(model)
    return max(20, (int(model.width) - 4 - _GAP * (columns - 1)) // columns)


def _matches(row: Key, words: str) -> bool:
    """True if every word typed is in the key's label, effect, name or group."""
    return found(f"{row.shown} {row.help} {row.command} {row.group}", words)


def _key_lines(rows: Sequence[Key], width: int) -> Iterator[HelpLine]:
    for row in rows:
        text = f" {row.shown:<{_LABEL}} {row.help}"
        first, *rest = _wrapped(text, width)
        yield HelpLine(f" {first.strip()}", stop=True, key=row)
        yield from map(HelpLine, rest)


@lru_cache(maxsize=512)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    return tuple(textwrap.wrap(text, width, subsequent_indent=_HANG))


def _unbroken(lines: Sequence[HelpLine], rows: int) -> tuple[HelpLine, ...]:
    """Put a blank line where a group's heading would be the last line of a column."""
    kept: list[HelpLine] = []
    for line in lines:
        if line.heading and rows > 1 and len(kept) % rows == rows - 1:
            kept.append(HelpLine(""))
        kept.append(line)
    return tuple(kept)
