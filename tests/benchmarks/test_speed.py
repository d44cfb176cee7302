"""How fast it trains, as ratios measured in turns, so that a busy machine hits both."""

import ctypes
import multiprocessing
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import epsilons
from negotiation_tui.solvers.payoffs import rewards
from tests.support.game import compiled
from tests.support.restated import Restated
from tests.support.timing import Check, seconds

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


def test_compiled_training(check: Check) -> None:
    backend = compiled()
    check(
        "training, compiled, one thread, against the restatement",
        "≥ 500 ×",
        times_as_fast(backend, 20),
    )


def test_plain_training(check: Check) -> None:
    check("training, without numba, against the restatement", "≥ 20 ×", times_as_fast(PLAIN, 2))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two processors")
def test_two_processes(check: Check) -> None:
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
    by_one, by_two = (min(times) for times in zip(*turns, strict=True))
    check("two processes against one, sweep of seeds", "≥ 1.8 ×", by_one / by_two)


SOURCE = Path(__file__).with_name("training.c")
TURNS = 9
SIZES = {5: 20_000, 20: 10_000, 50: 4000, 100: 2000}
"""Cycles of 100 episodes by the number of prices and rounds."""
BOUNDS = {5: 0.7, 20: 0.7, 50: 0.55, 100: 0.55}
DRAWS_PER_EPISODE = 12
"""On average more than one needs at any of these sizes."""
Train = Callable[[Scenario, Parameters, Any, Any], Any]


@pytest.fixture(scope="module")
def trains_in_c(tmp_path_factory: pytest.TempPathFactory) -> tuple[Train, Train]:
    """The C program with its own random numbers, and with given ones."""
    compiler = shutil.which("gcc")
    if compiler is None or os.name == "nt":
        pytest.skip("needs gcc")
    folder = tmp_path_factory.mktemp("c")
    # Numba rounds each product too; otherwise C would join it with a sum, to other bits.
    options = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]

    def pointer(array: Any) -> Any:
        return ctypes.c_void_p(array.ctypes.data)

    def built(*more: str) -> Train:
        library = folder / f"training{len(more)}.so"
        subprocess.run([compiler, *options, *more, "-o", library, SOURCE], check=True, timeout=120)
        function = ctypes.CDLL(str(library)).train

        def train(scenario: Scenario, parameters: Parameters, numbers: Any, tables: Any) -> Any:
            falling = epsilons(parameters, 0, 3 * parameters.episodes)
            gains = np.concatenate([rewards(scenario, role) for role in Role])
            counts = np.zeros((parameters.cycles, 6), np.int64)
            sizes = scenario.n_prices, scenario.rounds
            lengths = parameters.cycles, parameters.episodes
            rates = parameters.learning_rate, parameters.discount_rate
            assert function(
                *map(ctypes.c_int, sizes),
                *map(ctypes.c_long, lengths),
                *map(ctypes.c_double, rates),
                *map(pointer, (falling, gains, numbers, counts)),
                None if tables is None else pointer(tables),
            )
            return counts

        return train

    return built(), built("-DGIVEN")


@pytest.mark.parametrize("size", SIZES)
def test_training_against_c(trains_in_c: tuple[Train, Train], check: Check, size: int) -> None:
    scenario = Scenario.from_dict({"prices": size, "rounds": size})
    parameters, backend = Parameters(cycles=SIZES[size]), compiled()
    drawing, given = trains_in_c
    words = generators(7).test.integers(1 << 64, size=4, dtype=np.uint64)
    trainings = []

    def ours() -> None:
        trainings.append(ConcurrentTraining(scenario, parameters, 7, backend=backend))
        trainings[-1].run()

    def in_c() -> None:
        drawing(scenario, parameters, words, None)

    ours()
    tables = np.zeros((2, scenario.n_states, scenario.n_actions))
    most = parameters.total * DRAWS_PER_EPISODE
    counts = given(scenario, parameters, generators(7).training.random(most), tables)
    assert np.array_equal(trainings[-1].statistics.counts, counts)
    assert np.array_equal(trainings[-1].q_tables, tables)
    ratios = []
    for _ in range(TURNS):
        trainings.clear()
        ratios.append(seconds(in_c) / seconds(ours))
    check(f"training, {size} × {size}, against C", f"≥ {BOUNDS[size]} ×", median(ratios))
