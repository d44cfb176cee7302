"""Learners whose policy is a set of chances: probabilities at all times."""

import numpy as np
import pytest
from hypothesis import given, settings

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.strategies.matchup import tables_of
from tests.support.game import compiled, scenarios, seeds
from tests.support.trainings import same_training

NAMES = ["wolf-phc", "roth-erev", "reinforce", "actor-critic"]
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


@pytest.mark.parametrize("name", NAMES)
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


@pytest.mark.slow
@pytest.mark.parametrize("spec", EXTREMES)
@pytest.mark.parametrize("scenario", GAMES)
def test_compiled_it_has_the_same_bits(spec: str, scenario: Scenario) -> None:
    plain = training(spec, scenario, 1, cycles=8, episodes=100, learning_rate=1)
    fast = training(spec, scenario, 1, cycles=8, episodes=100, learning_rate=1)
    plain.use(PLAIN)
    fast.use(compiled())
    plain.run()
    fast.run()
    assert same_training(plain, fast)
