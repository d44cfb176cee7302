"""Prices over time: mean and spread of the deals' prices, and the competitive price."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.market import economics
from negotiation_tui.market.snapshot import MarketSetup, MarketSnapshot
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading

_SHADES = " ░▒▓█"
_SHARES = (0.0, 0.05, 0.25, 0.5)
"""Share of a column's deals above which each shade is drawn."""
_WIDEST = 4
"""Most columns for one row of the history: a first tick does not fill the chart."""


def draw_prices(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a column per stretch of ticks: darker for more deals; ● is their mean."""
    snapshot = model.accounts
    setup = snapshot.setup
    low, high = setup.competitive
    result = _last_row(snapshot)
    theory = f"◂ theory {competitive(setup)}"
    notes = f"● mean, ░▒▓█ more deals, {theory} (competitive)", f"● mean, {theory}", theory
    draw_heading(canvas, model, pane, "Prices per tick", *notes)
    prices = setup.scenario.prices
    axis = max(len(str(prices[0])), len(str(prices[-1]))) + 2
    height, width = canvas.height - 3, canvas.width - axis - 3
    if height < 2 or width < 2:
        canvas.write(1, 1, result, "faint")
        return
    bins = _Bins(prices, height)
    for y in range(height):
        canvas.write(1 + y, axis, "│", "heading")
    for y, text in bins.labels:
        canvas.write(1 + y, axis - 1 - len(text), text, "faint")
        canvas.write(1 + y, axis, "┤", "heading")
    drawn = columns(snapshot.sold, width)
    _draw_deals(canvas, bins, axis + 1, drawn, setup.competitive)
    for price in {low, high}:
        canvas.write(1 + bins.row(price), canvas.width - 2, "◂", "bold")
    canvas.write(1 + height, axis, "└" + "─" * width, "heading")
    first, last = "tick 1", f"{snapshot.tick:,}"
    canvas.write(2 + height, axis + 1, first, "faint")
    x = axis + 3 + len(first)
    if snapshot.tick > 1:  # below the last column
        end = max(x, axis + 1 + len(drawn) - len(last))
        canvas.write(2 + height, end, last, "faint")
        if end - x < len(result) + 2:
            x = end + len(last) + 2
    if x + len(result) < canvas.width:
        canvas.write(2 + height, x, result, "faint")


def competitive(setup: MarketSetup) -> str:
    """Return the competitive price, or the prices between which it lies."""
    low, high = setup.competitive
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


class _Bins:
    """Prices as rows of the screen, the highest on top."""

    def __init__(self, prices: tuple[int, ...], height: int) -> None:
        self.prices, self.height = np.array(prices), height
        self._low, self._span = prices[0], prices[-1] - prices[0]
        shown = [*prices] if len(prices) <= height else [prices[0], prices[-1]]
        self.labels = [(self.row(price), str(price)) for price in shown]
        self.rows = np.array([self.row(price) for price in prices])
        nearest = np.argmin(np.abs(self.rows[::-1, None] - np.arange(height)), axis=0)
        self.shown = self.prices[::-1][nearest]
        """The price nearest to each row."""

    def row(self, price: float) -> int:
        """Return the row of a price, the outermost for a price beyond the grid."""
        share = (price - self._low) / self._span
        return round((1 - min(max(share, 0.0), 1.0)) * (self.height - 1))


def columns(sold: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Sum the rows of deals per price into at most `width` columns, each of as many rows."""
    rows = len(sold)
    if rows <= width:
        return np.repeat(sold, min(_WIDEST, width // max(1, rows)), axis=0)
    each = -(-rows // width)
    return np.add.reduceat(sold, np.arange(0, rows, each), axis=0)


def _draw_deals(
    canvas: Canvas, bins: _Bins, x: int, sold: NDArray[np.int64], competitive: tuple[int, int]
) -> None:
    """Draw each column's deals as shades, and their mean."""
    totals = sold.sum(1)
    at_row = np.zeros((len(sold), bins.height))
    for price, y in enumerate(bins.rows):
        at_row[:, y] += sold[:, price]
    shares = at_row / np.maximum(1, totals)[:, None]
    levels = (shares[..., None] > _SHARES).sum(-1)
    for y, price in enumerate(bins.shown.tolist()):
        shades = "".join(_SHADES[level] for level in levels[:, bins.row(price)])
        # A price above the competitive ones favours the sellers, below them the buyers.
        low, high = competitive
        style = "buyer" if price < low else "seller" if price > high else "normal"
        canvas.write(1 + y, x, shades, style)
    for n in np.flatnonzero(totals).tolist():
        mean = float(bins.prices @ sold[n]) / float(totals[n])
        canvas.write(1 + bins.row(mean), x + n, "●", "bold")


def _last_row(snapshot: MarketSnapshot) -> str:
    """Describe the deals in the last row of the history."""
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold
    last = sold[-1] if len(sold) else np.zeros(len(prices), np.int64)
    mean, spread = economics.mean_price(prices, last), economics.dispersion(prices, last)
    if mean is None or spread is None:
        return "last: no deals" if sold.any() else "no deals yet"
    return f"last {mean:.2f} ± {spread:.2f}"
