"""Prices along a row of the screen: the column of each, and the scale above."""

from negotiation_tui.tui.toolkit.canvas import Canvas

LABELS = 8
"""Columns to the left of a price bar, for the name of a role."""


class Axis:
    """Maps prices to `width` columns from `x` on."""

    def __init__(self, low: int, high: int, x: int, width: int) -> None:
        self.low, self.high, self.x, self.width = low, high, x, max(1, width)

    def column(self, price: float) -> int:
        """Return the column of a price."""
        share = (price - self.low) / (self.high - self.low)
        return self.x + round(share * (self.width - 1))


def draw_scale(canvas: Canvas, axis: Axis, prices: tuple[int, ...], y: int) -> None:
    """Write as many prices as fit on row `y`, at round steps, always with both ends."""
    widest = max(len(str(prices[0])), len(str(prices[-1]))) + 3
    fitting = max(2, axis.width // widest)
    steps = (base * 10**power for power in range(7) for base in (1, 2, 5))
    step = next(s for s in steps if (prices[-1] - prices[0]) / s < fitting)
    few = len(prices) <= fitting
    marks = prices if few else [p for p in range(prices[0], prices[-1] + 1) if p % step == 0]
    taken = -1
    for price in (prices[0], *marks, prices[-1]):
        text = str(price)
        x = min(axis.column(price) - len(text) // 2, canvas.width - len(text))
        if x > taken:
            canvas.write(y, x, text)
            taken = x + len(text)
