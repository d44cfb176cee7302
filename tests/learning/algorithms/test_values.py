"""Tabular learners in any negotiation: bounds, rows left alone, chances, equal kin."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.strategies.matchup import tables_of
from tests.support.game import scenarios, seeds
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
    assert ((values[:] >= 0) & (values[:] <= 1)).all()


@pytest.mark.parametrize("spec", BY_VALUE)
def test_values_begin_where_the_training_says(spec: str) -> None:
    algorithm = learner(spec)
    assert isinstance(algorithm, TabularAlgorithm)
    optimist = Parameters(initial_value=1.0, learning_rate=1.0)
    population = Population(TINY, PLAIN)
    seat = TabularPlayer(algorithm, TINY, Role.SELLER, optimist, population)
    agents = population.agents
    np.testing.assert_array_equal(seat.values, untrained(TINY, Role.SELLER, 1.0))
    for draw in (0.0, 0.999):  # for each table of double Q-learning; too high to be forgiven
        disappointed = Episode([4], [ACCEPT], 1, 0.0, 0.0, draw)
        algorithm.learn(agents.tables, seat.settings, agents.legal, agents.scratch, disappointed)
    assert seat.values is not None
    assert seat.values[4, ACCEPT] < 1 == seat.values[4, WALK_AWAY]


@pytest.mark.parametrize(
    "spec",
    [
        *("boltzmann", "hysteretic:decrease=1", "lenient:temperature=0", "q-lambda:trace_decay=0"),
        "expected-sarsa",
    ],
)
@given(negotiations=many)
@settings(max_examples=15)
def test_without_its_own_idea_a_learner_is_q_learning(
    spec: str, negotiations: list[dict[str, Any]]
) -> None:
    other = LearnerAlone(spec, discount_rate=0.9)
    q_learner = LearnerAlone("q-learning", discount_rate=0.9)
    for each in negotiations:
        other.learn(**{**each, "epsilon": 0.0})
        q_learner.learn(**each)
    np.testing.assert_allclose(tables(other)[0], tables(q_learner)[0], rtol=0, atol=ROUNDING)


BY_CHANCES = ["wolf-phc", "roth-erev", "reinforce", "actor-critic"]
EXTREMES = [
    "wolf-phc:learning_rate=1,delta_win=1,delta_lose=1",
    "wolf-phc:delta_win=0,delta_lose=0",
    "roth-erev:forgetting=1,experimentation=0",
    "roth-erev:forgetting=1,experimentation=1",
    "roth-erev:forgetting=0,experimentation=0,initial=1000000",
    "roth-erev:forgetting=0.9,experimentation=0,initial=1e-300",
    "reinforce:learning_rate=1,baseline_rate=0",
    "reinforce:learning_rate=1,baseline_rate=1",
    "actor-critic:learning_rate=1,critic_rate=1",
    "actor-critic:learning_rate=1,critic_rate=0",
]
RICH = Scenario.from_dict(
    {
        "prices": [-(10**9), 0, 10**9],
        "rounds": 2,
        "seller": {"min": -(10**9), "max": 10**9, "reservation": 0},
        "buyer": {"min": -(10**9), "max": 10**9, "reservation": 1},
    }
)
"""Rewards from −10⁹ to 10⁹."""
GAMES = [Scenario.from_dict({"prices": 3, "rounds": 2}), RICH]


def training(spec: str, scenario: Scenario, seed: int, **parameters: float) -> ConcurrentTraining:
    values = Parameters.from_dict(parameters)
    occupant = learner(spec)
    return ConcurrentTraining(scenario, values, seed, seller=occupant, buyer=occupant)


def check_chances(training: ConcurrentTraining) -> None:
    tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
    assert tables
    for policy in tables:
        chances = policy.probabilities
        assert (chances >= 0).all()
        np.testing.assert_allclose(chances.sum(axis=1), policy.n_actions > 0, atol=1e-12)


@pytest.mark.parametrize("name", BY_CHANCES)
@given(scenario=scenarios(largest=4, rounds=3), seed=seeds)
@settings(max_examples=15)
def test_chances_are_probabilities_in_any_game(name: str, scenario: Scenario, seed: int) -> None:
    game = training(name, scenario, seed, cycles=4, episodes=10)
    game.run()
    check_chances(game)


@pytest.mark.parametrize("spec", EXTREMES)
@pytest.mark.parametrize("scenario", GAMES)
def test_no_setting_leads_out_of_the_numbers(spec: str, scenario: Scenario) -> None:
    game = training(spec, scenario, 1, cycles=8, episodes=100, learning_rate=1)
    game.run()
    check_chances(game)
