"""Learners come to an equilibrium of a small game, with the parameters of a table."""

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from tests.support.game import compiled

ROUNDS, SEEDS, NEAR = 2, 10, 0.05
SMALL = Scenario.from_dict({"prices": 3, "rounds": ROUNDS, "states": "opener-aware"})
EXPLORING_STARTS = {
    "learning_rate": 0.2,
    "exploration_restarts": False,
    "exploration_end": 0.01,
    "exploration_decay": 0.0003,
    "curriculum_window": 2 * ROUNDS,
    "cycles": 200,
}
"""Episodes begin at a random decision; ε falls once, to 0.01 after about half of them."""

TABLE: list[tuple[str, dict[str, float]]] = [
    ("q-learning", EXPLORING_STARTS),
    ("sarsa", EXPLORING_STARTS),
    ("expected-sarsa", EXPLORING_STARTS),
    ("double-q", EXPLORING_STARTS),
    ("q-lambda", EXPLORING_STARTS),
    ("monte-carlo", EXPLORING_STARTS),
    ("monte-carlo:average=true", EXPLORING_STARTS),
    ("boltzmann", EXPLORING_STARTS),
    ("hysteretic", EXPLORING_STARTS),
    ("lenient", EXPLORING_STARTS),
    ("wolf-phc", EXPLORING_STARTS),
    ("roth-erev", EXPLORING_STARTS),
    ("reinforce", EXPLORING_STARTS),
    ("actor-critic", EXPLORING_STARTS),
]
"""Learners with their settings, and the parameters of their training."""


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "parameters"), TABLE, ids=[spec for spec, _ in TABLE])
def test_a_learner_comes_near_equilibrium_with_every_seed(
    spec: str, parameters: dict[str, float]
) -> None:
    both, values = learner(spec), Parameters.from_dict(parameters)
    far = {}
    for seed in range(SEEDS):
        training = ConcurrentTraining(SMALL, values, seed, seller=both, buyer=both)
        training.use(compiled())
        training.run()
        distance = nash_conv_of(training)
        assert distance
        if distance.total > NEAR:
            far[seed] = distance.total
    assert not far
