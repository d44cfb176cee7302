"""The price bar: the original's picture of a negotiation, offer by offer."""

import itertools
import math
from collections.abc import Iterable

from negotiation_tui.game.negotiation import Transcript, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.tui.toolkit.axis import LABELS, Axis, draw_scale
from negotiation_tui.tui.toolkit.boxes import draw_heading_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.announcement import draw_announcement, draw_theory
from negotiation_tui.tui.widgets.limit_strip import NUMBER, draw_limit_strip
from negotiation_tui.tui.widgets.price_bar_view import PriceBarView

PRICE_HEIGHT = 6
"""Rows of the thinnest price bar, with its heading."""
_STILL_WIDTH = 80
_TRAIL = "▓▒░"
_THICKEST = 3


def prices_of(equilibria: Iterable[Equilibrium]) -> tuple[int, ...]:
    """Return the distinct prices that equilibrium players agree on, in ascending order."""
    prices = {equilibrium.path.outcome.price for equilibrium in equilibria}
    return tuple(sorted(price for price in prices if price is not None))


def still(transcript: Transcript, note: str = "") -> Canvas:
    """Draw a price bar on a canvas of its own, 80 columns wide, with a note in its heading."""
    canvas = Canvas(_STILL_WIDTH, PRICE_HEIGHT)
    draw_heading_line(canvas, "Price", False, note)
    draw_price_bar(canvas, PriceBarView(transcript))
    return canvas


