"""A strip on the axis of prices: how likely each hidden limit of a role is to the other role.

The likeliest limit has the highest bar. A limit that was ruled out is a dot.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.tui.toolkit.axis import LABELS, Axis
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.palettes import HEIGHTS
from negotiation_tui.tui.widgets.words import percent

_LEAST, _MOST = 3, 16
"""Columns of a bar with its label and number."""
_NUMBER = len(" 100 %")
_FULL = "█"


@dataclass(frozen=True, slots=True)
class LimitStrip:
    """The hidden limits of a role, and what is known of the one that was drawn."""

    role: Role
    limits: tuple[int, ...]
    belief: Belief | None
    """The belief of the other role, None if it is not known."""
    drawn: int | None = None
    """The limit that was drawn, None while it is not shown."""
    unknown: str = "not known"
    """The reason why there is no belief."""


class _Bar(NamedTuple):
    """The place of a bar, and the limits that it stands for."""

    x: int
    limits: range


class _Bars(NamedTuple):
    """All bars of a strip, of one width."""

    width: int
    all: tuple[_Bar, ...]
    label: int
    """Columns of the limit beside each bar; 0 if the scale above says it, or without room."""

    @property
    def number(self) -> int:
        """The columns of the probability beside each bar, 0 without room."""
        return _NUMBER if self.width >= self.label + _NUMBER + _LEAST else 0


def draw_limit_strip(
    canvas: Canvas, axis: Axis, strip: LimitStrip, numbered: Sequence[int] = ()
) -> None:
    """Draw the strip on all rows of a canvas; `numbered` are the columns with a price above."""
    foot = canvas.height - 1
    canvas.write(foot, 0, " limit" if strip.drawn is not None else " limit?", "faint")
    bars = _bars(canvas, axis, strip.limits, numbered)
    if strip.belief is None:
        canvas.write(foot, axis.x, strip.unknown, "faint")
        if strip.drawn is not None:
            canvas.write(foot, axis.x + len(strip.unknown) + 2, f" {strip.drawn} ", _marked(strip))
        return
    chances = strip.belief.chances
    most = float(chances.max())
    for bar in bars.all:
        chance = float(chances[bar.limits.start : bar.limits.stop].sum())
        _draw_bar(canvas, strip, bars, bar, chance, min(1.0, chance / most))


def _bars(canvas: Canvas, axis: Axis, limits: Sequence[int], numbered: Sequence[int]) -> _Bars:
    """Return bars at the prices of the limits; where these are too near, side by side."""
    end = canvas.width - 1
    columns = [axis.column(min(max(limit, axis.low), axis.high)) for limit in limits]
    longest = max(len(str(limit)) for limit in limits) + 1
    said = axis.low <= limits[0] and limits[-1] <= axis.high and {*columns} <= {*numbered}
    for width in range(_MOST, _LEAST - 1, -1):
        starts = [min(max(column - width // 2, LABELS), end - width) for column in columns]
        if all(start + width < after for start, after in pairwise(starts)):
            break
    else:
        said, step = False, axis.width / len(limits)
        if step < _LEAST:  # several limits may share a column
            firsts = [math.ceil(column / step) for column in range(axis.width + 1)]
            bars = [_Bar(axis.x + x, range(*ends)) for x, ends in enumerate(pairwise(firsts))]
            return _Bars(1, tuple(bar for bar in bars if bar.limits), 0)
        width, starts = int(step) - 1, [axis.x + int(n * step) for n in range(len(limits))]
    label = 0 if said or width < longest + 1 else longest
    return _Bars(width, tuple(_Bar(x, range(n, n + 1)) for n, x in enumerate(starts)), label)


def _draw_bar(
    canvas: Canvas, strip: LimitStrip, bars: _Bars, bar: _Bar, chance: float, height: float
) -> None:
    """Draw a bar over all rows; beside its foot are its limit and its number, if there is room."""
    foot, x = canvas.height - 1, bar.x + bars.label
    width = bars.width - bars.label - bars.number
    drawn = strip.drawn is not None and strip.limits.index(strip.drawn) in bar.limits
    if bars.label and not drawn:
        canvas.write(foot, bar.x, str(strip.limits[bar.limits.start]), "faint")
    if chance:
        number = "<1 %" if chance < 0.005 else percent(chance)
        canvas.write(foot, x + width, f" {number}"[: bars.number], "faint")
    else:
        canvas.write(foot, bar.x + bars.width // 2, "·", "faint")
    eighths = math.ceil(height * 8 * canvas.height)
    for row in range(canvas.height):
        filled = min(8, eighths - 8 * row)
        if filled > 0:
            glyph = _FULL if filled == 8 else HEIGHTS[filled - 1]
            canvas.write(foot - row, x, glyph * width, f"{strip.role}-range")
    if drawn:
        text = f" {strip.drawn} "
        at = bar.x if bars.label else max(LABELS, x + (width - len(text)) // 2)
        canvas.write(foot, min(at, canvas.width - len(text)), text, _marked(strip))


def _marked(strip: LimitStrip) -> str:
    return f"{strip.role}-mark"
