"""Parts of charts: numbers along a row of the screen, and bars in steps of an eighth of a cell."""

from collections.abc import Iterable, Iterator, Sequence

from negotiation_tui.tui.toolkit.canvas import Canvas, Rect

LABELS = 12
"""Columns to the left of a price bar, for the name of a role and its last offer."""

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
    """Write as many numbers as fit on row `y`, at round steps, always with both ends.

    Return the columns that they stand for.
    """
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
