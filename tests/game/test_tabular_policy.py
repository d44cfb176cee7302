"""Tabular policies, and those that remember their own last offer."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Position, Role, Scenario, TabularPolicy, strategy
from negotiation_tui.game.draws import UNIFORM, drawn, scaled_probability
from negotiation_tui.game.learned_table import LARGE, SparseTable, packed
from negotiation_tui.game.tabular_policy import fits, greedy, legal_actions, untrained_policy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.strategies.base import tabulate
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import ORIGINAL, roles, scenarios, seeds
from tests.support.mixed import random_probabilities


@given(scenarios(), roles, seeds)
def test_greedy_takes_every_best_legal_action(scenario: Scenario, role: Role, seed: int) -> None:
    q = np.random.default_rng(seed).integers(-2, 3, (scenario.n_states, scenario.n_actions)) / 2
    policy, mask = greedy(scenario, role, q), legal_actions(scenario, scenario.offers(role))
    for state in range(scenario.n_states):
        legal = scenario.legal_actions(state, role)
        assert np.flatnonzero(mask[state]).tolist() == list(legal)
        top = max((q[state][action] for action in legal), default=0)
        best = [action for action in legal if q[state][action] == top]
        assert policy.actions[state, : policy.n_actions[state]].tolist() == best


def test_a_kept_table_is_that_of_its_scenario_role_and_settings() -> None:
    fields = (ORIGINAL, Scenario.of("fine")), Role, ("midpoint", "fixed-fraction:rho=0.1")
    for scenario, role, spec in product(*fields):
        for _ in range(2):
            policy, known = strategy(spec).tabulated(scenario, role), strategy(spec)
            assert policy is not None
            assert np.array_equal(policy.actions, tabulate(scenario, role, known).actions)


def test_the_largest_table_of_a_learner() -> None:
    assert fits(Scenario.of("1000x19"))
    assert not fits(Scenario.of("1000x20"))
    with pytest.raises(BadInputError, match=r"1000x20 .*20,000,000 .*20,002 states"):
        ConcurrentTraining(Scenario.of("1000x20"), buyer=Midpoint())


@given(scenarios(), roles)
def test_the_untrained_policy_is_greedy_over_zeros(scenario: Scenario, role: Role) -> None:
    greedily = greedy(scenario, role, np.zeros((scenario.n_states, scenario.n_actions)))
    policy = untrained_policy(scenario, role)
    assert np.array_equal(policy.actions, greedily.actions)
    assert np.array_equal(policy.n_actions, greedily.n_actions)
    assert policy.responder_offset == greedily.responder_offset


@given(scenarios(), roles, seeds)
def test_probabilities_come_back(scenario: Scenario, role: Role, seed: int) -> None:
    dense = random_probabilities(scenario, role, np.random.default_rng(seed))
    policy = TabularPolicy.of_probabilities(scenario, role, dense)
    assert np.array_equal(policy.probabilities, dense)
    assert (policy.weights is None) == all(len({*row[row > 0]}) < 2 for row in dense)
    assert policy.actions.shape[1] == (dense > 0).sum(axis=1).max()
    if policy.weights is not None:
        assert policy.weights.shape == policy.actions.shape
        assert np.array_equal(policy.chances(), policy.weights)
    check_cumulative(policy)


def check_cumulative(policy: TabularPolicy) -> None:
    """The cumulative weights of a row end at one."""
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


def skewed(role: Role) -> TabularPolicy:
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


def test_a_certain_action_takes_no_number() -> None:
    dense = skewed(Role.BUYER).probabilities.copy()
    dense[1:26] = np.eye(7)[6]
    policy = TabularPolicy.of_probabilities(ORIGINAL, Role.BUYER, dense)
    rng = np.random.default_rng(5)
    before = rng.bit_generator.state
    assert policy.weights is not None
    assert policy.act(Position(ORIGINAL, Role.BUYER, 2, None, 3, opened=False), rng) == 6
    assert rng.bit_generator.state == before


@pytest.mark.parametrize(
    ("state", "row", "message"),
    [
        (0, [0.5, 0.4], "state s: expected a sum of 1, got 0.9"),
        (0, [-0.5, 1.5], "state s, action 1: expected a number from 0 to 1, got -0.5"),
        (2, [np.nan], "state 2.0, action 1: expected a number from 0 to 1, got nan"),
        (0, [0, 0, 0, 0, 0, 1], "state s, action 0: expected 0 for an illegal action, got 1.0"),
    ],
)
def test_wrong_probabilities_get_one_line(state: int, row: list[float], message: str) -> None:
    dense = untrained_policy(ORIGINAL, Role.SELLER).probabilities.copy()
    dense[state] = [*row, *[0] * (7 - len(row))]
    line = re.escape(f"probabilities of the seller, {message}")
    with pytest.raises(BadInputError, match=f"^{line}$"):
        TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, dense)
    with pytest.raises(BadInputError, match=r"expected the shape \(27, 7\), got \(3, 7\)"):
        TabularPolicy.of_probabilities(ORIGINAL, Role.SELLER, np.ones((3, 7)))


ALMOST_ONE = 1 - 2.0**-53


def test_weights_decide_and_shares_are_the_probabilities_times_their_number() -> None:
    rows = [UNIFORM, 0.9, 1.0, 0.25, 0.75, 1.0]
    draws = (0.0, 0.2499, 0.25, 0.7499, 0.75, ALMOST_ONE)
    assert [drawn(rows, 3, 3, u) for u in draws] == [0, 0, 1, 1, 2, 2]
    assert [scaled_probability(rows, 0, 3, k) for k in range(3)] == [1.0, 1.0, 1.0]
    assert [scaled_probability(rows, 3, 3, k) for k in range(3)] == [0.75, 1.5, 0.75]


@given(st.integers(2, 1002), st.floats(0, ALMOST_ONE))
def test_equal_weights_are_drawn_as_ever(n: int, u: float) -> None:
    assert drawn([UNIFORM] * n, 0, n, u) == int(u * n)


@pytest.mark.parametrize(
    ("spec", "scenario", "has_one"),
    [
        ("micro", "legacy", True),
        ("tit-for-tat", "fine", True),
        ("tit-for-tat", "legacy", False),
        ("tit-for-tat:delta=2", "fine", False),
        ("random-tit-for-tat:largest=1000", "fine", False),
        ("boulware:accept=combi", "original", False),
    ],
)
def test_only_a_table_that_is_soon_made(spec: str, scenario: str, has_one: bool) -> None:
    held, game = strategy(spec), Scenario.of(scenario)
    for role in Role:
        assert (held.remembering(game, role) is not None) == has_one
        assert held.tabulated(game, role) is None  # solvers do not read a memory


@pytest.fixture
def table() -> np.ndarray:
    rng = np.random.default_rng(0)
    table = np.where(rng.random((LARGE // 100, 103)) < 0.1, rng.normal(size=103), 0.0)
    table[7, 3], table[8] = -0.0, 0.0
    return table


def test_a_large_table_is_equal_to_the_bit_in_a_fifth_of_its_memory(table: np.ndarray) -> None:
    sparse = packed(table)
    assert isinstance(sparse, SparseTable)
    assert sparse.nbytes < table.nbytes / 5
    for rows in (slice(None), slice(5, 9), slice(8, 9), slice(1300, None), slice(4, 4), 7):
        assert sparse[rows].tobytes() == table[rows].tobytes()
    assert sparse[6, 5] == table[6, 5]
    assert len(sparse) == len(table)


def test_a_small_table_is_a_copy_that_nobody_changes(table: np.ndarray) -> None:
    small = packed(table[:9])
    assert isinstance(small, np.ndarray)
    table[:] = 1.0
    assert not small[8].any()
    assert not small.flags.writeable
