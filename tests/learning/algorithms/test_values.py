"""Tabular learners in any negotiation: bounds, rows left alone, and kin that come out equal."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.learning.learning_players import TabularPlayer
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.q_table import untrained
from tests.support.learner_alone import ACCEPT, TINY, WALK_AWAY, LearnerAlone

TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]
BY_VALUE = [
    "q-learning",
    "sarsa",
    "expected-sarsa",
    "double-q",
    "q-lambda",
    "monte-carlo",
    "monte-carlo:average=true",
    "boltzmann",
    "hysteretic",
    "lenient",
]
ROUNDING = 1e-12
LEGAL = {0: [0, 1], 1: [0, 1, 2, 3], 2: [0, 1, 2, 3], 3: [2, 3], 4: [2, 3]}
"""The legal actions of each state of TINY."""


@st.composite
def negotiations(draw: st.DrawFn) -> dict[str, Any]:
    """One negotiation in TINY, as the arguments of `LearnerAlone.learn`."""
    path = [draw(st.sampled_from([0, 1, 2])), draw(st.sampled_from([3, 4]))]
    states = path[: draw(st.integers(1, 2))] if draw(st.booleans()) else path[1:]
    unit = st.floats(0, 1, exclude_max=True)
    return {
        "decisions": [(state, draw(st.sampled_from(LEGAL[state]))) for state in states],
        "reward": draw(st.sampled_from([0.0, 1 / 2, 1.0])),
        "draw": draw(unit),
        "epsilon": draw(unit),
    }


many = st.lists(negotiations(), max_size=20)


def tables(seller: LearnerAlone) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(seller.population.agents.tables).reshape(-1, TINY.n_states, TINY.n_actions)


@pytest.mark.parametrize("name", TABULAR)
@given(before=many, last=negotiations())
@settings(max_examples=15)
def test_only_states_of_the_negotiation_change(
    name: str, before: list[dict[str, Any]], last: dict[str, Any]
) -> None:
    """The loop relies on it: it freezes only the rows of states that were learned from."""
    seller = LearnerAlone(name)
    for each in before:
        seller.learn(**each)
    kept = tables(seller)
    seller.learn(**last)
    others = np.setdiff1d(np.arange(TINY.n_states), [state for state, _ in last["decisions"]])
    np.testing.assert_array_equal(tables(seller)[:, others], kept[:, others])


@pytest.mark.parametrize("spec", BY_VALUE)
@given(negotiations=many)
@settings(max_examples=15)
def test_values_stay_between_the_least_and_the_greatest_reward(
    spec: str, negotiations: list[dict[str, Any]]
) -> None:
    seller = LearnerAlone(spec, discount_rate=0.9)
    for each in negotiations:
        seller.learn(**each)
    values = seller.seat.values
    assert values is not None
    assert ((values >= 0) & (values <= 1)).all()


@pytest.mark.parametrize("spec", BY_VALUE)
def test_values_begin_where_the_training_says(spec: str) -> None:
    algorithm = learner(spec)
    assert isinstance(algorithm, TabularAlgorithm)
    optimist = Parameters(initial_value=1.0, learning_rate=1.0)
    population = Population(TINY, PLAIN)
    seat = TabularPlayer(algorithm, TINY, Role.SELLER, optimist, population)
    _, settings, legal, row = population.turn_by_turn(Role.SELLER)
    np.testing.assert_array_equal(seat.values, untrained(TINY, Role.SELLER, 1.0))
    for draw in (0.0, 0.999):  # for each table of double Q-learning; too high to be forgiven
        disappointed = Episode([4], [ACCEPT], 1, 0.0, 0.0, draw)
        algorithm.learn(population.agents.tables, settings, legal, row, disappointed)
    assert seat.values is not None
    assert seat.values[4, ACCEPT] < 1 == seat.values[4, WALK_AWAY]


@pytest.mark.parametrize(
    "spec",
    ["boltzmann", "hysteretic:decrease=1", "lenient:temperature=0", "q-lambda:trace_decay=0"],
)
@given(negotiations=many)
@settings(max_examples=15)
def test_without_its_own_idea_a_learner_is_q_learning(
    spec: str, negotiations: list[dict[str, Any]]
) -> None:
    other = LearnerAlone(spec, discount_rate=0.9)
    q_learner = LearnerAlone("q-learning", discount_rate=0.9)
    for each in negotiations:
        other.learn(**each)
        q_learner.learn(**each)
    np.testing.assert_allclose(tables(other)[0], tables(q_learner)[0], rtol=0, atol=ROUNDING)


@given(negotiations=many)
@settings(max_examples=15)
def test_expected_sarsa_is_q_learning_if_it_does_not_explore(
    negotiations: list[dict[str, Any]],
) -> None:
    other, q_learner = LearnerAlone("expected-sarsa"), LearnerAlone("q-learning")
    for each in negotiations:
        each["epsilon"] = 0.0
        other.learn(**each)
        q_learner.learn(**each)
    np.testing.assert_allclose(tables(other), tables(q_learner), rtol=0, atol=ROUNDING)


@given(negotiations=many)
@settings(max_examples=15)
def test_monte_carlo_keeps_the_mean_of_all_returns(negotiations: list[dict[str, Any]]) -> None:
    seller = LearnerAlone("monte-carlo:average=true", discount_rate=0.5)
    returns: dict[tuple[int, int], list[float]] = {}
    for each in negotiations:
        seller.learn(**each)
        for k, decision in enumerate(reversed(each["decisions"])):
            returns.setdefault(decision, []).append(each["reward"] / 2**k)
    means = {at: float(np.mean(all_of_it)) for at, all_of_it in returns.items()}
    assert {at: seller.entry(0, *at) for at in means} == pytest.approx(means)
