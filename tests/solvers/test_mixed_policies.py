"""Solvers judge policies whose actions have probabilities of their own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from tests.support.game import roles, scenarios, seeds
from tests.support.mixed import random_policy
from tests.support.plans import value


def pair(scenario: Scenario, seed: int) -> tuple[TabularPolicy, TabularPolicy]:
    rng = np.random.default_rng(seed)
    return random_policy(scenario, Role.SELLER, rng), random_policy(scenario, Role.BUYER, rng)


@given(scenarios(), seeds)
def test_nobody_does_better_than_a_best_response(scenario: Scenario, seed: int) -> None:
    policies = pair(scenario, seed)
    assert nash_conv(scenario, *policies).total >= 0
    for role in Role:
        own, other = policies[role], policies[role.other]
        found = best_response(scenario, role, other)
        for opener in Role:
            assert found.values[opener] >= value(scenario, role, own, other, opener) - 1e-12
            assert found.policy
            worth = value(scenario, role, found.policy, other, opener)
            assert worth == pytest.approx(found.values[opener], abs=1e-12)


@given(scenarios(), roles, seeds)
def test_equal_weights_are_worth_what_a_policy_without_is(
    scenario: Scenario, role: Role, seed: int
) -> None:
    uniform, other = untrained_policy(scenario, role), pair(scenario, seed)[role.other]
    equal = replace(uniform, weights=uniform.chances())
    for opener in Role:
        expected = value(scenario, role, uniform, other, opener)
        found = value(scenario, role, equal, other, opener)
        assert found == pytest.approx(expected, abs=1e-12)
    one, two = (best_response(scenario, role.other, each).values for each in (uniform, equal))
    assert one == pytest.approx(two, abs=1e-12)


def test_a_mixed_row_by_hand() -> None:
    """The buyer accepts the higher price with probability 3/4, the lower one surely."""
    whole = PriceRange(1, 2)
    game = Scenario("smallest", (1, 2), 1, whole, whole, reservation=(0, 2))
    offer, answer = np.zeros((2, 4, 4))
    offer[START, :2] = 0.4, 0.6
    answer[START, 0] = 1
    answer[1], answer[2] = [0, 0, 1, 0], [0, 0, 0.75, 0.25]
    offer[1:3, 3] = 1
    seller = TabularPolicy.of_probabilities(game, Role.SELLER, offer)
    buyer = TabularPolicy.of_probabilities(game, Role.BUYER, answer)
    assert value(game, Role.SELLER, seller, buyer, Role.SELLER) == pytest.approx(0.4 / 2 + 0.45)
    assert best_response(game, Role.SELLER, buyer).values[Role.SELLER] == 0.75
    assert best_response(game, Role.BUYER, seller).values[Role.SELLER] == pytest.approx(0.2)
    play = expected_play(game, seller, buyer).opened_by(Role.SELLER)
    assert play.openings == (1, 2)
    assert play.deals[0] == pytest.approx([0.4, 0.45])
    assert play.walks == pytest.approx((0, 0.15))


@given(scenarios(), roles, seeds)
def test_the_outcomes_are_worth_the_value(scenario: Scenario, opener: Role, seed: int) -> None:
    tables = pair(scenario, seed)
    play = expected_play(scenario, *tables).opened_by(opener)
    assert play.deal + sum(play.walks) == pytest.approx(1)
    for role in Role:
        rewards = [scenario.reward(role, price) for price in scenario.prices]
        expected = value(scenario, role, tables[role], tables[role.other], opener, 1.0)
        assert play.deals.sum(axis=0) @ rewards == pytest.approx(expected, abs=1e-12)
