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
from negotiation_tui.solvers.payoffs import rewards
from tests.support.timing import Check, compiled, seconds

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
def test_training_against_c(
    benchmark: Any, trains_in_c: tuple[Train, Train], check: Check, size: int
) -> None:
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
    benchmark.pedantic(ours, rounds=2)
    check(f"training, {size} × {size}, against C", f"≥ {BOUNDS[size]} ×", median(ratios))
