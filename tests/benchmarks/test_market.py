"""A market's speed against self-play in the same run, and its memory."""

import subprocess
import sys
from pathlib import Path

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.market.headless import warm
from negotiation_tui.market.roster import from_file
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from tests.support.paths import ROOT
from tests.support.timing import Check, room, seconds

NEGOTIATIONS = 3_000_000
ROUNDS = 5
BIG = """
import resource, sys
from negotiation_tui.market.checkpoint import save_simulation
from negotiation_tui.market.headless import warm
from tests.support.timing import room
full = room(100_000, 1_000_000, warm())
full.run()
save_simulation(sys.argv[1], full)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2, full.bytes_per_agent)
"""
RESUMED = """
import resource, sys
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
full = load_simulation(sys.argv[1], RunLength("negotiations", 2_000_000))
full.run()
save_simulation(sys.argv[1], full)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)
"""


def test_a_thousand_agents_against_self_play(check: Check) -> None:
    backend = warm()
    if backend is None:
        pytest.skip("needs numba")
    parameters = Parameters(cycles=NEGOTIATIONS // 100, episodes=100)

    def self_play() -> None:
        ConcurrentTraining(Scenario.original(), parameters, 0, backend=backend).run()

    def market() -> None:
        room(1000, NEGOTIATIONS, backend).run()

    turns = [(seconds(self_play), seconds(market)) for _ in range(ROUNDS)]
    alone, many = (min(times) for times in zip(*turns, strict=True))
    check("a market of 1,000 learners, 5 × 5, against self-play", "≥ 0.65 ×", alone / many)


def test_a_hundred_agents_with_chances(check: Check) -> None:
    learner, n = "learned:actor-critic", NEGOTIATIONS // 10
    backend = warm(room(100, n, PLAIN, learner))
    if backend is None:
        pytest.skip("needs numba")
    times = [seconds(room(100, n, backend, learner).run) for _ in range(ROUNDS)]
    check("a market of 100 actor-critics, 5 × 5", "≥ 100000 /s", n / min(times))


def test_opening_a_market_from_a_file(check: Check, tmp_path: Path) -> None:
    warm()  # a market of 10,000 agents begins compiled

    def written(entries: int) -> Path:
        """Half learners at rates of their own, half strategies."""
        kinds = ("learned", "boulware", "learned", "midpoint")
        path = tmp_path / f"{entries}.toml"
        path.write_text(
            "\n".join(
                f'[[{role}]]\nname = "{role}{n}"\nstrategy = "{kinds[n % 4]}"\n'
                f"reservation = {n % 3 + 1}\nlearning_rate = {(n + 1) / entries}"
                for n in range(entries // 2)
                for role in Role
            )
        )
        return path

    def opened(path: Path) -> MarketSimulation:
        game = Scenario.original()
        agents = from_file(path, game, population_generator(0))
        return MarketSimulation(game, agents, RunLength("negotiations", 1), 0)

    few, many = written(1000), written(10_000)
    turns = [(seconds(lambda: opened(few)), seconds(lambda: opened(many))) for _ in range(ROUNDS)]
    small, large = (min(times) for times in zip(*turns, strict=True))
    check("opening a market of 10,000 entries of a file", "≤ 1 s", large)
    check("opening 10,000 entries against 1,000", "≤ 12 ×", large / small)


def test_memory_of_a_hundred_thousand_agents(check: Check, tmp_path: Path) -> None:
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

    whole, each = measured(BIG)
    (resumed,) = measured(RESUMED)
    check("a market of 100,000 learners, run and saved, the whole process", "≤ 2 GiB", whole)
    check("that market resumed from its file, run and saved", "≤ 2 GiB", resumed)
    check("its tables and accounts per agent", "≤ 4000 bytes", each)
