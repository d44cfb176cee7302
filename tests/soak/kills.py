"""SIGKILL at random moments of runs that write files: up to three in a row, then to the end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.market.checkpoint import load_simulation
from tests.support.cli import python, started
from tests.support.processes import alive
from tests.support.soak import a_folder

if os.name == "nt":
    raise ImportError("needs SIGKILL")
SMALL, LONG = 1, 60
KILLS = 3  # the most kills of one chain
SECONDS = 120.0
PROGRAM = (
    "import sys; from negotiation_tui.market import headless; headless.SAVE_EVERY = 0.02;"
    " from negotiation_tui.__main__ import run; sys.exit(run())"
)
"""The program, with a market that is saved fifty times per second and not once per minute."""


@dataclass(frozen=True)
class Chain:
    """A command that writes a file, and is given again after each kill."""

    words: str
    file: str
    check: Callable[[Path], object]  # assert that the file is whole, after a kill
    again: str = ""
    """The command to go on with once there is a file; otherwise the first one."""


def attack(random: Random) -> None:
    """Kill a command at random moments; then it ends as if nothing had happened."""
    chain = random.choice(CHAINS)
    expected, seconds = uninterrupted(chain)
    file = Path(chain.file)

    def words() -> str:
        return chain.again if chain.again and file.exists() else chain.words

    for _ in range(random.randint(1, KILLS)):
        ended = killed(words(), random.uniform(0.0, 1.1) * seconds)
        if file.exists():
            chain.check(file)
        if ended:
            break
    finished(words())
    assert file.read_bytes() == expected, f"{chain.file} differs from that of an undisturbed run"
    assert [*Path().iterdir()] == [file], "something is left behind"


@cache
def uninterrupted(chain: Chain) -> tuple[bytes, float]:
    with a_folder():
        begun = time.monotonic()
        finished(chain.words)
        return Path(chain.file).read_bytes(), time.monotonic() - begun


def killed(words: str, seconds: float) -> bool:
    with started([sys.executable, "-c", PROGRAM, *words.split()]) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        status = process.wait(SECONDS)
        assert not alive(process.pid), "its workers live on"
    assert status in {0, -signal.SIGKILL}, f"status {status}"
    return status == 0


def finished(words: str) -> None:
    done = python("-c", PROGRAM, *words.split(), timeout=SECONDS)
    assert done.returncode == 0, f"{words}: status {done.returncode}, {done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr


def rows_once(path: Path) -> None:
    """All lines but the last are whole, and none is there twice."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    assert len(lines) == len(set(lines)), "a row is there twice"
    assert len({line.count(",") for line in lines}) <= 1 or path.suffix == ".jsonl", lines


SWEEP = "sweep --set cycles=40,60 --runs 8"
CHAINS = (
    Chain(f"{SWEEP} --workers 1 --out s.csv", "s.csv", rows_once),
    Chain(f"{SWEEP} --workers 1 --out s.jsonl", "s.jsonl", rows_once),
    Chain(f"{SWEEP} --workers 2 --out s.csv", "s.csv", rows_once),
    Chain(
        "tournament boulware micro midpoint random conceder --text --negotiations 300 --workers 1"
        " --out t.csv",
        "t.csv",
        rows_once,
    ),
    Chain("train --seed 3 --cycles 60 --save l.npz", "l.npz", load_tables),
    Chain(
        "market --seed 3 --sellers 20 --buyers 20 --text --limit negotiations=20000 --save m.npz",
        "m.npz",
        load_simulation,
        "market --resume m.npz --text --save m.npz",
    ),
)
