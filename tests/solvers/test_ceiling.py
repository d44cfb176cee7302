"""The ceiling against payments per pair, cases by hand and the limit of fine grids."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import Role, Scenario
from negotiation_tui.solvers.payoffs import ceiling, first_best
from tests.support.game import scenarios, seeds
from tests.support.lotteries import lottery

pytestmark = pytest.mark.skipif(not find_spec("scipy"), reason="needs scipy")


hidden_scenarios = st.builds(lambda seed: lottery(np.random.default_rng(seed), 6), seeds)
"""Up to three limits on one side or both, with weights, of which some may be 0."""


def pairs_that_trade(scenario: Scenario) -> tuple[Any, Any, Any]:
    """By pair of limits: the chance, the surplus and 1 where some price suits both."""
    chances, surplus, tradable = (
        np.zeros([scenario.n_tables(role) for role in Role]) for _ in range(3)
    )
    for k, j in np.ndindex(chances.shape):
        game = scenario.drawn(k, j)
        cost, value = map(game.limit, Role)
        weights = [
            1.0 if limits is None else limits.weights[at] / sum(limits.weights)
            for limits, at in zip(scenario.limits, (k, j), strict=True)
        ]
        chances[k, j] = weights[0] * weights[1]
        surplus[k, j] = (value - cost) / scenario.width
        tradable[k, j] = any(
            price in game.offers(Role.SELLER) and price in game.offers(Role.BUYER)
            for price in range(scenario.n_prices)
        )
    return chances, surplus, tradable


def by_payments(scenario: Scenario, rate: float) -> float:
    """The ceiling with a chance per pair and round, a discounted payment per pair, and all reports.

    Every limit is kept from reporting every other one.
    """
    chances, surplus, tradable = pairs_that_trade(scenario)
    n, m = chances.shape
    of = [chances.sum(axis=1), chances.sum(axis=0)]
    discounts, rows = rate ** np.arange(scenario.rounds), []

    def gain(role: Role, own: int, reported: int) -> Any:
        """The variables' part in what a limit gains by a report: chances of trade, payments."""
        row = np.zeros((scenario.rounds + 1, n, m))
        values = scenario.views[role][own].limit(role) / scenario.width
        if role is Role.SELLER:
            row[:, reported] = np.outer((*(-values * discounts), 1), of[1])
        else:
            row[:, :, reported] = np.outer((*(values * discounts), -1), of[0])
        return row.ravel()

    for role in Role:
        drawn = np.flatnonzero(of[role]).tolist()
        for own in drawn:
            truthful = gain(role, own, own)
            rows += [-truthful, *(gain(role, own, each) - truthful for each in drawn)]
    from scipy import optimize

    once = np.hstack([np.eye(n * m)] * scenario.rounds + [np.zeros((n * m, n * m))])
    goal = np.concatenate([-(chances * surplus).ravel()] * scenario.rounds + [np.zeros(n * m)])
    bounds = [(0, None)] * (scenario.rounds * n * m) + [(None, None)] * (n * m)
    limits = np.concatenate([np.zeros(len(rows)), tradable.ravel()])
    found = optimize.linprog(goal, np.vstack([*rows, once]), limits, bounds=bounds)
    return -float(found.fun)


@settings(max_examples=20)
@given(hidden_scenarios, st.sampled_from([1.0, 0.99, 0.9, 0.5, 0.0]))
def test_payments_per_pair_and_all_reports_give_the_same(scenario: Scenario, rate: float) -> None:
    assert ceiling(scenario, rate) == pytest.approx(by_payments(scenario, rate), abs=1e-8)


@settings(max_examples=20)
@given(hidden_scenarios)
def test_it_is_at_most_the_first_best_of_the_pairs_that_can_trade(scenario: Scenario) -> None:
    chances, surplus, tradable = pairs_that_trade(scenario)
    best = float((chances * surplus.clip(0) * tradable).sum())
    assert first_best(scenario) == pytest.approx(best, abs=1e-12)
    assert 0 <= ceiling(scenario) <= first_best(scenario)
    if None in scenario.limits:
        assert ceiling(scenario) == pytest.approx(best, abs=1e-8), "one limit is known"


@settings(max_examples=20)
@given(scenarios())
def test_without_hidden_limits_all_can_be_reached(scenario: Scenario) -> None:
    a, b = scenario.reservation_values
    common = set(scenario.offers(Role.SELLER)) & set(scenario.offers(Role.BUYER))
    assert ceiling(scenario) == first_best(scenario) == (1.0 if common and a < b else 0.0)


@pytest.mark.parametrize(
    ("name", "rate", "share"),
    [
        ("hidden", 1.0, 20 / 21),
        ("bazaar", 1.0, 10 / 11),
        # Waits that cost let a rule reach more.
        ("bazaar", 0.99, 0.919),
        ("bazaar", 0.9, 1.0),
        ("hidden", 0.99, 0.958),
        ("hidden", 0.9, 1.0),
        ("hidden", 0.0, 1.0),
    ],
)
def test_shares_of_the_first_best(name: str, rate: float, share: float) -> None:
    scenario, digits = Scenario.of(name), 1e-9 if rate == 1 else 5e-4
    assert ceiling(scenario, rate) / first_best(scenario) == pytest.approx(share, abs=digits)
