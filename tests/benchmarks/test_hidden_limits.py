"""How fast compiled trainings are with hidden limits, against the same prices without.

A turn is the unit, because negotiations with hidden limits are longer. The tables of 11 limits in
`bazaar` do not fit into a processor's second cache, which one table does.
"""

from typing import Any

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS
from tests.support.timing import Check, compiled, seconds

ROUNDS, EPISODES, COUNTED = 7, 100_000, 1000
GAMES = {"hidden": ("6x5", "≥ 0.5 ×"), "bazaar": ("101x10", "≥ 0.2 ×")}


def begun(scenario: str, name: str) -> ConcurrentTraining:
    occupant, parameters = LEARNERS[name], Parameters(cycles=10**6)
    training = ConcurrentTraining(
        Scenario.of(scenario), parameters, seller=occupant, buyer=occupant, backend=compiled()
    )
    training.run_episodes(EPISODES // 5)
    return training


def turns_of(training: ConcurrentTraining) -> float:
    """Turns per negotiation."""
    turns = 0
    for _ in range(COUNTED):
        training.run_episodes(1)
        assert training.last_negotiation
        turns += len(training.last_negotiation.turns)
    return turns / COUNTED


@pytest.mark.parametrize("scenario", GAMES)
@pytest.mark.parametrize("name", ["q-learning", "sarsa"])
def test_turns_with_hidden_limits(benchmark: Any, check: Check, scenario: str, name: str) -> None:
    without, bound = GAMES[scenario]
    one, other = begun(without, name), begun(scenario, name)
    times = [
        (seconds(lambda: one.run_episodes(EPISODES)), seconds(lambda: other.run_episodes(EPISODES)))
        for _ in range(ROUNDS)
    ]
    least, hidden = (min(each) for each in zip(*times, strict=True))
    benchmark.pedantic(lambda: None, rounds=1)
    per_turn = least / turns_of(one), hidden / turns_of(other)
    check(f"{name}, turns in {scenario} against {without}", bound, per_turn[0] / per_turn[1])
