"""Signals at random moments: no traceback, status 128 + signal, nothing left behind, files whole.

Ctrl-C once or twice, to all processes of the terminal; SIGTERM, SIGKILL, or SIGHUP as it goes away.
A command that writes a file is ended up to three times in a row, then goes on to the end: a file
that is replaced is the old one or the new one, and one that grows has whole rows.
"""

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from negotiation_tui.market.checkpoint import load_simulation
from tests.support import processes
from tests.support.cli import python
from tests.support.paths import DOCS
from tests.support.soak import a_folder

if os.name == "nt":
    raise ImportError("needs the signals of Unix")
import pty
import termios

SMALL, LONG = 12, 700
LATEST = 4.0  # seconds within which the first signal is sent
DEADLINE = 30.0
SECONDS = 120.0  # for a command that is not disturbed
SIGNALS = (*(signal.SIGKILL,) * 3, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OLD = b"old\n"
TABLES, MARKET = "tables.npz", "market.npz"
SCREENS = (
    "watch --pace flat --cycles 1000000",
    "watch --record r.jsonl --pace flat --cycles 1000000",
    "play --against boulware",
    "tournament --out t.csv --negotiations 100000 --workers 2",
    f"market --limit negotiations=100000000 --save {MARKET}",
    "watch --seller cmd:./bot --delta 0.9,0.8",
    "tour",
    "results .",
    "league --out l.csv --workers 2",
)
"""On a terminal these go on until they are ended."""
ENDLESS = (
    "train --cycles 1000000",
    "train --cycles 1000000 --json --save t.npz",
    f"test {TABLES} --negotiations 100000000",
    "sweep --runs 100000 --out s.csv --workers 2",
    "sweep --runs 100000 --out s.csv --workers 1",
    "reproduce --runs 10000 --workers 2",
    "tournament --text --out t.csv --negotiations 100000 --workers 2",
    f"market --limit negotiations=100000000 --text --save {MARKET}",
    "examine cmd:./bot --scenario bazaar --ask 1000 --cassette e.cassette --save e.npz",
    "train --seller cmd:./bot --cycles 1000000",
)
SHORT = (
    "solve",
    f"solve --policy {TABLES}",
    f"test {TABLES}",
    "strategies",
    "check boulware",
    "check cmd:./bot",
    "examine boulware --cassette e.cassette",
    "reproduce --runs 2 --workers 1 --out r.csv",
    "config",
    "--version",
    "--help",
    "train --cycles 3 --save t.npz",
)
"""These may be over before the signal comes."""
PROGRAM = (
    "import sys; from negotiation_tui.market import headless; headless.SAVE_EVERY = 0.02;"
    " from negotiation_tui.__main__ import run; sys.exit(run())"
)
"""The program, with a market that is saved fifty times per second and not once per minute."""
SCRIPT = """\
import re
import sys
from negotiation_tui.__main__ import run
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\\.pyw|\\.exe)?$", "", sys.argv[0])
    sys.exit(run())
"""
"""The program as an installer writes it."""


@dataclass(frozen=True)
class Chain:
    """A command that writes a file, and is given again after each kill."""

    words: str
    file: str
    check: Callable[[Path], object] | None = None
    """Asserts that a file that grows is whole, after a kill; None for one that is replaced."""
    again: str = ""
    """The command to go on with once there is a file; otherwise the first one."""
    keys: str = ""  # typed on standard input, with which the command ends


def attack(random: Random) -> None:
    Path("negotiation-tui").write_text(SCRIPT, encoding="utf-8")
    Path("tmp").mkdir()
    (once if random.random() < 0.7 else in_a_row)(random)


def once(random: Random) -> None:
    words = random.choice(random.choice((SCREENS, ENDLESS, SHORT)))
    sent = signal.Signals[random.choice(("SIGINT", "SIGINT", "SIGINT", "SIGTERM", "SIGHUP"))]
    moments = [random.uniform(0, random.choice((0.5, 1.5, LATEST)))]
    if sent == signal.SIGINT and random.random() < 0.5:
        moments.append(moments[0] + random.uniform(0, 0.3))
    how = random.choice((["-m", "negotiation_tui"], ["negotiation-tui"]))
    on_terminal = words in SCREENS or random.random() < 0.5
    Path(TABLES).write_bytes(tables())
    shutil.copy(DOCS / "players" / "hardliner.sh", "bot")
    Path("bot").chmod(0o755)
    status, output = ended(how, words, sent, moments, on_terminal)
    assert status or words in SHORT or of_python(output), f"{words}: status 0"
    cut = [path for path in Path().glob("*.c*") if not path.read_bytes().endswith(b"\n")]
    assert not cut, f"{words}: {cut} are cut"


def ended(
    how: Sequence[str],
    words: str,
    sent: signal.Signals,
    moments: Sequence[float],
    on_terminal: bool = False,
    keys: str = "",
) -> tuple[int, str]:
    """Run a command that gets signals, and check how it ends; return its status and output.

    A program may be over before, or die by a signal of before its start.
    """
    reading, writing = pty.openpty() if on_terminal else os.pipe()
    before = termios.tcgetattr(writing) if on_terminal else []
    folders = {"TMPDIR": str(Path("tmp").resolve()), "XDG_STATE_HOME": state()}
    try:
        process = subprocess.Popen(
            [sys.executable, *how, *words.split()],
            stdin=writing if on_terminal else subprocess.PIPE,
            stdout=writing,
            stderr=writing,
            env={**os.environ, **folders, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        if process.stdin:
            process.stdin.write(keys.encode())
            process.stdin.close()
        output = _watch(process, reading, sent, moments)
        status = process.wait()
        alive = processes.alive(process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        after = termios.tcgetattr(writing) if on_terminal else []
    finally:
        os.close(reading)
        os.close(writing)
    left = [path.name for path in (*Path().rglob(".*"), *Path("tmp").iterdir())]
    wrong = {
        "a traceback": re.search(r"Traceback|Exception ignored|Error\b", output),
        f"status {status}": status not in {0, 128 + sent, -sent},
        "processes left": alive,
        f"files left: {', '.join(left)}": left and sent != signal.SIGKILL,
        "modes of the terminal left": before != after,
        "the screen left": output.rfind("\x1b[?1049h") > output.rfind("\x1b[?1049l"),
    }
    found = "; ".join(text for text, true in wrong.items() if true)
    where = "terminal" if on_terminal else "pipe"
    at = f"{sent.name} at {', '.join(f'{moment:.3f}' for moment in moments)} s"
    assert of_python(output) or not found, (
        f"{words} ({how[0]}, {where}, {at}): {found}\n{output[-6000:]}"
    )
    return status, output


def in_a_row(random: Random) -> None:
    """End a command at random moments; then it ends as if nothing had happened."""
    chain = random.choice(CHAINS)
    expected, seconds = undisturbed(chain)
    file, whole = Path(chain.file), {expected}
    if chain.check is None and random.random() < 0.7:
        whole.add(OLD)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(OLD)

    def words() -> str:
        return chain.again if chain.again and file.exists() else chain.words

    status = -1
    for _ in range(random.randint(1, 3)):
        sent, moment = random.choice(SIGNALS), random.uniform(0.0, 1.1) * seconds
        status, _ = ended(["-c", PROGRAM], words(), sent, [moment], keys=chain.keys)
        assert OLD not in whole or file.exists(), f"{chain.words}: the old file is gone"
        if chain.check is None:
            got = file.read_bytes() if file.exists() else expected
            assert got in whole, f"{chain.words}: neither the old file nor the new one"
        elif file.exists():
            chain.check(file)
        if status == 0:
            break
    finished(words(), chain.keys)
    assert untimed(file) == expected, f"{chain.file} differs from that of an undisturbed run"
    names = {str(path) for path in Path().rglob("*") if path.is_file() and path.parts[0] != "tmp"}
    assert names == {"negotiation-tui", chain.file}, f"left behind: {names}"


@cache
def undisturbed(chain: Chain) -> tuple[bytes, float]:
    with a_folder():
        begun = time.monotonic()
        finished(chain.words, chain.keys)
        return untimed(Path(chain.file)), time.monotonic() - begun


def untimed(path: Path) -> bytes:
    """Return the contents without the seconds that a job took."""
    return re.sub(rb'"seconds": [^,]*', b"", path.read_bytes())


@cache
def tables() -> bytes:
    with a_folder() as folder:
        save = [sys.executable, "-m", "negotiation_tui", "train", "--cycles", "2", "--save", TABLES]
        subprocess.run(save, check=True, capture_output=True, timeout=DEADLINE)
        return (folder / TABLES).read_bytes()


def of_python(output: str) -> bool:
    """True for a traceback of Python itself, from before the first line of the package."""
    files = re.findall(r'File "(.*?)"', output)
    begun = "__main__.py" in output if "<string>" in files else "/negotiation_tui/" in f"{files}"
    return "KeyboardInterrupt" in output and not begun


def _watch(
    process: "subprocess.Popen[bytes]", reading: int, sent: signal.Signals, moments: Sequence[float]
) -> str:
    """Send the signals, and return all output until the end of the program."""
    begun, output, due = time.monotonic(), b"", list(moments)
    while True:
        elapsed = time.monotonic() - begun
        if due and elapsed >= due[0]:
            due.pop(0)
            with contextlib.suppress(ProcessLookupError):
                (os.kill if sent == signal.SIGTERM else os.killpg)(process.pid, sent)
        ended = process.poll() is not None
        if elapsed > moments[-1] + DEADLINE and not ended:
            os.killpg(process.pid, signal.SIGKILL)
        wait = 0.0 if ended else min(0.02, max(0.0, due[0] - elapsed) if due else 0.02)
        if select.select([reading], [], [], wait)[0]:
            output += os.read(reading, 1 << 16)
        elif ended:
            return output.decode(errors="replace")


def state() -> str:
    """The folder in which the tour keeps the progress."""
    return str(Path("state").resolve())


def finished(words: str, keys: str = "") -> None:
    run = "-c", PROGRAM, *words.split()
    done = python(*run, sent=keys, timeout=SECONDS, XDG_STATE_HOME=state())
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
    Chain("watch --film i.svg --seconds 6 --seed 3", "i.svg"),
    Chain("market --seed 3 --limit steps=30 --text --out o.csv", "o.csv"),
    Chain("tour 9 --speak", "state/negotiation-tui/tour.json", keys="\r1 " * 1000),
    Chain(
        "market --seed 3 --sellers 20 --buyers 20 --text --limit negotiations=20000 --save m.npz",
        "m.npz",
        load_simulation,
        "market --resume m.npz --text --save m.npz",
    ),
)
