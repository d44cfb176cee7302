"""How fast a learner trains against each static strategy that has a table, against self-play."""

from typing import Any

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.strategies.base import Strategy, tabulable
from negotiation_tui.strategies.best_responder import BestResponder
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.timing import Check, compiled, seconds

EPISODES = 500_000
ROUNDS = 3
ORIGINAL = Scenario.original()


def trained(buyer: Strategy | None) -> ConcurrentTraining:
    """Against this buyer, ready to go on."""
    parameters = Parameters(cycles=10**6)
    training = ConcurrentTraining(ORIGINAL, parameters, buyer=buyer, backend=compiled())
    training.run_episodes(1000)
    return training


def took(training: ConcurrentTraining) -> float:
    return min(seconds(lambda: training.run_episodes(EPISODES)) for _ in range(ROUNDS))


def test_a_learner_against_each_strategy(benchmark: Any, check: Check) -> None:
    self_play = took(trained(None))
    benchmark.pedantic(trained(None).run_episodes, (EPISODES,), rounds=2)
    slowest = max(
        took(trained(strategy)) for strategy in STRATEGIES.values() if tabulable(ORIGINAL, strategy)
    )
    slowest_remembering = max(
        took(trained(strategy))
        for strategy in STRATEGIES.values()
        if strategy.memory and strategy.remembering(ORIGINAL, Role.BUYER)
    )
    response = took(trained(BestResponder()))
    check(
        "a learner against its best response, computed again each cycle",
        "≥ 0.2 ×",
        self_play / response,
    )
    check("a learner against the slowest strategy with a table", "≥ 0.2 ×", self_play / slowest)
    check(
        "a learner against the slowest strategy that heeds earlier offers",
        "≥ 0.2 ×",
        self_play / slowest_remembering,
    )
    check("negotiations per second against it", "≥ 100000 /s", EPISODES / slowest_remembering)
