"""The economics of a market: competitive price, surplus, efficiency, dispersion, convergence."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def competitive_range(costs: Sequence[int], values: Sequence[int]) -> tuple[int, int]:
    """Return the lowest and the highest price at which supply equals demand, one unit per agent.

    If no pair can gain by trading, the range goes from the highest value to the lowest cost.
    """
    supply, demand = sorted(costs), sorted(values, reverse=True)
    traded = sum(cost < value for cost, value in zip(supply, demand, strict=False))
    low = [*supply[traded - 1 : traded], *demand[traded : traded + 1]]
    high = [*demand[max(0, traded - 1) : traded], *supply[traded : traded + 1]]
    if traded == 0:
        low, high = demand[:1], supply[:1]
    return max(low), min(high)


def maximum_surplus(costs: Sequence[int], values: Sequence[int]) -> NDArray[np.int64]:
    """Return the greatest sum of value − cost in at most 0, 1, … deals, one per agent."""
    n = min(len(costs), len(values))
    supply = np.sort(np.asarray(costs, np.int64))[:n]
    demand = np.sort(np.asarray(values, np.int64))[::-1][:n]
    return np.append(0, np.maximum(demand - supply, 0).cumsum())


def efficiency(surplus: float, possible: int) -> float | None:
    """Return surplus / possible (Gode and Sunder 1993), at most 1; None if 0 is possible."""
    return surplus / possible if possible else None


def mean_price(prices: Sequence[int], sold: NDArray[np.int64]) -> float | None:
    """Return the mean price of `sold[i]` deals at each `prices[i]`; None without deals."""
    n = int(sold.sum())
    return float(np.asarray(prices, np.float64) @ sold) / n if n else None


def dispersion(prices: Sequence[int], sold: NDArray[np.int64]) -> float | None:
    """Return the standard deviation of the deals' prices; None without deals."""
    mean = mean_price(prices, sold)
    return None if mean is None else _deviation(prices, sold, mean)


def convergence(prices: Sequence[int], sold: NDArray[np.int64], competitive: float) -> float | None:
    """Return Smith's α = 100·σ₀/P₀ (1962) around the competitive price P₀; None if undefined."""
    if competitive <= 0 or not sold.any():
        return None
    return 100 * _deviation(prices, sold, competitive) / competitive


def _deviation(prices: Sequence[int], sold: NDArray[np.int64], centre: float) -> float:
    squares = (np.asarray(prices, np.float64) - centre) ** 2
    return float(np.sqrt(squares @ sold / sold.sum()))
