"""How fast it trains: ratios between things measured in turns, so that a busy machine hits both."""

import multiprocessing
import os
import time
from typing import Any

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from tests.support.restated import Restated
from tests.support.timing import Check, compiled, seconds

CYCLES = 500
EPISODES = 100
ROUNDS = 7
SEEDS = 20
SWEEP_CYCLES = 10_000


def train(backend: Backend, seed: int = 0, cycles: int = CYCLES) -> None:
    parameters = Parameters(cycles=cycles, episodes=EPISODES)
    ConcurrentTraining(Scenario.original(), parameters, seed, backend=backend).run()


def times_as_fast(backend: Backend, trainings: int) -> float:
    """Against the restatement, best of several turns each; so many trainings in a turn of ours."""

    parameters = Parameters(cycles=CYCLES, episodes=EPISODES)

    def restated() -> None:
        training = Restated(Scenario.original(), parameters, 0, True, Role.SELLER, {})
        for episode in range(parameters.total):
            training.negotiation(episode)

    def ours() -> None:
        for seed in range(trainings):
            train(backend, seed)

    turns = [(seconds(restated), seconds(ours) / trainings) for _ in range(ROUNDS)]
    theirs, own = (min(times) for times in zip(*turns, strict=True))
    return float(theirs / own)


def train_one(seed: int) -> None:
    """What a process of a sweep does."""
    train(compiled(), seed, SWEEP_CYCLES)


def test_compiled_training(benchmark: Any, check: Check) -> None:
    backend = compiled()
    benchmark.pedantic(train, (backend,), rounds=20, warmup_rounds=2)
    check(
        "training, compiled, one thread, against the restatement",
        "≥ 500 ×",
        times_as_fast(backend, 20),
    )


def test_plain_training(benchmark: Any, check: Check) -> None:
    benchmark.pedantic(train, (PLAIN,), rounds=5, warmup_rounds=1)
    check("training, without numba, against the restatement", "≥ 20 ×", times_as_fast(PLAIN, 2))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two processors")
def test_two_processes(benchmark: Any, check: Check) -> None:
    compiled()
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(1, compiled) as one, spawn.Pool(2, compiled) as two:

        def alone() -> None:
            one.map(train_one, range(SEEDS), chunksize=1)

        def together() -> None:
            two.map(train_one, range(SEEDS), chunksize=1)

        for warm_up in (alone, together):
            warm_up()
        wall = time.perf_counter
        turns = [(seconds(alone, wall), seconds(together, wall)) for _ in range(ROUNDS)]
        benchmark.pedantic(together, rounds=2)
    by_one, by_two = (min(times) for times in zip(*turns, strict=True))
    check("two processes against one, sweep of seeds", "≥ 1.8 ×", by_one / by_two)
