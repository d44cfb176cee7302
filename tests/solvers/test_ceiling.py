"""The ceiling against payments per pair, cases by hand and the limit of fine grids."""

import sys
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.payoffs import ceiling, first_best
from negotiation_tui.solvers.reach import legal_decisions, policy_of
from negotiation_tui.strategies.registry import strategy
from tests.support.game import grids, scenarios
from tests.support.lotteries import lottery, stack

pytestmark = pytest.mark.skipif(not find_spec("scipy"), reason="needs scipy")


def market_stall(prices: object, seller: dict[str, Any], buyer: dict[str, Any]) -> Scenario:
    return Scenario.of({"prices": prices, "rounds": 2, "seller": seller, "buyer": buyer})


def equal_weights(n: int) -> Scenario:
    """Limits 0 … n − 1 on both sides."""
    limits = {"limits": {"min": 0, "max": n - 1}}
    return market_stall({"min": 0, "max": n - 1}, limits, limits)


@st.composite
def hidden_scenarios(draw: st.DrawFn) -> Scenario:
    """Up to five limits on one side or both, with weights, of which some may be 0."""
    prices, sides = draw(grids(largest=6)), {}
    for role, (low, high) in (("seller", (-4, 0)), ("buyer", (0, 4))):
        limit = st.integers(prices[0] + low, prices[-1] + high)
        limits = draw(st.lists(limit, min_size=1, max_size=5, unique=True))
        weight = st.integers(0, 9)
        each = st.lists(weight, min_size=len(limits), max_size=len(limits)).filter(any)
        sides[role] = {"limits": limits, "weights": draw(each)}
    if draw(st.booleans()):
        sides[draw(st.sampled_from(["seller", "buyer"]))] = {}
    return market_stall(prices, **sides)


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
@given(hidden_scenarios(), st.sampled_from([1.0, 0.99, 0.9, 0.5, 0.0]))
def test_payments_per_pair_and_all_reports_give_the_same(scenario: Scenario, rate: float) -> None:
    assert ceiling(scenario, rate) == pytest.approx(by_payments(scenario, rate), abs=1e-8)


@pytest.mark.parametrize(
    ("name", "rate", "share"),
    [
        ("bazaar", 0.99, 0.919),
        ("bazaar", 0.9, 1.0),
        ("hidden", 0.99, 0.958),
        ("hidden", 0.9, 1.0),
        ("hidden", 0.0, 1.0),
    ],
)
def test_waits_that_cost_let_a_rule_reach_more(name: str, rate: float, share: float) -> None:
    scenario = Scenario.of(name)
    assert ceiling(scenario, rate) / first_best(scenario) == pytest.approx(share, abs=5e-4)


def naming_its_limit(view: Scenario, role: Role) -> TabularPolicy:
    """An opener names its own limit and then accepts; a responder makes the same offer again."""
    legal = legal_decisions(view, role)
    decisions, own = np.zeros(legal.shape), int(view.limit(role)) - view.prices[0]
    for part, n, standing in np.ndindex(legal.shape[:3]):
        action = standing if part else (view.accept if n else own)
        if not legal[part, n, standing, action]:
            action = view.walk_away
        decisions[part, n, standing, action] = 1
    return policy_of(view, role, decisions)


@pytest.mark.parametrize("name", ["hidden", "bazaar"])
def test_without_a_future_an_equilibrium_reaches_all(name: str) -> None:
    """With γ = 0 an opener's later gains count nothing, and a responder's first answer is now."""
    scenario = replace(Scenario.of(name), states=States.OPENER_AWARE)
    tables = [
        stacked(scenario, [naming_its_limit(view, role) for view in scenario.views[role]])
        for role in Role
    ]
    found = nash_conv(scenario, tables[0], tables[1], 0.0)
    assert found.total == 0
    assert expected_play(scenario, tables[0], tables[1]).efficiency == pytest.approx(1)


@settings(max_examples=20)
@given(hidden_scenarios())
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
    ("scenario", "share"),
    [
        (equal_weights(11), 10 / 11),
        (equal_weights(21), 0.8831168831),
        (Scenario.with_hidden_limits(), 20 / 21),
        (Scenario.bazaar(), 10 / 11),
    ],
)
def test_published_shares_of_the_first_best(scenario: Scenario, share: float) -> None:
    assert ceiling(scenario) / first_best(scenario) == pytest.approx(share, abs=1e-9)


def test_a_fine_grid_comes_to_the_27_32_of_a_continuum() -> None:
    """Myerson and Satterthwaite (1983, section 4): uniform limits trade 9/64 of 1/6."""
    shares = [ceiling(equal_weights(n)) / first_best(equal_weights(n)) for n in (25, 50)]
    # The error falls as 1/n: two grids give the limit but for terms in 1/n².
    assert 2 * shares[1] - shares[0] == pytest.approx(27 / 32, abs=1e-3)


@pytest.mark.parametrize(("chance", "trades"), [(0.5, 5 / 6), (0.8, 2 / 3), (0.2, 1.0)])
def test_two_limits_a_side_by_hand(chance: float, trades: float) -> None:
    """A seller of 0 or 80, a buyer of 20 or 100; 0 and 100 are drawn with a chance of q each.

    The pair 0, 100 always trades. It pays q²·100 for rents, and each of the pairs 0, 20 and
    80, 100 takes q(1 − q)·(80·q/(1 − q) − 20) of it if it always trades.
    """
    scenario = market_stall(
        {"min": 0, "max": 100},
        {"limits": [0, 80], "weights": [chance, 1 - chance]},
        {"limits": [20, 100], "weights": [1 - chance, chance]},
    )
    expected = 100 * chance**2 + trades * 40 * chance * (1 - chance)
    assert 100 * ceiling(scenario) == pytest.approx(expected, abs=1e-9)


def most_gained_by_pretending(play: ExpectedPlay) -> float:
    """The most that any limit would gain by another table, undiscounted, also at a loss."""
    return max(float(play.pretending(role, beyond=True).max()) for role in Role)


def test_only_where_some_limit_gains_by_pretending_is_more_reached() -> None:
    """Tried with random players, and with strategies in `hidden`, of which many reach more."""
    scenario, above = Scenario.with_hidden_limits(), 0
    for names in product(("conceder", "midpoint"), repeat=2):
        seller, buyer = (
            strategy(name).tabulated(scenario, role) for name, role in zip(names, Role, strict=True)
        )
        assert seller is not None
        assert buyer is not None
        play = expected_play(scenario, seller, buyer)
        if play.surplus > ceiling(scenario) + 1e-9:
            assert most_gained_by_pretending(play) > 0.01
            above += 1
    assert above > 2
    rng = np.random.default_rng(1)
    for _ in range(25):
        game = lottery(rng)
        seller, buyer = (stack(game, role, rng)[0] for role in Role)
        play = expected_play(game, seller, buyer)
        if most_gained_by_pretending(play) == 0:
            assert play.surplus <= ceiling(game) + 1e-9
        assert play.surplus <= first_best(game) + 1e-9


def test_without_scipy_a_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("scipy", "scipy.optimize", "scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, None)
    game = market_stall(4, {"limits": [0, 1]}, {"limits": [2, 3]})
    assert first_best(game) > 0
    with pytest.raises(BadInputError, match=r'needs scipy: pip install "\.\[theory\]"'):
        ceiling(game)
