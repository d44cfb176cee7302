"""Prices over time beside the competitive price, and histograms of the money in the wallets."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.market import economics
from negotiation_tui.market.snapshot import Ints, MarketSetup, MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.chart import draw_counts
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import signed

_SHADES = " ░▒▓█"
_SHARES = (0.0, 0.05, 0.25, 0.5)
"""Share of a column's deals above which each shade is drawn."""
_WIDEST = 4
"""Most columns for one row of the history: a first tick does not fill the chart."""
_MOST = 40
"""Greatest number of columns of a histogram."""


def draw_prices(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a column per stretch of ticks: darker for more deals; ● is their mean."""
    snapshot = model.accounts
    setup, result = snapshot.setup, _last_row(snapshot)
    theory = f"◂ theory {competitive(setup)}"
    notes = f"● mean, ░▒▓█ more deals, {theory} (competitive)", f"● mean, {theory}", theory
    draw_heading(canvas, model, pane, "Prices per tick", *notes)
    prices = setup.scenario.prices
    axis = max(len(str(prices[0])), len(str(prices[-1]))) + 2
    height, width = canvas.height - 3, canvas.width - axis - 3
    if height < 2 or width < 2:
        canvas.write(1, 1, result, "faint")
        return
    grid = np.array(prices)
    shares = (grid - grid[0]) / (grid[-1] - grid[0])
    rows = np.rint((1 - shares) * (height - 1)).astype(np.int64)  # of each price
    for y in range(height):
        canvas.write(1 + y, axis, "│", "heading")
    for at in range(len(prices)) if len(prices) <= height else (0, -1):
        canvas.write(1 + rows[at], axis - 1 - len(str(prices[at])), str(prices[at]), "faint")
        canvas.write(1 + rows[at], axis, "┤", "heading")
    drawn = columns(snapshot.sold, width)
    _draw_deals(canvas, axis + 1, drawn, grid, rows, setup.competitive)
    for price in setup.competitive:
        share = min(max((price - grid[0]) / (grid[-1] - grid[0]), 0.0), 1.0)
        canvas.write(1 + round((1 - share) * (height - 1)), canvas.width - 2, "◂", "bold")
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


def columns(sold: Ints, width: int) -> Ints:
    """Sum the rows of deals per price into at most `width` columns, each of as many rows."""
    rows = len(sold)
    if rows <= width:
        return np.repeat(sold, min(_WIDEST, width // max(1, rows)), axis=0)
    return np.add.reduceat(sold, np.arange(0, rows, -(-rows // width)), axis=0)


def _draw_deals(
    canvas: Canvas, x: int, sold: Ints, grid: Ints, rows: Ints, theory: tuple[int, int]
) -> None:
    """Draw each column's deals as shades, and their mean; `rows` are those of the prices."""
    totals, height = sold.sum(1), int(rows[0]) + 1
    at_row = np.zeros((len(sold), height))
    for price, y in enumerate(rows):
        at_row[:, y] += sold[:, price]
    shares: NDArray[np.float64] = at_row / np.maximum(1, totals)[:, None]
    levels = (shares[..., None] > _SHARES).sum(-1)
    for y in range(height):
        nearest = len(rows) - 1 - int(np.argmin(np.abs(rows[::-1] - y)))
        shades = "".join(_SHADES[level] for level in levels[:, rows[nearest]])
        # A price above the competitive ones favours the sellers, below them the buyers.
        price = grid[nearest]
        style = "buyer" if price < theory[0] else "seller" if price > theory[1] else "normal"
        canvas.write(1 + y, x, shades, style)
    for n in np.flatnonzero(totals).tolist():
        mean = float(grid @ sold[n]) / float(totals[n])
        share = (mean - grid[0]) / (grid[-1] - grid[0])
        canvas.write(1 + round((1 - share) * (height - 1)), x + n, "●", "bold")


def _last_row(snapshot: MarketSnapshot) -> str:
    """Describe the deals in the last row of the history."""
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold
    last = sold[-1] if len(sold) else np.zeros(len(prices), np.int64)
    mean, spread = economics.mean_price(prices, last), economics.dispersion(prices, last)
    if mean is None or spread is None:
        return "last: no deals" if sold.any() else "no deals yet"
    return f"last {mean:.2f} ± {spread:.2f}"


def draw_wallets(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a histogram of the wallets of the sellers, the buyers and, if any, the teams."""
    snapshot, setup = model.accounts, model.accounts.setup
    note = f"money after {plural(snapshot.tick, 'tick')}"
    draw_heading(canvas, model, pane, "Wallets", note)
    alone, numbers = ~setup.in_team, np.arange(len(setup.agents))
    owners = {str(role): numbers[setup.of_role(role)] for role in Role}
    wallets = {name: setup.wallet_index[who[alone[who]]] for name, who in owners.items()}
    wallets["team"] = np.unique(setup.wallet_index[setup.in_team])
    groups = {name: snapshot.wallets[index] for name, index in wallets.items() if len(index)}
    rows = (canvas.height - 1) // len(groups)
    for n, (name, money) in enumerate(groups.items()):
        part = canvas.subcanvas(Rect(1 + n * rows, 0, rows, canvas.width))
        _draw_group(part, name, "bold" if name == "team" else name, money)


def _draw_group(canvas: Canvas, name: str, style: str, money: Ints) -> None:
    """Draw a label, the columns and the ends of the scale."""
    who, low, high = plural(len(money), name), int(money.min()), int(money.max())
    canvas.write(0, 1, who, style)
    if low == high:
        canvas.write(0, 3 + len(who), f"{'each ' * (len(money) > 1)}{signed(low)}")
        return
    canvas.write(0, 3 + len(who), f"mean {money.mean():+,.1f}".replace("-", "−"))
    width, height = canvas.width - 2, canvas.height - 2
    if height < 1:
        canvas.write_right(0, f"{signed(low)} … {signed(high)} ", "faint")
        return
    counts = histogram(money, width)
    right = 1 + width // len(counts) * len(counts)
    draw_counts(canvas, Rect(1, 1, height, right - 1), counts.tolist(), style)
    canvas.write_right(0, f"most {int(counts.max()):,} ", "faint")
    canvas.write(1 + height, 1, signed(low), "faint")
    x = max(len(signed(low)) + 3, right - len(signed(high)))
    canvas.write(1 + height, x, signed(high), "faint")


def histogram(money: Ints, width: int) -> Ints:
    """Count the wallets per bin, with as many bins as fit the width.

    All bins have the same size, so the last may reach beyond the greatest amount; bins of
    different sizes would draw false peaks.
    """
    most = width // -(-width // _MOST)
    low, amounts = int(money.min()), int(money.max() - money.min()) + 1
    each = -(-amounts // most)
    return np.bincount((money - low) // each, minlength=-(-amounts // each))