def draw_price_bar(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the announcement and the bars, from row 1 on."""
    draw_announcement(canvas, view)
    draw_bars(canvas, view)


def draw_bars(canvas: Canvas, view: PriceBarView) -> None:
    """Draw the scale, a bar per role with marker and trail, and the zone; from row 2 on.

    Below the bar of a role with hidden limits is their strip. A high canvas has room for every
    offer on a row of its own, below.
    """
    prices, strips = view.shown.scenario.prices, view.strips
    thick, strip_rows = _thickness(canvas.height, sum(strip is not None for strip in strips))
    beside = NUMBER if strip_rows else 0  # room for that of the last limit
    axis = Axis(prices[0], prices[-1], LABELS + 1, canvas.width - LABELS - 3 - beside)
    numbered, y = draw_scale(canvas, axis, prices, 2), 3
    for role in (Role.BUYER, Role.SELLER):
        canvas.write(y + (thick - 1) // 2, 0, f" {role}".upper(), str(role))
        end = min(y + thick, canvas.height - 1)
        for row in range(y, end):
            _draw_bar(canvas, view, axis, role, row, numbered=row == y + (thick - 1) // 2)
        if view.broken_off:
            canvas.rows(y, end).restyle("faint")
        y, strip = y + thick, strips[role]
        if strip is not None and strip_rows:
            draw_limit_strip(canvas.rows(y, y + strip_rows), axis, strip, numbered)
            y += strip_rows
    if view.hides:
        room = canvas.width - axis.x
        notes = view.notes if strip_rows else view.notes[-1:]
        note = next((note for note in notes if len(note) <= room), "")
        canvas.write(y, axis.x, note, "faint")
    else:
        _draw_zopa(canvas, axis, y, view.zopa, view.equilibria)
    _draw_equilibria(canvas, axis, y, view)
    if view.broken_off:
        canvas.rows(y, y + 1).restyle("faint")
    draw_turns(canvas.rows(y + 2, canvas.height), axis, view.shown)


def _thickness(height: int, strips: int) -> tuple[int, int]:
    """Return the rows of a bar and those of a strip, on a canvas of this height."""
    rows = max(1, (height - 4) // 2)
    if not strips or height < PRICE_HEIGHT + strips:
        return min(_THICKEST, rows), 0
    if strips == 1:
        rows = max(2, (height - 4) // 3 * 2)
    thick = min(_THICKEST, rows // 2)
    return thick, min(_THICKEST, rows - thick)


def draw_turns(canvas: Canvas, axis: Axis, shown: Transcript) -> None:
    """Draw the last turns that have room, below their prices on the axis: offers and the end."""
    accept = shown.scenario.accept
    for y, turn in enumerate(shown.turns[max(0, len(shown.turns) - canvas.height) :]):
        canvas.write(y, 0, f"{turn.round + 1} {turn.role}", str(turn.role))
        if turn.price is None:
            canvas.write(y, axis.x, "walks away", "faint")
            continue
        deal = turn.action == accept
        text = f"◆ {turn.price} accepted" if deal else str(turn.price)
        canvas.write(y, axis.x, "·" * axis.width, "faint")
        x = axis.column(turn.price) - (0 if deal else len(text) // 2)
        x = max(axis.x, min(x, axis.x + axis.width - len(text)))
        canvas.write(y, x, text, "bold" if deal else f"{turn.role}-trail")


def _draw_bar(
    canvas: Canvas, view: PriceBarView, axis: Axis, role: Role, y: int, numbered: bool
) -> None:
    shown, acceptable = view.shown, view.range(role)
    low = axis.column(max(acceptable.minimum, axis.low))
    high = axis.column(min(acceptable.maximum, axis.high))
    ends = low, high + 1
    canvas.write(y, low, "·" * (high - low + 1), "faint")
    if view.zopa is not None:
        low, high = (axis.column(price) for price in view.zopa)
        canvas.write(y, low, "·" * (high - low + 1), f"{role}-range")
    turns = [turn for turn in shown.turns if turn.role is role and turn.price is not None]
    if view.cursor is not None and shown.position and shown.position.role is role:
        _draw_trail(canvas, axis, role, y, turns)
        column = axis.column(view.cursor)
        _draw_marker(canvas, ends, role, y, column, f"[{view.cursor}]", numbered)
    elif turns:
        _draw_trail(canvas, axis, role, y, turns[:-1])
        column = _sliding(view, axis, turns)
        _draw_marker(canvas, ends, role, y, column, f" {turns[-1].price} ", numbered)


def _draw_trail(canvas: Canvas, axis: Axis, role: Role, y: int, turns: list[Turn]) -> None:
    for age, turn in reversed(list(enumerate(reversed(turns)))):
        glyph = _TRAIL[min(age, len(_TRAIL) - 1)]
        canvas.write(y, axis.column(turn.price or 0), glyph, f"{role}-trail")


def _draw_marker(
    canvas: Canvas,
    ends: tuple[int, int],
    role: Role,
    y: int,
    column: int,
    text: str,
    numbered: bool,
) -> None:
    """Draw a price on its bar, between its ends; a thick bar has the number in its middle row."""
    x = max(ends[0], min(column - len(text) // 2, ends[1] - len(text)))
    canvas.write(y, x, text if numbered else " " * len(text), f"{role}-mark")


def _sliding(view: PriceBarView, axis: Axis, turns: list[Turn]) -> int:
    """Return the column of the marker, between the last two prices while it moves."""
    to = axis.column(turns[-1].price or 0)
    if len(turns) < 2 or view.shown.turns[-1] is not turns[-1]:
        return to
    start = axis.column(turns[-2].price or 0)
    return start + round((to - start) * view.progress)


def _draw_equilibria(canvas: Canvas, axis: Axis, y: int, view: PriceBarView) -> None:
    """Draw a mark below each price of an equilibrium."""
    for price in view.equilibria:
        canvas.write(y, axis.column(price), "▲", "bold")
    draw_theory(canvas, view)


def _draw_zopa(
    canvas: Canvas, axis: Axis, y: int, zopa: tuple[int, int] | None, marked: tuple[int, ...]
) -> None:
    """Draw a bracket under the prices that both accept, its text between the equilibria's marks."""
    if zopa is None:
        canvas.write(y, axis.x, "no zone of possible agreement", "faint")
        return
    x, end = (axis.column(price) for price in zopa)
    marks = {axis.column(price) for price in marked if zopa[0] <= price <= zopa[1]}
    left, right = x - (x in marks), end + (end in marks)  # the corners leave room for a mark
    canvas.write(y, left, "└" + "─" * max(0, right - left - 1) + "┘", "faint")
    stops = sorted({x, end, *marks})
    gaps = [(after - before - 1, before + 1) for before, after in itertools.pairwise(stops)]
    middle, most = (x + end + 1) / 2, max(gaps, default=(0, 0))[0]
    long = f" zone of possible agreement {zopa[0]} … {zopa[1]} "
    text = next((text for text in (long, " ZOPA ") if len(text) <= most), "")
    starts = [
        min(max(math.ceil(middle - len(text) / 2), left), left + gap - len(text))
        for gap, left in gaps
        if gap >= len(text)
    ]
    if starts:  # as near the middle as can be
        at = min(starts, key=lambda start: abs(start + len(text) / 2 - middle))
        canvas.write(y, at, text, "faint")
