"""Numbers along a row of the screen, such as prices: the column of each, and the scale."""

from collections.abc import Iterator, Sequence

from negotiation_tui.tui.toolkit.canvas import Canvas

LABELS = 12
"""Columns to the left of a price bar, for the name of a role and its last offer."""


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


def round_steps(first: int = 1) -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on, times `first`."""
    power = first
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10
