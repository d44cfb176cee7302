"""Signals at random moments: no traceback, status 128 + signal, nothing left behind.

Ctrl-C once or twice, to all processes of the terminal; or SIGTERM, or SIGHUP as it goes away.
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
from functools import cache
from pathlib import Path
from random import Random

from tests.support import processes
from tests.support.paths import DOCS
from tests.support.soak import a_folder

if os.name == "nt":
    raise ImportError("needs the signals of Unix")
import pty
import termios

SMALL, LONG = 9, 600
LATEST = 4.0  # seconds within which the first signal is sent
DEADLINE = 30.0
TABLES, MARKET = "tables.npz", "market.npz"
SCREENS = (
    "watch --pace flat --cycles 1000000",
    "watch --record r.jsonl --pace flat --cycles 1000000",
    "watch --seed 1 --versus 2",
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
SCRIPT = """\
import re
import sys
from negotiation_tui.__main__ import run
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\\.pyw|\\.exe)?$", "", sys.argv[0])
    sys.exit(run())
"""
"""The program as an installer writes it."""


def attack(random: Random) -> None:
    words = random.choice(random.choice((SCREENS, ENDLESS, SHORT)))
    sent = signal.Signals[random.choice(("SIGINT", "SIGINT", "SIGINT", "SIGTERM", "SIGHUP"))]
    moments = [random.uniform(0, random.choice((0.5, 1.5, LATEST)))]
    if sent == signal.SIGINT and random.random() < 0.5:
        moments.append(moments[0] + random.uniform(0, 0.3))
    how = random.choice((["-m", "negotiation_tui"], ["negotiation-tui"]))
    on_terminal = words in SCREENS or random.random() < 0.5
    Path("negotiation-tui").write_text(SCRIPT, encoding="utf-8")
    Path(TABLES).write_bytes(tables())
    shutil.copy(DOCS / "players" / "hardliner.sh", "bot")
    Path("bot").chmod(0o755)
    Path("tmp").mkdir()
    reading, writing = pty.openpty() if on_terminal else os.pipe()
    before = termios.tcgetattr(writing) if on_terminal else []
    try:
        process = subprocess.Popen(
            [sys.executable, *how, *words.split()],
            stdin=writing if on_terminal else subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            env={**os.environ, "TMPDIR": str(Path("tmp").resolve()), "TERM": "xterm-256color"},
            start_new_session=True,
        )
        output = _watch(process, reading, sent, moments)
        status = process.wait()
        alive = processes.alive(process.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        after = termios.tcgetattr(writing) if on_terminal else []
    finally:
        os.close(reading)
        os.close(writing)
    left = [path.name for path in (*Path().glob(".*"), *Path("tmp").iterdir())]
    wrong = {
        "a traceback": re.search(r"Traceback|Exception ignored|Error\b", output),
        f"status {status}": status not in _expected(words, sent),
        "processes left": alive,
        f"files left: {', '.join(left)}": left,
        "a file is cut": any(not path.read_bytes().endswith(b"\n") for path in Path().glob("*.c*")),
        "modes of the terminal left": before != after,
        "the screen left": output.rfind("\x1b[?1049h") > output.rfind("\x1b[?1049l"),
    }
    found = "; ".join(text for text, true in wrong.items() if true)
    where = "terminal" if on_terminal else "pipe"
    at = f"{sent.name} at {', '.join(f'{moment:.3f}' for moment in moments)} s"
    assert of_python(output) or not found, (
        f"{words} ({how[0]}, {where}, {at}): {found}\n{output[-6000:]}"
    )


@cache
def tables() -> bytes:
    with a_folder() as folder:
        save = [sys.executable, "-m", "negotiation_tui", "train", "--cycles", "2", "--save", TABLES]
        subprocess.run(save, check=True, capture_output=True, timeout=DEADLINE)
        return (folder / TABLES).read_bytes()


def _expected(words: str, number: signal.Signals) -> tuple[int, ...]:
    """The exit statuses that count as right; a program may die by a signal of before its start."""
    return (128 + number, -number, *((0,) if words in SHORT else ()))


def of_python(output: str) -> bool:
    """True for a traceback of Python itself, from before the first line of the package."""
    files = re.findall(r'File "(.*?)"', output)
    return "KeyboardInterrupt" in output and not any("/negotiation_tui/" in file for file in files)


def _watch(
    process: "subprocess.Popen[bytes]", reading: int, sent: signal.Signals, due: list[float]
) -> str:
    """Send the signals, and return all output until the end of the program."""
    begun, output, due = time.monotonic(), b"", list(due)
    while True:
        elapsed = time.monotonic() - begun
        if due and elapsed >= due[0]:
            due.pop(0)
            with contextlib.suppress(ProcessLookupError):
                (os.kill if sent == signal.SIGTERM else os.killpg)(process.pid, sent)
        ended = process.poll() is not None
        if elapsed > DEADLINE and not ended:
            os.killpg(process.pid, signal.SIGKILL)
        wait = 0.0 if ended else min(0.02, max(0.0, due[0] - elapsed) if due else 0.02)
        if select.select([reading], [], [], wait)[0]:
            output += os.read(reading, 1 << 16)
        elif ended:
            return output.decode(errors="replace")
