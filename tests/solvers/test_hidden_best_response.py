"""Best responses with hidden limits against recursions that know nothing of merged beliefs."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows, untrained_policy
from negotiation_tui.solvers import belief_induction
from negotiation_tui.solvers.best_response import best_response, nash_conv
from tests.support.lotteries import Histories, Offers, interim, lottery, stack
from tests.support.plans import Plan

Floats = NDArray[np.float64]

FIGURES = [
    ((1, 2, 3), 2, {"limits": [0]}, {"limits": [3]}, 0.616666666667, 0.614566666667),
    (
        (1, 2, 3),
        2,
        {"limits": [0, 1]},
        {"limits": [2, 3], "weights": [2, 1]},
        0.394444444444,
        0.393007716049,
    ),
    (
        (0, 2, 3, 7),
        2,
        {"limits": [0, 2, 3], "weights": [1, 2, 1]},
        {"limits": [2, 7]},
        0.308203125000,
        0.306916232639,
    ),
    (
        (1, 2, 3),
        3,
        {"limits": [0, 2], "weights": [3, 1]},
        {"limits": [1, 3]},
        0.303225308642,
        0.302523942870,
    ),
    (
        tuple(range(6)),
        2,
        {"limits": list(range(5))},
        {"limits": list(range(1, 6))},
        0.171230102041,
        0.170452740476,
    ),
]
"""NashConv of uniform play, undiscounted and with γ = 0.99, found by another program."""


@pytest.mark.parametrize(("prices", "rounds", "seller", "buyer", "undiscounted", "at_99"), FIGURES)
def test_figures(
    prices: Offers,
    rounds: int,
    seller: dict[str, object],
    buyer: dict[str, object],
    undiscounted: float,
    at_99: float,
) -> None:
    table = {"prices": list(prices), "rounds": rounds, "seller": seller, "buyer": buyer}
    scenario = Scenario.from_dict(table)
    one, other = (untrained_policy(scenario, role) for role in Role)
    for rate, expected in ((1.0, undiscounted), (0.99, at_99)):
        found = nash_conv(scenario, one, other, rate).total
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 40 else []) for seed in range(200)],
)
def test_it_is_worth_what_a_recursion_over_all_histories_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 4, 3 if seed % 5 == 0 else 2)
    rate = float(rng.choice([1.0, 0.99, 0.5]))
    players = [stack(scenario, role, rng) for role in Role]
    found = nash_conv(scenario, players[0][0], players[1][0], rate)
    openers, gains = list(scenario.opener.roles), []
    for role in Role:
        (_, plans), (_, others) = players[role], players[role.other]
        best = interim(scenario, role, others, rate, None)
        own = interim(scenario, role, others, rate, plans)
        answer, chances = found.responses[role], scenario.chances(role)
        assert answer.interim == pytest.approx(best, abs=1e-12)
        assert found.play is not None
        assert found.play.interim(role, rate) == pytest.approx(own, abs=1e-12)
        assert answer.values == pytest.approx((best @ chances).tolist(), abs=1e-12)
        assert found.values[role] == pytest.approx((own[openers] @ chances).mean(), abs=1e-12)
        gains.append(((best - own)[openers] @ chances).mean())
    assert found.exploitability == pytest.approx(gains, abs=1e-12)
    assert found.total == pytest.approx(sum(gains), abs=1e-12)
    assert found.bounds == (found.total, found.total)
    assert found.exact


@pytest.mark.parametrize("seed", range(30))
def test_the_worth_of_every_action_after_any_offers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 3, 2)
    role, rate = Role(seed % 2), float(rng.choice([1.0, 0.9]))
    table, others = stack(scenario, role.other, rng)
    answer = best_response(scenario, role, table, rate)
    weights, checked = scenario.chances(role.other), 0
    for limit, opener in product(range(scenario.n_tables(role)), Role):
        game = Histories(scenario, role, limit, others, rate)
        pending: list[tuple[Offers, Floats]] = [((), weights)]
        while pending:
            offers, held = pending.pop()
            if (opener if len(offers) % 2 == 0 else opener.other) is role:
                at = game.position(opener, offers, game.view)
                scale = held.sum() * rate ** (at.ply // 2)
                expected = {a: game.action(opener, offers, held, a) for a in at.legal}
                found = answer.action_value(at)
                legal = {a: value for a, value in enumerate(found.tolist()) if value > -np.inf}
                assert legal == pytest.approx(
                    {a: v / scale for a, v in expected.items()}, abs=1e-11
                )
                top = max(legal.values())
                assert answer.best(at) == [a for a, value in legal.items() if value >= top - 1e-12]
                after = dict.fromkeys(expected, held)
                checked += 1
            else:
                after = game.reached(opener, offers, held)
            prices = scenario.prices
            pending += [((*offers, prices[a]), w) for a, w in after.items() if a < len(prices)]
    assert checked > 1


def strategies(game: Histories, opener: Role) -> list[Plan]:
    """All plans without chance: each choice for all offers that the plan itself lets happen."""

    def plans(offers: Offers) -> list[dict[Offers, int]]:
        """The choices at these offers, and at all offers that may follow them."""
        found = []
        for action in game.position(opener, offers, game.view).legal:
            rests: list[dict[Offers, int]] = [{}]
            if action < game.view.accept:
                made = (*offers, game.view.prices[action])
                after = [(*made, price) for price in game.view.prices]
                if len(after[0]) < 2 * game.view.rounds:
                    rests = [
                        {k: v for part in parts for k, v in part.items()}
                        for parts in product(*map(plans, after))
                    ]
            found += [{offers: action, **rest} for rest in rests]
        return found

    if opener is game.role:
        choices = plans(())
    else:
        choices = [
            {k: v for part in parts for k, v in part.items()}
            for parts in product(*(plans((price,)) for price in game.view.prices))
        ]

    def plan(chosen: dict[Offers, int]) -> Plan:
        return lambda at: {chosen[at.offers]: 1.0}

    return [plan(chosen) for chosen in choices]


@pytest.mark.parametrize("seed", range(3))
def test_no_whole_strategy_is_better_and_one_is_as_good(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides = {str(role): {"limits": [0, 1] if role is Role.SELLER else [1, 2]} for role in Role}
    scenario = Scenario.from_dict({"prices": 2, "rounds": 2, **sides})
    role = Role(seed % 2)
    table, others = stack(scenario, role.other, rng)
    answer = best_response(scenario, role, table, 0.9)
    weights = scenario.chances(role.other)
    for limit, opener in product(range(2), Role):
        game = Histories(scenario, role, limit, others, 0.9)
        best = max(game.worth(opener, (), weights, plan) for plan in strategies(game, opener))
        assert answer.interim[opener, limit] == pytest.approx(best, abs=1e-12)


def test_different_beliefs_with_equal_keys_stay_different(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scenario = Scenario.with_hidden_limits()
    table, _ = stack(scenario, Role.BUYER, rng)
    expected = best_response(scenario, Role.SELLER, table, 0.9).values
    monkeypatch.setattr(
        belief_induction, "MULTIPLIERS", np.zeros_like(belief_induction.MULTIPLIERS)
    )
    assert best_response(scenario, Role.SELLER, table, 0.9).values == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize("budget", [0, 60])
def test_beyond_the_budget_there_are_bounds(budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    inexact = 0
    sides = {"seller": {"limits": [0, 1, 2]}, "buyer": {"limits": [1, 2, 3]}}
    scenario = Scenario.from_dict({"prices": [0, 1, 2, 3], "rounds": 3, **sides})
    for seed in range(8):
        rng = np.random.default_rng(seed)
        seller, buyer = (stack(scenario, role, rng)[0] for role in Role)
        exact = nash_conv(scenario, seller, buyer, 0.9)
        with monkeypatch.context() as patch:
            patch.setattr(belief_induction, "BUDGETS", (budget,))
            found = nash_conv(scenario, seller, buyer, 0.9)
        inexact += not found.exact
        least, most = found.bounds
        assert least - 1e-12 <= exact.total <= most + 1e-12
        assert found.total == most
        assert found.exact == (most - least < 1e-11)
        assert (f"<NashConv {least:.4f} to {most:.4f}:" in repr(found)) != found.exact
        for bounded, answer in zip(found.responses, exact.responses, strict=True):
            assert (bounded.bounds[0] - 1e-12 <= answer.interim).all()
            assert (answer.interim <= bounded.interim + 1e-12).all()
    assert inexact > 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_preset_hidden_is_exact_for_every_policy(seed: int) -> None:
    """Weights of all legal actions, so that hardly two beliefs are equal."""
    scenario, rng = Scenario.with_hidden_limits(), np.random.default_rng(seed)
    policies = []
    for role in Role:
        weights = legal_rows(scenario, role) * rng.exponential(size=(scenario.n_rows(role), 8))
        dense = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        policies.append(TabularPolicy.of_probabilities(scenario, role, dense))
    assert nash_conv(scenario, policies[0], policies[1]).exact
