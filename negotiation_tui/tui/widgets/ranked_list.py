"""The screens of markets and contests: a ranked list, one sentence, and the panes around. Pure."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from negotiation_tui.contest.contest import BY_NAME, AnyStanding, RankingColumn
from negotiation_tui.runtime.text import cells, clip, first_fitting, shortened
from negotiation_tui.tui.toolkit.boxes import draw_footer_line, draw_title_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import PanedModel

HEADER = 2  # rows of a list above its lines: the heading and the titles of the columns
_NAMES = 16  # columns that names get, if they need them, before a column of numbers does
_GAP = 2


class Column(NamedTuple):
    """A column of numbers."""

    title: str
    width: int
    sorted: bool


class Line(NamedTuple):
    """An entry of a list."""

    rank: str
    name: str
    numbers: Sequence[str]
    style: str = "normal"
    beside: Sequence[str] = ()  # texts beside the name, of which the first that fits is drawn


def first_shown(at: int, rows: int, total: int) -> int:
    """Return the first visible row of the page with row `at`; the last page is full."""
    return max(0, min(at // rows * rows, total - rows))


def draw_ranked_list(
    canvas: Canvas,
    names: Column,
    columns: Sequence[Column],
    total: int,
    line: Callable[[int], Line],
    marked: int | None,
    shorten: Callable[[str, int], str],
) -> None:
    """Draw the titles and the page with the marked line, without one the first page.

    `names` is the column of names: its width is what they and the words beside them need. A column
    of numbers without room is left out, and those after it. `line` returns the line at a place.
    """
    rows = max(1, canvas.height - HEADER)
    first = first_shown(marked or 0, rows, total)
    lines = [line(place) for place in range(first, min(first + rows, total))]
    digits = max(4, 1 + max((len(line.rank) for line in lines), default=0))
    room, shown = canvas.width - digits - 2, 0
    for column in columns:
        if room - column.width < min(max(_NAMES, canvas.width // 2), names.width):
            break
        room, shown = room - column.width, shown + 1
    told = ["  ".join(("rank", names.title, *(column.title for column in columns[:shown])))]
    styles = ["chosen" if column.sorted else "faint" for column in (names, *columns)]
    canvas.write(1, digits - 4, "rank", "faint")
    canvas.write(1, digits + 1, names.title, styles[0])
    last = canvas.width - 1
    canvas.write(HEADER - 1, last, "↑" * (first > 0), "faint")
    canvas.write(canvas.height - 1, last, "↓" * (first + rows < total), "faint")
    ends = [digits + 1 + room]
    for column, style in zip(columns[:shown], styles[1:], strict=False):
        ends.append(ends[-1] + column.width)
        canvas.write(1, ends[-1] - len(column.title), column.title, style)
    for y, entry in enumerate(lines, HEADER):
        chosen = first + y - HEADER == marked
        canvas.write(y, 0, "▸" if chosen else "", "bold")
        canvas.write(y, digits - len(entry.rank), entry.rank, "bold" if chosen else "faint")
        name = shorten(entry.name, room - 1)
        canvas.write(y, digits + 1, name, "bold" if chosen else entry.style)
        x = digits + 1 + cells(name) + _GAP
        beside = first_fitting(entry.beside, ends[0] - x)
        canvas.write(y, x, beside, "faint")
        for end, text in zip(ends[1:], entry.numbers, strict=False):
            canvas.write(y, end - len(text), text, "bold" if chosen else "normal")
        texts = entry.rank, f"{name} {beside}", *entry.numbers[:shown]
        told.append("▸" * chosen + "  ".join(texts))
    canvas.tell("pane", *told)


def draw_standings(
    canvas: Canvas,
    standings: Sequence[AnyStanding],
    columns: Sequence[RankingColumn],
    order: RankingColumn,
    marked: int,
    longest: int,
    shorten: Callable[[str, int], str],
    coins: int | None = None,
) -> None:
    """Draw a leaderboard with its columns; the longest name has `longest` characters.

    Rewards are in money if a reward of 1 is worth `coins`.
    """
    *numbers, names = sorted(columns, key=lambda column: column.name == BY_NAME.name)
    titles = [Column(each.title, each.width, each is order) for each in numbers]
    first = Column(names.title, longest + 1, order is names)

    def line(place: int) -> Line:
        each = standings[place]
        rank = "–" if each.rank is None else str(each.rank)
        texts = [clip(column.text(each, coins), column.width - 1) for column in numbers]
        return Line(rank, each.name, texts)

    draw_ranked_list(canvas, first, titles, len(standings), line, marked, shorten)


Title = tuple[str, Iterable[Sequence[str]]]  # the state, and the choices of texts


def list_lines(
    title: Callable[[Any], Title], sentence: Callable[[Any], str]
) -> dict[str, Callable[[Canvas, Any], None]]:
    """Return the lines around the panes of a screen with ranked lists."""
    return {
        "title": lambda canvas, model: draw_title_line(canvas, *title(model)),
        "caption": lambda canvas, model: draw_sentence(canvas, sentence(model)),
        "footer": _draw_footer,
    }


def _draw_footer(canvas: Canvas, model: PanedModel[Any, Any]) -> None:
    """Draw the keys: after those of every pane the keys of the pane in focus."""
    first = "quit", "help", "run"
    rows = sorted(
        model.keys, key=lambda row: row.command not in first and row.group not in model.subjects
    )
    draw_footer_line(canvas, map(model.keys.footer, rows))


def draw_sentence(canvas: Canvas, sentence: str) -> None:
    """Draw a sentence; its last parts are left out if they have no room."""
    canvas.tell("state", sentence)
    room = canvas.width - 4
    while len(sentence) > room and (cut := re.sub(r"[,;:] [^,;:]*$", ".", sentence)) != sentence:
        sentence = cut
    canvas.write(0, 1, f"▸ {shortened(sentence, room)}", "bold")
