"""A strip on the axis of prices: how likely each hidden limit of a role is to the other role.

The likeliest limit has the highest bar. A limit that was ruled out is a dot.
"""

import math
from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import LABELS, Axis, upright_bar

_LEAST, _MOST = 3, 7
"""Columns of a bar."""
NUMBER = len(" 100 %")
"""Columns of a probability beside a bar."""


class LimitStrip(NamedTuple):
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
    """The place of a bar, and the indices of the limits of which it shows the likeliest."""

    x: int
    limits: range


class _Bars(NamedTuple):
    """All bars of a strip: each may have its limit before it and a number beside it."""

    width: int
    all: tuple[_Bar, ...] = ()
    label: int = 0
    """Columns of the limit; 0 if the scale above says it, or without room."""
    number: int = 0
    """Columns of the probability, 0 without room."""


def draw_limit_strip(
    canvas: Canvas, axis: Axis, strip: LimitStrip, numbered: Sequence[int] = ()
) -> None:
    """Draw the strip on all rows of a canvas; `numbered` are the columns with a price above."""
    foot = canvas.height - 1
    canvas.write(foot, 0, " limit" if strip.drawn is not None else " limit?", "faint")
    bars = _bars(canvas, axis, strip.limits, numbered)
    if strip.belief is not None:
        chances = strip.belief.chances
        most = float(chances.max())
        for bar in bars.all:
            chance = float(chances[bar.limits.start : bar.limits.stop].max())
            _draw_bar(canvas, strip, bars, bar, chance, chance / most)
    elif strip.drawn is None:
        canvas.write(foot, axis.x, strip.unknown, "faint")
    if strip.drawn is not None:
        _mark(canvas, strip, bars)


def _bars(canvas: Canvas, axis: Axis, limits: Sequence[int], numbered: Sequence[int]) -> _Bars:
    """Return bars at the prices of the limits; where these are too near, side by side."""
    columns = [axis.column(min(max(limit, axis.low), axis.high)) for limit in limits]
    said = axis.low <= limits[0] and limits[-1] <= axis.high and {*columns} <= {*numbered}
    longest = max(len(str(limit)) for limit in limits) + 1
    beside = [(longest * (not said), NUMBER), (longest * (not said), 0), (0, 0)]
    for (label, number), width in product(beside, range(_MOST, _LEAST - 1, -1)):
        last = canvas.width - width - number
        starts = [min(max(LABELS + label, x - width // 2), last) for x in columns]
        room = label + width + (number or 1)  # a number has a blank of its own
        if all(after - x >= room for x, after in pairwise(starts)):
            return _Bars(width, _one_each(starts), label, number)
    step = axis.width / len(limits)
    if step >= _LEAST + 1:
        label = longest if step > longest + _LEAST else 0
        starts = [axis.x + int(n * step) + label for n in range(len(limits))]
        return _Bars(min(_MOST, int(step) - label - 1), _one_each(starts), label)
    firsts = [-(-column * len(limits) // axis.width) for column in range(axis.width + 1)]
    shared = (_Bar(axis.x + x, range(*ends)) for x, ends in enumerate(pairwise(firsts)))
    return _Bars(1, tuple(bar for bar in shared if bar.limits))


def _one_each(starts: Sequence[int]) -> tuple[_Bar, ...]:
    """Return a bar per limit from its first column."""
    return tuple(_Bar(x, range(n, n + 1)) for n, x in enumerate(starts))


def _draw_bar(
    canvas: Canvas, strip: LimitStrip, bars: _Bars, bar: _Bar, chance: float, height: float
) -> None:
    """Draw a bar over all rows; beside its foot are its limit and its number, if there is room."""
    foot, x, width = canvas.height - 1, bar.x, bars.width
    if bars.label:
        canvas.write(foot, x - bars.label, str(strip.limits[bar.limits.start]), "faint")
    if not chance:
        canvas.write(foot, x + width // 2, "·", "faint")
    elif bars.number:
        number = "<1 %" if chance < 0.005 else f"{chance * 100:.0f} %"
        canvas.write(foot, x + width + 1, number, "faint")
    for y, glyph in enumerate(upright_bar(math.ceil(height * 8 * canvas.height), canvas.height)):
        if glyph != " ":
            canvas.write(y, x, glyph * width, f"{strip.role}-range")


def _mark(canvas: Canvas, strip: LimitStrip, bars: _Bars) -> None:
    """Mark the limit that was drawn, over its bar."""
    assert strip.drawn is not None
    index, text = strip.limits.index(strip.drawn), f" {strip.drawn} "
    bar = next(bar for bar in bars.all if index in bar.limits)
    x = max(LABELS, bar.x + bars.width // 2 - len(text) // 2)
    x = bar.x - bars.label if bars.label else x
    canvas.write(canvas.height - 1, min(x, canvas.width - len(text)), text, f"{strip.role}-mark")
