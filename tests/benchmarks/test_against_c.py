"""The compiled training against a C program of the same work, which a C compiler makes here."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import epsilons
from negotiation_tui.solvers.subgame_perfect import rewards
from tests.support.timing import Check, compiled, seconds

SOURCE = Path(__file__).with_name("training.c")
TURNS = 9
SIZES = {5: 5000, 20: 5000, 50: 3000, 100: 2000}
"""Cycles of 100 episodes by the number of prices and rounds."""
BOUND = "≥ 0.6 ×"
Train = Callable[[Scenario, Parameters, int, Any], Any]


@pytest.fixture(scope="module")
def train_in_c(tmp_path_factory: pytest.TempPathFactory) -> Train:
    compiler = shutil.which("gcc")
    if compiler is None or os.name == "nt":
        pytest.skip("needs gcc")
    library = tmp_path_factory.mktemp("c") / "training.so"
    # Numba rounds each product too; otherwise C would join it with a sum, to other bits.
    options = ["-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run([compiler, *options, "-o", library, SOURCE], check=True, timeout=120)
    function = ctypes.CDLL(str(library)).train

    def pointer(array: Any) -> Any:
        return ctypes.c_void_p(array.ctypes.data)

    def train(scenario: Scenario, parameters: Parameters, seed: int, tables: Any) -> Any:
        falling = epsilons(parameters, 0, 3 * parameters.episodes)
        gains = np.concatenate([rewards(scenario, role) for role in Role])
        state: Any = generators(seed).training.bit_generator.state
        numbers = [state["state"]["state"], state["state"]["inc"]]
        halves = np.array([h for n in numbers for h in (n >> 64, n & (1 << 64) - 1)], np.uint64)
        counts = np.zeros((parameters.cycles, 6), np.int64)
        sizes = scenario.n_prices, scenario.rounds, parameters.cycles, parameters.episodes
        rates = parameters.learning_rate, parameters.discount_rate
        assert function(
            *map(ctypes.c_long, sizes),
            *map(ctypes.c_double, rates),
            *map(pointer, (falling, gains, halves, counts)),
            None if tables is None else pointer(tables),
        )
        return counts

    return train


@pytest.mark.parametrize("size", SIZES)
def test_training_against_c(benchmark: Any, train_in_c: Train, check: Check, size: int) -> None:
    scenario = Scenario.from_dict({"prices": size, "rounds": size})
    parameters, backend = Parameters(cycles=SIZES[size]), compiled()
    trainings = []

    def ours() -> None:
        trainings.append(ConcurrentTraining(scenario, parameters, 7, backend=backend))
        trainings[-1].run()

    def in_c() -> None:
        train_in_c(scenario, parameters, 7, None)

    ours()
    tables = np.zeros((2, scenario.n_states, scenario.n_actions))
    counts = train_in_c(scenario, parameters, 7, tables)
    assert np.array_equal(trainings[-1].statistics.counts, counts)
    assert np.array_equal(trainings[-1].q_tables, tables)
    ratios = []
    for _ in range(TURNS):
        trainings.clear()
        ratios.append(seconds(in_c) / seconds(ours))
    benchmark.pedantic(ours, rounds=2)
    check(f"training, {size} × {size}, against C", BOUND, median(ratios))
