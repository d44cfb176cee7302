"""A market's speed against self-play in the same run, and its memory."""

import subprocess
import sys
from pathlib import Path
from tomllib import loads

import pytest

from negotiation_tui import LEARNERS, Role, Scenario
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import PREFIX
from negotiation_tui.market.headless import warm
from negotiation_tui.market.roster import read_roster
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from tests.support.paths import ROOT
from tests.support.timing import Check, in_turns, room

GAME = Scenario.original()
ROUNDS = 5
BIG = """
import resource, sys
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.headless import warm
from negotiation_tui.market.run_length import RunLength
from tests.support.timing import room
full = {}
full.run()
save_simulation(sys.argv[1], full)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2, full.bytes_per_agent)
"""
BEGUN = "room(100_000, 1_000_000, warm())"
RESUMED = "load_simulation(sys.argv[1], RunLength('negotiations', 2_000_000))"


@pytest.mark.parametrize(
    ("agents", "learner", "negotiations", "bound"),
    [(1000, "q-learning", 3_000_000, "≥ 0.65 ×"), (100, "actor-critic", 300_000, "≥ 0.15 ×")],
)
def test_a_market_against_self_play(
    check: Check, agents: int, learner: str, negotiations: int, bound: str
) -> None:
    spec, seat = f"{PREFIX}{learner}", LEARNERS[learner]
    parameters = Parameters(cycles=negotiations // 100, episodes=100)
    backend = warm(room(agents, negotiations, PLAIN, spec))
    if backend is None:
        pytest.skip("needs numba")

    def self_play() -> None:
        ConcurrentTraining(GAME, parameters, seller=seat, buyer=seat, backend=backend).run()

    def market() -> None:
        room(agents, negotiations, backend, spec).run()

    self_play()
    alone, many = map(min, in_turns(ROUNDS, self_play, market))
    check(f"a market of {agents:,}, `{learner}`, 5 × 5, against self-play", bound, alone / many)


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
        agents = read_roster(path, GAME, population_generator(0))
        return MarketSimulation(GAME, agents, RunLength("negotiations", 1), 0)

    few, many = written(1000), written(10_000)
    works = (lambda: opened(few)), (lambda: opened(many)), (lambda: loads(many.read_text()))
    small, large, read = map(min, in_turns(ROUNDS, *works))
    check("opening a market of 10,000 entries, against parsing the file", "≤ 10 ×", large / read)
    check("opening 10,000 entries, against 1,000", "≤ 12 ×", large / small)


def test_memory_of_a_hundred_thousand_agents(check: Check, tmp_path: Path) -> None:
    def measured(full: str) -> list[float]:
        run = subprocess.run(
            [sys.executable, "-c", BIG.format(full), str(tmp_path / "room.npz")],
            cwd=ROOT,  # to find this module
            capture_output=True,
            text=True,
            check=True,
            timeout=300,
        )
        return [float(word) for word in run.stdout.split()]

    whole, each = measured(BEGUN)
    resumed, _ = measured(RESUMED)
    check("a market of 100,000 learners, run and saved, the whole process", "≤ 2 GiB", whole)
    check("that market resumed from its file, run and saved", "≤ 2 GiB", resumed)
    check("its tables and accounts per agent", "≤ 4000 bytes", each)
