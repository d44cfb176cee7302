"""Competitive price, surplus, dispersion and convergence against examples worked by hand."""

from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.market.economics import (
    competitive_range,
    convergence,
    dispersion,
    efficiency,
    maximum_surplus,
    mean_price,
)

# Costs, values, the range of competitive prices, the surplus.
WORKED = [
    ([1], [5], (1, 5), 4),
    ([5], [1], (1, 5), 0),  # nobody trades at 1 to 5
    ([1, 2, 3], [5, 4, 3], (3, 3), 6),
    ([1, 2, 3, 4], [6, 5, 3, 1], (3, 3), 8),
    ([10, 20, 30, 40], [45, 35, 25, 15], (25, 30), 50),
    ([0, 0, 0], [10], (0, 0), 10),  # sellers undercut each other
    ([0], [10, 10, 4], (10, 10), 10),
    ([2, 2], [2, 2], (2, 2), 0),
]
AMOUNTS = st.lists(st.integers(-20, 20), min_size=1, max_size=5)


@pytest.mark.parametrize(("costs", "values", "prices", "surplus"), WORKED)
def test_worked_examples(
    costs: list[int], values: list[int], prices: tuple[int, int], surplus: int
) -> None:
    assert competitive_range(costs, values) == prices
    assert maximum_surplus(costs, values)[-1] == surplus


def test_fewer_pairs_have_the_best_surplus_of_so_many() -> None:
    assert maximum_surplus([1, 2, 3], [5, 4, 3]).tolist() == [0, 4, 6, 6]


@given(AMOUNTS, AMOUNTS)
def test_the_most_surplus_is_that_of_the_best_matching(costs: list[int], values: list[int]) -> None:
    n = max(len(costs), len(values))
    some = [*values, *[-100] * (n - len(values))]
    best = max(
        sum(max(0, value - cost) for cost, value in zip(costs, order, strict=False))
        for order in permutations(some)
    )
    assert maximum_surplus(costs, values)[-1] == best


@given(AMOUNTS, AMOUNTS)
def test_supply_meets_demand_at_a_competitive_price(costs: list[int], values: list[int]) -> None:
    low, high = competitive_range(costs, values)
    assert low <= high
    for price in (low, (low + high) / 2, high):
        # Those who are indifferent may trade or not.
        supply = sum(c < price for c in costs), sum(c <= price for c in costs)
        demand = sum(v > price for v in values), sum(v >= price for v in values)
        assert max(supply[0], demand[0]) <= min(supply[1], demand[1])


def test_prices_of_deals() -> None:
    prices, sold = (1, 2, 4), np.array([1, 2, 1])
    assert mean_price(prices, sold) == 2.25
    assert dispersion(prices, sold) == pytest.approx(sqrt(19) / 4)
    assert convergence(prices, sold, 2) == pytest.approx(100 * sqrt(5 / 4) / 2)
    assert convergence((1, 2), np.array([0, 9]), 2) == 0


def test_nothing_to_say_without_deals() -> None:
    none = np.zeros(2, np.int64)
    assert (mean_price((1, 2), none), dispersion((1, 2), none)) == (None, None)
    assert convergence((1, 2), none, 1) is None
    assert convergence((1, 2), np.array([1, 1]), 0) is None
    assert efficiency(0, 0) is None
    assert efficiency(3, 4) == 0.75
