"""The ceiling against payments per pair, cases by hand and the limit of fine grids."""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.solvers.payoffs import ceiling, first_best, known_ceiling
from tests.support.game import game, scenarios, seeds
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


def by_payments(
    scenario: Scenario, rate: float, honest: bool = True, free: bool | None = None
) -> float:
    """The ceiling with a chance and a payment per offer and pair, and with all reports.

    Every limit that is drawn is kept from reporting every other one, if they are to be `honest`.
    Payments may be `free` of trade and of any amount; by default if time costs both alike.
    """
    chances, _, tradable = pairs_that_trade(scenario)
    of, offers = [chances.sum(axis=1), chances.sum(axis=0)], np.arange(2 * scenario.rounds - 1)
    left = [np.array([each**k for k in offers.tolist()]) for each in scenario.delta]
    rounds, rows = rate ** ((offers + 1) // 2), list[Any]()
    goal: Any = 0.0
    if free is None:
        one, other = scenario.delta
        free = one == other and (one == 1 or rate == 1)

    def gain(role: Role, own: int, reported: int, factors: Any) -> Any:
        """The variables' part in what a limit gains by a report: chances of trade, payments."""
        row = np.zeros((2, len(offers), *chances.shape))
        value = scenario.views[role][own].limit(role) / scenario.width
        if role is Role.SELLER:
            row[0, :, reported] = -value * np.outer(factors, of[1])
            row[1, :, reported] = np.outer(factors, of[1])
        else:
            row[0, :, :, reported] = value * np.outer(factors, of[0])
            row[1, :, :, reported] = -np.outer(factors, of[0])
        return row.ravel()

    for role in Role:
        drawn = np.flatnonzero(of[role]).tolist()
        for own in drawn:
            goal = goal - of[role][own] * gain(role, own, own, left[role])
            truthful = gain(role, own, own, left[role] * rounds)
            rows.append(-truthful)
            for each in drawn if honest else []:
                rows.append(gain(role, own, each, left[role] * rounds) - truthful)
    limits = [0.0] * len(rows)
    for k, j in np.ndindex(chances.shape):
        game = scenario.drawn(k, j)
        cost, value = map(game.limit, Role)
        both = {*game.offers(Role.SELLER)} & {*game.offers(Role.BUYER)}
        prices = [price for price in (game.prices[at] for at in both) if cost <= price <= value]
        once = np.zeros((2, len(offers), *chances.shape))
        once[0, :, k, j] = 1
        rows.append(once.ravel())
        limits.append(float(tradable[k, j] if free else bool(prices)))
        for offer in offers.tolist() if not free else []:
            for sign, bound in ((1, max(prices, default=0)), (-1, min(prices, default=0))):
                row = np.zeros(once.shape)
                row[:, offer, k, j] = -sign * bound / scenario.width, sign
                rows.append(row.ravel())
                limits.append(0.0)
    n = len(goal) // 2
    bounds = [(0, None)] * n + [(None, None)] * n
    from scipy import optimize

    return -float(optimize.linprog(goal, np.array(rows), limits, bounds=bounds).fun)


@settings(max_examples=20)
@given(hidden_scenarios, st.sampled_from([1.0, 0.99, 0.9, 0.5, 0.0]))
def test_payments_per_pair_and_all_reports_give_the_same(scenario: Scenario, rate: float) -> None:
    assert ceiling(scenario, rate) == pytest.approx(by_payments(scenario, rate), abs=1e-8)


SIDES = {"seller": {"limits": [1, 2, 4], "weights": [1, 2, 1]}, "buyer": {"limits": [2, 3, 5, 6]}}
GAMES = {
    "hidden": Scenario.of("hidden"),
    "weights and ranges": game(range(1, 7), 3, **SIDES),
    "few prices": game(
        [0, 3, 4, 9], 4, seller={"limits": [0, 2, 3, 6]}, buyer={"limits": [1, 3, 4, 5, 9]}
    ),
}
"""In each the ceiling without time costs is below first best."""


@pytest.mark.parametrize(
    "delta",
    [
        (0.9, 0.5),
        (0.8, 0.8),
        *(pytest.param(d, marks=pytest.mark.slow) for d in ((0.3, 0.95), (1, 1))),
    ],
)
@pytest.mark.parametrize("name", GAMES)
def test_time_costs(name: str, delta: tuple[float, float]) -> None:
    scenario = replace(GAMES[name], delta=delta)
    best, most = first_best(scenario), ceiling(scenario)
    assert best == first_best(GAMES[name]) == pytest.approx(by_payments(scenario, 1, honest=False))
    assert most == pytest.approx(by_payments(scenario, 1), abs=1e-8)
    assert most < best - 1e-6
    if delta[0] == delta[1]:
        assert most == ceiling(GAMES[name]), "a delay is no more than a chance of no deal"
    else:
        assert (most > ceiling(GAMES[name]) + 1e-6) == (name != "few prices"), "prices bind, too"


@pytest.mark.parametrize("name", ["hidden", "weights and ranges"])
def test_one_who_can_wait_meets_one_who_cannot(name: str) -> None:
    """On the second offer the buyer gains nothing, whatever it says, and the seller loses none."""
    patient = replace(GAMES[name], delta=(1, 1e-9))
    assert ceiling(patient) == pytest.approx(first_best(patient), abs=1e-8)


def test_a_ceiling_that_would_take_minutes_is_refused_in_one_line() -> None:
    sides = {"limits": {"min": 1, "max": 100}}
    large = game(100, 20, seller=sides, buyer=sides, delta=(1, 0.9))
    with pytest.raises(
        BadInputError, match=r"^the ceiling with two delta: expected at most .*limits"
    ):
        ceiling(large)
    assert known_ceiling(large) is None


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
