"""How fast it trains, as ratios measured in turns, so that a busy machine hits both."""

import ctypes
import multiprocessing
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui import LEARNERS, Role, Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import epsilons
from negotiation_tui.solvers.payoffs import rewards
from tests.support.game import compiled
from tests.support.restated import Restated
from tests.support.timing import Check, in_turns

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

    theirs, own = map(min, in_turns(ROUNDS, restated, ours))
    return theirs * trainings / own


def train_one(seed: int) -> None:
    train(compiled(), seed, SWEEP_CYCLES)


@pytest.mark.parametrize(
    ("how", "backend", "bound"),
    [("compiled", compiled, "≥ 500 ×"), ("plain", lambda: PLAIN, "≥ 20 ×")],
)
def test_training(check: Check, how: str, backend: Callable[[], Backend], bound: str) -> None:
    trainings = 20 if how == "compiled" else 2
    check(f"training, {how}, against the restatement", bound, times_as_fast(backend(), trainings))


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
        by_one, by_two = map(min, in_turns(ROUNDS, alone, together, clock=time.perf_counter))
    check("two processes against one, sweep of seeds", "≥ 1.8 ×", by_one / by_two)


SOURCE = Path(__file__).with_name("training.c")
TURNS = 7
BOUNDS = [
    ("q-learning", 5, 20_000, 0.7),
    ("q-learning", 20, 20_000, 0.7),
    ("q-learning", 50, 2_000, 0.62),
    ("q-learning", 50, 10_000, 0.55),
    ("q-learning", 100, 1_500, 0.56),
    ("q-learning", 100, 10_000, 0.55),
    ("sarsa", 5, 20_000, 0.5),
    ("sarsa", 20, 20_000, 0.1),
]
"""Learner, number of prices and rounds, cycles of 100 episodes, and least ratio."""
DRAWS_PER_EPISODE = 12
"""On average more than one needs at any of these sizes."""
Train = Callable[[Scenario, Parameters, Any, Any], Any]


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Train]:
    compiler = shutil.which("gcc")
    if compiler is None or os.name == "nt":
        pytest.skip("needs gcc")
    # Numba rounds each product too; otherwise C would join it with a sum, to other bits.
    options = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]

    def pointer(array: Any) -> Any:
        return ctypes.c_void_p(array.ctypes.data)

    def built(*definitions: str) -> Train:
        library = tmp_path_factory.mktemp("c") / "training.so"
        defined = [f"-D{each}" for each in definitions]
        subprocess.run(
            [compiler, *options, *defined, "-o", library, SOURCE], check=True, timeout=120
        )
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

    return built


@pytest.mark.parametrize(("learner", "size", "cycles", "bound"), BOUNDS)
def test_training_against_c(
    in_c: Callable[..., Train], check: Check, learner: str, size: int, cycles: int, bound: float
) -> None:
    """The variant of the C program with the least median is the yardstick."""
    scenario = Scenario.from_dict({"prices": size, "rounds": size})
    parameters, backend, seat = Parameters(cycles=cycles), compiled(), LEARNERS[learner]
    words = generators(7).test.integers(1 << 64, size=4, dtype=np.uint64)

    def ours() -> ConcurrentTraining:
        training = ConcurrentTraining(
            scenario, parameters, 7, seller=seat, buyer=seat, backend=backend
        )
        training.run()
        return training

    trained, works = ours(), list[Callable[[], object]]([ours])
    most = parameters.total * DRAWS_PER_EPISODE
    for whole in range(2):
        variant = f"SARSA={int(learner == 'sarsa')}", f"WHOLE={whole}"
        tables = np.zeros((2, scenario.n_states, scenario.n_actions))
        numbers = generators(7).training.random(most)
        counts = in_c("GIVEN", *variant)(scenario, parameters, numbers, tables)
        assert np.array_equal(trained.statistics.counts, counts)
        assert np.array_equal(trained.q_tables, tables)
        works.append(partial(in_c(*variant), scenario, parameters, words, None))
    own, *variants = in_turns(TURNS, *works)
    ratio = median(c / python for c, python in zip(min(variants, key=median), own, strict=True))
    what = f"`{learner}`, {size} × {size}, {cycles:,} cycles, against C"
    check(what, f"≥ {bound} ×", ratio)
