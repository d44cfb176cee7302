"""Policies whose actions have probabilities of their own."""

import re

import numpy as np
import pytest
from hypothesis import given

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from tests.support.game import roles, scenarios, seeds
from tests.support.mixed import random_probabilities

ORIGINAL = Scenario.original()


@given(scenarios(), roles, seeds)
def test_probabilities_come_back(scenario: Scenario, role: Role, seed: int) -> None:
    dense = random_probabilities(scenario, role, np.random.default_rng(seed))
    policy = TabularPolicy.of_probabilities(scenario, role, dense)
    assert np.array_equal(policy.probabilities, dense)
    assert policy.actions.shape[1] == (dense > 0).sum(axis=1).max()
    if policy.weights is not None:
        assert policy.weights.shape == policy.actions.shape
        assert np.array_equal(policy.chances(), policy.weights)


@given(scenarios(), roles, seeds)
def test_equal_probabilities_are_a_policy_without_weights(
    scenario: Scenario, role: Role, seed: int
) -> None:
    q = np.random.default_rng(seed).integers(0, 2, (scenario.n_states, scenario.n_actions)) / 1
    policy = greedy(scenario, role, q)
    found = TabularPolicy.of_probabilities(scenario, role, policy.probabilities)
    assert found.weights is None
    assert np.array_equal(found.n_actions, policy.n_actions)
    width = found.actions.shape[1]
    assert np.array_equal(found.actions, policy.actions[:, :width])


def skewed(role: Role) -> TabularPolicy:
    """Every row is uniform, but the opening has weights 0.1, 0.2, 0.3, 0.4."""
    dense = untrained_policy(ORIGINAL, role).probabilities.copy()
    dense[0] = [0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.0]
    return TabularPolicy.of_probabilities(ORIGINAL, role, dense)


def test_actions_are_as_frequent_as_their_weights() -> None:
    policy, rng, draws = skewed(Role.SELLER), np.random.default_rng(3), 20_000
    opening = Position(ORIGINAL, Role.SELLER)
    counts = np.bincount([policy.act(opening, rng) for _ in range(draws)], minlength=7)
    expected = np.array([0.1, 0.2, 0.3, 0.4]) * draws
    assert not counts[4:].any()
    assert (abs(counts[:4] - expected) < 5 * expected**0.5).all()


def test_rows_of_equal_weights_draw_as_without_weights() -> None:
    mixed, plain = skewed(Role.BUYER), untrained_policy(ORIGINAL, Role.BUYER)
    answer = Position(ORIGINAL, Role.BUYER, 2, None, 3, opened=False)
    one, other = (np.random.default_rng(4) for _ in range(2))
    assert [mixed.act(answer, one) for _ in range(99)] == [
        plain.act(answer, other) for _ in range(99)
    ]


def test_a_certain_action_takes_no_number() -> None:
    dense = skewed(Role.BUYER).probabilities.copy()
    dense[1:26] = np.eye(7)[6]
    policy = TabularPolicy.of_probabilities(ORIGINAL, Role.BUYER, dense)
    rng = np.random.default_rng(5)
    before = rng.bit_generator.state
    assert policy.weights is not None
    assert policy.act(Position(ORIGINAL, Role.BUYER, 2, None, 3, opened=False), rng) == 6
    assert rng.bit_generator.state == before


@given(scenarios(), roles, seeds)
def test_cumulative_weights_end_at_one(scenario: Scenario, role: Role, seed: int) -> None:
    dense = random_probabilities(scenario, role, np.random.default_rng(seed))
    policy = TabularPolicy.of_probabilities(scenario, role, dense)
    if policy.weights is None:
        assert policy.cumulative.tolist() == [UNIFORM]
        return
    rows = policy.cumulative.reshape(policy.weights.shape)
    for row, n, chances in zip(rows, policy.n_actions, policy.chances(), strict=True):
        if len(set(chances[:n])) > 1:
            assert row[n - 1] == 1.0
            assert row[:n] == pytest.approx(np.cumsum(chances[:n]), abs=1e-9)
        elif n:
            assert row[0] == UNIFORM


@pytest.mark.parametrize(
    ("state", "row", "message"),
    [
        (0, [0.5, 0.4], "state s: expected a sum of 1, got 0.9"),
        (0, [-0.5, 1.5], "state s, action 1: expected a number from 0 to 1, got -0.5"),
        (2, [np.nan], "state 2.0, action 1: expected a number from 0 to 1, got nan"),
        (0, [0, 0, 0, 0, 0, 1], "state s, action 0: expected 0 for an illegal action, got 1.0"),
        (22, [1], "state 2.4, action 1: expected 0 for an illegal action, got 1.0"),
    ],
)
def test_wrong_probabilities_get_one_line(state: int, row: list[float], message: str) -> None:
    dense = untrained_policy(ORIGINAL, Role.SELLER).probabilities.copy()
    dense[state] = [*row, *[0] * (7 - len(row))]
    line = re.escape(f"probabilities of the seller, {message}")
    with pytest.raises(BadInputError, match=f"^{line}$"):
        TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, dense)


def test_probabilities_of_another_shape_are_refused() -> None:
    with pytest.raises(BadInputError, match=r"expected the shape \(27, 7\), got \(3, 7\)"):
        TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, np.ones((3, 7)))
