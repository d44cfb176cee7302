"""How fast each learner with tables trains against itself, and against Q-learning's own loop."""

from typing import Any

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS
from tests.support.timing import Check, compiled, seconds

ROUNDS = 3
PLAIN_EPISODES, EPISODES = 5_000, 500_000
TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


def per_second(name: str, backend: Backend) -> float:
    """Negotiations of a learner against itself, of this thread's time."""
    episodes = PLAIN_EPISODES if backend is PLAIN else EPISODES
    training = ConcurrentTraining(
        Scenario.original(),
        Parameters(cycles=10**6),
        seller=LEARNERS[name],
        buyer=LEARNERS[name],
        backend=backend,
    )
    training.run_episodes(1000)
    times = [seconds(lambda: training.run_episodes(episodes)) for _ in range(ROUNDS)]
    return episodes / min(times)


@pytest.mark.parametrize("name", TABULAR)
def test_a_learner_against_itself(benchmark: Any, check: Check, name: str) -> None:
    q_learning, fast = per_second("q-learning", compiled()), per_second(name, compiled())
    benchmark.pedantic(lambda: None, rounds=1)
    plain = per_second(name, PLAIN)
    check(f"{name}, negotiations per second; {plain:,.0f} without numba", "≥ 100000 /s", fast)
    check(f"{name}, against Q-learning's own loop", "≥ 0.05 ×", fast / q_learning)
