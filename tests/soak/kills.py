"""Signals at random moments of runs that write files: up to three in a row, then to the end.

A file that is replaced is the old one or the new one; one that grows has whole rows.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from negotiation_tui.market.checkpoint import load_simulation
from tests.support.cli import python, started
from tests.support.processes import alive
from tests.support.soak import a_folder

if os.name == "nt":
    raise ImportError("needs SIGKILL")
SMALL, LONG = 1, 100
KILLS = 3  # the most signals of one chain
SIGNALS = (*(signal.SIGKILL,) * 3, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OLD = b"old\n"
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
    check: Callable[[Path], object] | None = None
    """Asserts that a file that grows is whole, after a kill; None for one that is replaced."""
    again: str = ""
    """The command to go on with once there is a file; otherwise the first one."""


def attack(random: Random) -> None:
    """End a command at random moments; then it ends as if nothing had happened."""
    chain = random.choice(CHAINS)
    expected, seconds = uninterrupted(chain)
    file, whole = Path(chain.file), {expected}
    if chain.check is None and random.random() < 0.7:
        whole.add(OLD)
        file.write_bytes(OLD)

    def words() -> str:
        return chain.again if chain.again and file.exists() else chain.words

    for _ in range(random.randint(1, KILLS)):
        ended = killed(words(), random.uniform(0.0, 1.1) * seconds, random.choice(SIGNALS))
        assert OLD not in whole or file.exists(), "the old file is gone"
        if chain.check is None:
            assert not file.exists() or file.read_bytes() in whole, "neither the old file nor a new"
        elif file.exists():
            chain.check(file)
        if ended:
            break
    finished(words())
    assert untimed(file) == expected, f"{chain.file} differs from that of an undisturbed run"
    assert [*Path().iterdir()] == [file], "something is left behind"


@cache
def uninterrupted(chain: Chain) -> tuple[bytes, float]:
    with a_folder():
        begun = time.monotonic()
        finished(chain.words)
        return untimed(Path(chain.file)), time.monotonic() - begun


def untimed(path: Path) -> bytes:
    """Return the contents without the seconds that a job took."""
    return re.sub(rb'"seconds": [^,]*', b"", path.read_bytes())


def killed(words: str, seconds: float, sent: signal.Signals) -> bool:
    with started([sys.executable, "-c", PROGRAM, *words.split()]) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(sent)
        status = process.wait(SECONDS)
        assert not alive(process.pid), "its workers live on"
        err = process.communicate()[1]
    assert "__main__.py" not in err, err  # a traceback of the program
    assert status in {0, -sent, 128 + sent}, f"status {status} after {sent.name}"
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


LEAGUE = "league --text --learners sarsa --games 3x2 --seeds 9 --episodes 200 --workers 1"
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
    Chain("reproduce --runs 6 --workers 1 --out r.csv", "r.csv", rows_once),
    Chain(f"{LEAGUE} --out g.jsonl", "g.jsonl", rows_once),
    Chain("train --seed 3 --cycles 60 --save l.npz", "l.npz"),
    Chain("train --seed 3 --cycles 2 --learner sampled-mmd --delta 0.9 --save n.npz", "n.npz"),
    Chain("examine boulware --role seller --save e.npz", "e.npz"),
    Chain("watch --once --seed 3 --svg f.svg", "f.svg"),
    Chain("market --seed 3 --limit steps=30 --text --out o.csv", "o.csv"),
    Chain(
        "market --seed 3 --sellers 20 --buyers 20 --text --limit negotiations=20000 --save m.npz",
        "m.npz",
        load_simulation,
        "market --resume m.npz --text --save m.npz",
    ),
)
