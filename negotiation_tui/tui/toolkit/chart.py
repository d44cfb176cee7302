"""Charts: numbers along a row, bars in eighths of a cell, and curves over the cycles in dots. Pure.

A cell has 2 × 4 dots. Values that share a column of dots are averaged. A line ends where the next
value is unknown, so a gap in the data is a gap on the screen.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

LABELS = 12  # columns to the left of a price bar, for the name of a role and its last offer

_EIGHTHS = " ▁▂▃▄▅▆▇█"


class Axis:
    """Maps numbers to `width` columns from `x` on."""

    def __init__(self, low: int, high: int, x: int, width: int) -> None:
        self.low, self.high, self.x, self.width = low, high, x, max(1, width)

    def column(self, number: float) -> int:
        """Return the column of a number."""
        share = (number - self.low) / (self.high - self.low)
        return self.x + round(share * (self.width - 1))


def draw_scale(canvas: Canvas, axis: Axis, numbers: Sequence[int], y: int) -> list[int]:
    """Write as many numbers as fit on row `y`, both ends always; return their columns."""
    low, high = numbers[0], numbers[-1]
    widest = max(len(str(low)), len(str(high))) + 3
    fitting = max(2, axis.width // widest)
    step = next(step for step in round_steps() if (high - low) / step < fitting)
    marks = numbers if len(numbers) <= fitting else range(-(-low // step) * step, high + 1, step)
    taken, columns = -1, []
    for number in (low, *marks, high):
        text, column = str(number), axis.column(number)
        x = min(column - len(text) // 2, canvas.width - len(text))
        if x > taken:
            canvas.write(y, x, text)
            taken = x + len(text)
            columns.append(column)
    return columns


def draw_axes(
    canvas: Canvas, x: int, foot: int, width: int, labels: Iterable[tuple[int, str]]
) -> None:
    """Draw an axis at column `x` from row 1 on, with labels at rows, and one across its foot."""
    for y in range(1, foot):
        canvas.write(y, x, "│", "heading")
    canvas.write(foot, x, "└" + "─" * width, "heading")
    for y, text in labels:
        canvas.write(y, x - 1 - len(text), text, "faint")
        canvas.write(y, x, "┤" if y < foot else "┼", "heading")


def round_steps() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def upright_bar(eighths: int, rows: int) -> list[str]:
    """Return the cells of an upright bar, from the top row down."""
    return [_EIGHTHS[max(0, min(8, eighths - 8 * below))] for below in reversed(range(rows))]


def draw_counts(canvas: Canvas, area: Rect, counts: Sequence[int], style: str) -> None:
    """Draw counts as columns that start at zero, the greatest as high as the area.

    If there is room a count fills several columns. A count above 0 is at least an eighth high.
    """
    each, most = area.width // max(1, len(counts)), max(counts, default=0)
    if not each or not most:
        return
    full = 8 * area.height
    levels = [max(1, round(n / most * full)) if n else 0 for n in counts for _ in range(each)]
    columns = [upright_bar(level, area.height) for level in levels]
    for y, cells in enumerate(zip(*columns, strict=True)):
        canvas.write(area.y + y, area.x, "".join(cells), style)


Bools = NDArray[np.bool_]
_WIDE, _HIGH = 2, 4
_DOTS = np.array([[1, 8], [2, 16], [4, 32], [64, 128]], np.uint8)
"""The bit of each dot of a cell in the number of its character."""
BRAILLE = "".join(map(chr, range(0x2800, 0x2900)))
BLOCKS = "".join(" ▀▄█"[bool(dots & 27) + 2 * bool(dots & 228)] for dots in range(256))
"""Characters for the halves of a cell, which the fonts of every console of Windows have."""
DOTS = BLOCKS if sys.platform == "win32" else BRAILLE
_SOLID, _BROKEN = "─", "┄"
_SPOKEN = 6  # the most values of a curve in words
_COLUMN = 36  # least width of one of several columns of charts
LEAST_HEIGHT = 5  # rows of the smallest chart: its name, three rows of curves, and the axis
_ON_AXIS = 2  # rows of dots of a curve on the axis, whose line is in the middle of its cells


class Curve(NamedTuple):
    """Values at some cycles."""

    names: Sequence[str]  # its name, in long and short forms; empty to leave it out
    x: Ints  # numbers of cycles, from 1, increasing
    y: Floats  # the value at each; none is NaN
    joined: Bools  # true if the line goes on from the value before; the first is False
    style: str = "normal"
    broken: bool = False
    """True for a broken line, which tells a curve from a solid one without colour."""


class Scale(NamedTuple):
    """The values from the bottom to the top of a chart."""

    low: float
    high: float
    text: Callable[[float], str]  # writes a value
    step: float = 0.0  # the least distance of two labels


class Chart(NamedTuple):
    """Curves on one scale."""

    names: Sequence[str]  # the name of the quantity, in long and short forms
    scale: Scale
    curves: Sequence[Curve]
    levels: Sequence[float] = ()  # values to mark by dashed lines


def curve(names: Sequence[str], x: Ints, y: Floats, reach: int, style: str, broken: bool) -> Curve:
    """Return the curve of the known values, joined over at most `reach` cycles."""
    defined = ~np.isnan(y)
    x, y = x[defined], y[defined]
    return Curve(names, x, y, np.diff(x, prepend=-reach) <= reach, style, broken)


def chart_words(charts: Iterable[Chart]) -> Iterator[str]:
    """Yield the name of each chart, and a few values of each curve, with the first and the last."""
    for chart in charts:
        yield chart.names[0]
        for each in chart.curves:
            last = len(each.x) - 1
            some = sorted({last * n // (_SPOKEN - 1) for n in range(_SPOKEN)} if last >= 0 else ())
            values = (f"{chart.scale.text(float(each.y[n]))} in cycle {each.x[n]:,}" for n in some)
            yield ": ".join(filter(None, (*each.names[:1], ", ".join(values))))


def draw_charts(
    canvas: Canvas, charts: Sequence[Chart], cycles: int, columns: int = 1, left: int = 0
) -> None:
    """Draw as many charts as have room, from cycle 1 to `cycles`, in at most `columns`.

    The axis of each is in its column `left`, or further right if its labels need that.
    """
    columns = max(1, min(columns, len(charts), canvas.width // _COLUMN))
    rows = min(-(-len(charts) // columns), most_rows(canvas))
    width = canvas.width // columns
    ends = [round(n * (canvas.height - 1) / rows) for n in range(rows + 1)]
    for n, chart in enumerate(charts[: rows * columns]):
        y, x = n // columns, n % columns * width
        last = y == rows - 1 or n + columns >= len(charts)
        height = ends[y + 1] - ends[y]
        part = Rect(ends[y], x, height + last, width - 2 * (columns > 1))
        draw_chart(canvas.subcanvas(part), chart, cycles, last, left)


def most_rows(canvas: Canvas) -> int:
    return max(1, (canvas.height - 1) // LEAST_HEIGHT)


def draw_chart(canvas: Canvas, chart: Chart, cycles: int, labelled: bool, left: int = 0) -> None:
    """Draw a chart from its names down to the axis; `labelled` adds a row of cycles."""
    height = canvas.height - 2 - labelled
    labels = _labels(chart.scale, max(1, height))
    left = max(left, *(len(text) + 1 for _, text in labels))
    width = canvas.width - left - 1
    names = (line for line in _namings(chart) if sum(len(text) for text, _ in line) <= canvas.width)
    canvas.write_parts(0, 0, next(names, ()))
    if height < 1 or width < 2:
        return
    axis = Axis(1, max(2, cycles), left + 1, width)
    foot = height + 1
    draw_axes(canvas, left, foot, width, [(1 + y, text) for y, text in labels])
    if labelled:
        for x in draw_scale(canvas, axis, range(1, max(2, cycles) + 1), foot + 1):
            canvas.write(foot, x, "┬", "heading")
    plot = canvas.subcanvas(Rect(1, left + 1, height + 1, width))
    for level in chart.levels:
        plot.write(_row(chart.scale, level, height), 0, "─ " * (width // 2), "faint")
    if chart.scale.low < 0 < chart.scale.high:
        plot.write(_row(chart.scale, 0.0, height), 0, "─" * width, "heading")
    _draw_curves(plot, chart, cycles)


def _row(scale: Scale, value: float, height: int) -> int:
    """Return the row of a value, the same as that of its dots; that of the lowest is the axis."""
    dots = _HIGH * height + _ON_AXIS
    share = (scale.high - value) / (scale.high - scale.low)
    return round(min(1.0, max(0.0, share)) * (dots - 1)) // _HIGH


def _labels(scale: Scale, height: int) -> list[tuple[int, str]]:
    """Return rows and texts beside the axis: values in even steps from end to end."""
    span, few = scale.high - scale.low, max(1, height // 2)
    smallest = scale.step or 10.0 ** (math.floor(math.log10(span)) - 2)
    steps = (n * smallest for n in round_steps())
    step = next(s for s in steps if (span / s <= few and _whole(span / s)) or s >= span)
    number = round(span / step) if _whole(span / step) else 1
    values = [scale.low + span * n / number for n in range(number + 1)]
    return [(_row(scale, value, height), scale.text(float(value))) for value in values]


def _whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-9


def _namings(chart: Chart) -> Iterator[list[tuple[str, str]]]:
    """Yield the names of a chart as texts and styles, the most telling first."""
    curves = [each for each in chart.curves if each.names]
    yes_no, lengths = (True, False), (0, -1)
    for with_values, with_marks, length, gap in product(yes_no, yes_no, lengths, (2, 1)):
        for name in chart.names:
            line = [(name, "normal")]
            for each in curves:
                mark = (_BROKEN if each.broken else _SOLID) if len(curves) > 1 else ""
                value = chart.scale.text(float(each.y[-1])) if with_values and len(each.y) else ""
                words = (mark * with_marks, each.names[length], value)
                line += [(" " * gap, "normal"), (" ".join(filter(None, words)), each.style)]
            yield line
    yield [(chart.names[-1], "normal")]


def _draw_curves(canvas: Canvas, chart: Chart, cycles: int) -> None:
    """Draw all curves; a cell with dots of several has the style of none."""
    number, rows = len(chart.curves), (canvas.height - 1) * _HIGH + _ON_AXIS
    # A blank column at the right separates the runs of one row from those of the next.
    shape = number, canvas.height, _HIGH, canvas.width + 1, _WIDE
    found = np.zeros(shape, np.bool_)
    plots = found.reshape(number, canvas.height * _HIGH, -1)[:, :rows, :-_WIDE]
    for plot, each in zip(plots, chart.curves, strict=True):
        plot[:] = dots(each, chart.scale, cycles, rows, canvas.width * _WIDE)
    codes = (found.any(axis=0) * _DOTS[:, None]).sum(axis=(1, 3))
    text = "".join(map(DOTS.__getitem__, codes.ravel().tolist()))
    has_dots = found.any(axis=(2, 4)).reshape(number, -1)
    owner = np.where(has_dots.sum(axis=0) > 1, number, has_dots.argmax(axis=0))
    owner = np.where(has_dots.any(axis=0), owner, -1)
    styles = [*(each.style for each in chart.curves), "bold"]
    for begin, end in pairwise(np.flatnonzero(np.diff(owner, prepend=-1)).tolist()):
        if owner[begin] >= 0:
            y, x = divmod(begin, shape[3])
            canvas.write(y, x, text[begin:end], styles[owner[begin]])


def dots(curve: Curve, scale: Scale, cycles: int, height: int, width: int) -> Bools:
    """Return the dots of a curve, shape (height, width), the highest values first."""
    if not len(curve.x):
        return np.zeros((height, width), np.bool_)
    x, y, joined = _averaged(curve, cycles, width)
    done = np.clip((x - 1) / max(1, cycles - 1), 0, 1)
    column = np.rint(done * (width - 1)).astype(np.int64)
    share = (scale.high - y) / (scale.high - scale.low)
    row = np.clip(share, 0, 1) * (height - 1)
    # The line between two columns is drawn if it lies between two values that are joined.
    ends = np.zeros(width, np.int64)
    np.add.at(ends, column[:-1][joined[1:]], 1)
    np.add.at(ends, column[1:][joined[1:]], -1)
    line = np.cumsum(ends)[:-1] > 0
    at = np.rint(np.interp(np.arange(width), column, row)).astype(np.int16)
    middle = (at[:-1] + at[1:]) // 2
    left = np.append(at[:1], np.where(line, middle, at[1:]))
    right = np.append(np.where(line, middle, at[:-1]), at[-1:])
    drawn = np.append(line, False) | np.append(False, line)
    if curve.broken:
        drawn &= np.arange(width) % (2 * _WIDE) < _WIDE
    drawn[column[~joined]] = True  # a value on its own, too
    near, rows = np.stack([at, left, right]), np.arange(height)[:, None]
    return np.asarray(drawn & (rows >= near.min(axis=0)) & (rows <= near.max(axis=0)))


def _averaged(curve: Curve, cycles: int, width: int) -> tuple[Floats, Floats, Bools]:
    """Return the means over stretches of equally many cycles, at most `width` of them.

    Two learners take turns, so a stretch of several cycles has an even number of them.
    """
    each = -(-cycles // width)
    each += each % 2 if each > 1 else 0
    begins = np.flatnonzero(np.diff((curve.x - 1) // each, prepend=-1))
    sizes = np.diff(begins, append=len(curve.x))
    x, y = (np.add.reduceat(values, begins) / sizes for values in (curve.x, curve.y))
    return x, y, curve.joined[begins]
