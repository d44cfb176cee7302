"""A market's speed against self-play in the same run, and its memory."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.market.headless import warm
from tests.support.paths import ROOT
from tests.support.timing import Check, room

NEGOTIATIONS = 3_000_000
ROUNDS = 5
BIG = """
import resource, sys
from negotiation_tui.market.checkpoint import save_room
from negotiation_tui.market.headless import warm
from tests.support.timing import room
full = room(100_000, 1_000_000, warm())
full.run()
save_room(sys.argv[1], full)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2, full.bytes_an_agent)
"""
RESUMED = """
import resource, sys
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.checkpoint import load_room, save_room
full = load_room(sys.argv[1], Limit("negotiations", 2_000_000))
full.run()
save_room(sys.argv[1], full)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)
"""


def seconds(work: Callable[[], object]) -> float:
    begun = time.thread_time()
    work()
    return time.thread_time() - begun


def test_a_thousand_agents_against_self_play(benchmark: Any, check: Check) -> None:
    engine = warm()
    if engine is None:
        pytest.skip("needs numba")
    parameters = Parameters(cycles=NEGOTIATIONS // 100, episodes=100)

    def self_play() -> None:
        ConcurrentTraining(Scenario.original(), parameters, 0, backend=engine.backend).run()

    def market() -> None:
        room(1000, NEGOTIATIONS, engine).run()

    benchmark.pedantic(market, rounds=2, warmup_rounds=1)
    turns = [(seconds(self_play), seconds(market)) for _ in range(ROUNDS)]
    alone, many = (min(times) for times in zip(*turns, strict=True))
    check("a market of 1,000 learners, 5 × 5, against self-play", "≥ 0.6 ×", alone / many)


def test_memory_of_a_hundred_thousand_agents(benchmark: Any, check: Check, tmp_path: Path) -> None:
    def measured(script: str) -> list[float]:
        run = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "room.npz")],
            cwd=ROOT,  # to find this module
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return [float(word) for word in run.stdout.split()]

    whole, each = benchmark.pedantic(measured, (BIG,), rounds=1)
    (resumed,) = measured(RESUMED)
    check("a market of 100,000 learners, run and saved, the whole process", "≤ 2 GiB", whole)
    check("that market resumed from its file, run and saved", "≤ 2 GiB", resumed)
    check("its tables and accounts per agent", "≤ 4000 bytes", each)
