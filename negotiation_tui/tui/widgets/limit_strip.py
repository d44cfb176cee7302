"""The strip of a role's hidden limits: how likely each one is to the other role.

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

_LEAST, _MOST = 3, 7  # columns of a bar
NUMBER = len(" 100%")  # columns of a probability beside a bar
_NAMES = {Role.SELLER: "cost", Role.BUYER: "worth"}


class LimitStrip(NamedTuple):
    """The hidden limits of a role, and what is known of the one that was drawn."""

    role: Role
    limits: tuple[int, ...]
    belief: Belief | None  # the belief of the other role, None if it is not known
    drawn: int | None = None  # the limit that was drawn, None while it is not shown
    unknown: str = "not known"  # the reason why there is no belief

    @property
    def words(self) -> str:
        """The chance of each limit that is possible, or the reason why it is not known."""
        name = _NAMES[self.role]
        if self.belief is None:
            return f"{name}: {self.unknown}" * (self.drawn is None)
        chances = zip(self.limits, self.belief.chances.tolist(), strict=True)
        each = ", ".join(f"{limit} {_percent(chance)}" for limit, chance in chances if chance)
        return f"how likely each {name} is: {each}"


class _Bars(NamedTuple):
    """All bars of a strip: each may have its limit before it and a number beside it."""

    limits: dict[int, range]
    """The indices of the limits of which a bar shows the likeliest, by its first column."""
    width: int
    label: int = 0  # columns of the limit; 0 if the scale above says it, or without room
    number: int = 0  # columns of the probability, 0 without room


def draw_limit_strip(
    canvas: Canvas, axis: Axis, strip: LimitStrip, numbered: Sequence[int] = ()
) -> None:
    """Draw the strip on all rows of a canvas; `numbered` are the columns with a price above."""
    foot = canvas.height - 1
    name = _NAMES[strip.role]
    canvas.write(foot, 0, f" {name}" if strip.drawn is not None else f" {name}?", str(strip.role))
    bars = _bars(canvas, axis, strip.limits, numbered)
    if strip.belief is not None:
        most = float(strip.belief.chances.max())
        for x, limits in bars.limits.items():
            chance = float(strip.belief.chances[limits.start : limits.stop].max())
            if bars.label:
                canvas.write(foot, x - bars.label, str(strip.limits[limits.start]), "faint")
            if not chance:
                canvas.write(foot, x + bars.width // 2, "·", "faint")
            elif bars.number:
                canvas.write(foot, x + bars.width + 1, _percent(chance), "faint")
            eighths = math.ceil(chance / most * 8 * canvas.height)
            for y, glyph in enumerate(upright_bar(eighths, canvas.height)):
                canvas.write(y, x, glyph.strip() * bars.width, f"{strip.role}-range")
    elif strip.drawn is None:
        canvas.write(foot, axis.x, strip.unknown, "faint")
    if strip.drawn is not None:
        index, text = strip.limits.index(strip.drawn), f" {strip.drawn} "
        at = next(x for x, limits in bars.limits.items() if index in limits)
        x = max(LABELS, at + bars.width // 2 - len(text) // 2)
        x = at - bars.label if bars.label else x
        canvas.write(foot, min(x, canvas.width - len(text)), text, f"{strip.role}-mark")


def _percent(chance: float) -> str:
    return "<1%" if chance < 0.005 else f"{chance * 100:.0f}%"


def _bars(canvas: Canvas, axis: Axis, limits: Sequence[int], numbered: Sequence[int]) -> _Bars:
    """Return bars at the prices of the limits; where these are too near, side by side."""
    columns = [axis.column(min(max(limit, axis.low), axis.high)) for limit in limits]
    said = axis.low <= limits[0] and limits[-1] <= axis.high and {*columns} <= {*numbered}
    longest, each = max(len(str(limit)) for limit in limits) + 1, range(len(limits))
    single = [range(n, n + 1) for n in each]
    beside = [(longest * (not said), NUMBER), (longest * (not said), 0), (0, 0)]
    for (label, number), width in product(beside, range(_MOST, _LEAST - 1, -1)):
        last = canvas.width - width - number
        starts = [min(max(LABELS + label, x - width // 2), last) for x in columns]
        room = label + width + (number or 1)  # a number has a blank of its own
        if all(after - x >= room for x, after in pairwise(starts)):
            return _Bars(dict(zip(starts, single, strict=True)), width, label, number)
    step = axis.width / len(limits)
    if step >= _LEAST + 1:
        label = longest if step > longest + _LEAST else 0
        starts = [axis.x + int(n * step) + label for n in each]
        width = min(_MOST, int(step) - label - 1)
        return _Bars(dict(zip(starts, single, strict=True)), width, label)
    firsts = [-(-column * len(limits) // axis.width) for column in range(axis.width + 1)]
    shared = {axis.x + x: range(*ends) for x, ends in enumerate(pairwise(firsts))}
    return _Bars({x: some for x, some in shared.items() if some}, 1)
