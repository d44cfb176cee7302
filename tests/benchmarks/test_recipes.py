"""How soon a recipe reaches equilibrium: NashConv with the learner's own discount, over seeds."""

import time
from statistics import median
from typing import Any

import pytest

from negotiation_tui.experiments import sweep
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import compiled
from tests.support.timing import Check

RECIPE = "reverse-curriculum"
NEAR = 0.001
SEEDS = 5
JUDGEMENTS = 40
"""About so many in a training, each at the end of a cycle, the last at the end of the last."""


def distance(training: ConcurrentTraining) -> float:
    seller, buyer = (training.policy(role) for role in Role)
    assert isinstance(seller, TabularPolicy)
    assert isinstance(buyer, TabularPolicy)
    return nash_conv(training.scenario, seller, buyer, training.parameters.discount_rate).total


def episodes_until_near(size: int, seed: int) -> float:
    """After how many NashConv was near 0 for good, infinite where it never was."""
    words = {"prices": str(size), "rounds": str(size), "states": "opener-aware", "recipe": RECIPE}
    job = sweep.run_of(Scenario.original(), words, seed)
    training = ConcurrentTraining(job.scenario, job.parameters, seed, backend=compiled())
    stride = -(-job.parameters.cycles // JUDGEMENTS)
    since = float("inf")
    while not training.finished:
        training.run(min(stride, job.parameters.cycles - training.cycle))
        if distance(training) > NEAR:
            since = float("inf")
        elif since > training.episode:
            since = training.episode
    return since


@pytest.mark.parametrize(("size", "bound"), [(5, 50_000), (20, 1_500_000), (50, 25_000_000)])
def test_a_recipe_reaches_equilibrium(benchmark: Any, check: Check, size: int, bound: int) -> None:
    compiled()
    found: list[float] = []

    def every_seed() -> None:
        found.extend(episodes_until_near(size, seed) for seed in range(SEEDS))

    begun = time.perf_counter()
    benchmark.pedantic(every_seed, rounds=1)
    seconds = (time.perf_counter() - begun) / SEEDS
    check(
        f"{RECIPE}, {size} × {size}, NashConv ≤ {NEAR} for good ({seconds:.1f} s a seed)",
        f"≤ {bound} episodes",
        median(found),
    )
