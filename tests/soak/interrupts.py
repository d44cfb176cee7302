"""Signals at random moments: no traceback, status 128 + signal, nothing left behind.

Ctrl-C once or twice, to all processes of the terminal; or SIGTERM, or SIGHUP as it goes away.
"""

import contextlib
import os
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.support import processes

SMALL, LONG = 9, 600
LATEST = 4.0
"""Seconds within which the first signal is sent."""
DEADLINE = 30.0
TABLES, MARKET = "tables.npz", "market.npz"
SCREENS = (
    "watch --pace flat --cycles 1000000",
    "watch --record r.jsonl --pace flat --cycles 1000000",
    "watch --seed 1 --versus 2",
    "play --against boulware",
    "tournament --out t.csv --negotiations 100000 --workers 2",
    f"market --limit negotiations=100000000 --save {MARKET}",
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
)
SHORT = (
    "solve",
    f"solve --policy {TABLES}",
    f"test {TABLES}",
    "strategies",
    "check-strategy boulware",
    "config",
    "--version",
    "--help",
    "train --cycles 3 --save t.npz",
)
"""These may be over before the signal comes."""
Signals = tuple[signal.Signals, list[float]]
"""A signal, and the seconds after the start at which it is sent."""
SCRIPT = """\
import re
import sys
from negotiation_tui.__main__ import run
if __name__ == "__main__":
    sys.argv[0] = re.sub(r"(-script\\.pyw|\\.exe)?$", "", sys.argv[0])
    sys.exit(run())
"""
"""The program as an installer writes it."""


def run(count: int, seed: int) -> list[str]:
    failures: list[str] = []
    if os.name == "nt":
        return failures
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "negotiation-tui").write_text(SCRIPT, encoding="utf-8")
        save = [*_start(folder, True), *f"train --cycles 2 --save {TABLES}".split()]
        subprocess.run(save, cwd=folder, check=True, capture_output=True, timeout=DEADLINE)
        for number in range(seed, seed + count):
            rng = random.Random(number)
            words = rng.choice((SCREENS, ENDLESS, SHORT)[number % 3])
            name = rng.choice(("SIGINT", "SIGINT", "SIGINT", "SIGTERM", "SIGHUP"))
            moments = [rng.uniform(0, rng.choice((0.5, 1.5, LATEST)))]
            if name == "SIGINT" and rng.random() < 0.5:
                moments.append(moments[0] + rng.uniform(0, 0.3))
            as_module, on_terminal = rng.random() < 0.5, words in SCREENS or rng.random() < 0.5
            signals = signal.Signals[name], moments
            wrong = _interrupted(folder, words, signals, as_module, on_terminal)
            if wrong:
                way = "module" if as_module else "script"
                where = "terminal" if on_terminal else "pipe"
                at = ", ".join(f"{moment:.3f}" for moment in moments)
                case = f"--seed {number} --count 1: {words} ({way}, {where}, {name} at {at} s)"
                failures.append(f"{case}: {wrong}")
    return failures


def _start(folder: Path, as_module: bool) -> list[str]:
    how = ["-m", "negotiation_tui"] if as_module else [str(folder / "negotiation-tui")]
    return [sys.executable, *how]


def _interrupted(
    folder: Path, words: str, signals: Signals, as_module: bool, on_terminal: bool
) -> str:
    """Start the program and interrupt it; return what went wrong, empty if nothing did."""
    import pty
    import termios

    with tempfile.TemporaryDirectory(dir=folder) as name:
        there = Path(name)
        temporary = there / "tmp"
        temporary.mkdir()
        os.link(folder / TABLES, there / TABLES)
        command = [*_start(folder, as_module), *words.split()]
        reading, writing = pty.openpty() if on_terminal else os.pipe()
        before: list[Any] = termios.tcgetattr(writing) if on_terminal else []
        environment = {**os.environ, "TMPDIR": str(temporary), "TERM": "xterm-256color"}
        try:
            process = subprocess.Popen(
                command,
                stdin=writing if on_terminal else subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                cwd=there,
                env=environment,
                start_new_session=True,
            )
            output = _watch(process, reading, signals)
            status = process.wait()
            alive = processes.alive(process.pid)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            after = termios.tcgetattr(writing) if on_terminal else []
        finally:
            os.close(reading)
            os.close(writing)
        left = [path.name for path in (*there.glob(".*"), *temporary.iterdir())]
    if of_python(output):
        return ""
    wrong = [
        "a traceback" if re.search(r"Traceback|Exception ignored|Error\b", output) else "",
        f"status {status}" if status not in _expected(words, signals[0]) else "",
        "processes left" if alive else "",
        f"files left: {', '.join(left)}" if left else "",
        "modes of the terminal left" if before != after else "",
        "the screen left" if output.rfind("\x1b[?1049h") > output.rfind("\x1b[?1049l") else "",
    ]
    text = "; ".join(filter(None, wrong))
    return f"{text}\n{output[-6000:]}" if text else ""


def _expected(words: str, number: signal.Signals) -> tuple[int, ...]:
    """The exit statuses that count as right; a program may die by a signal of before its start."""
    return (128 + number, -number, *((0,) if words in SHORT else ()))


def of_python(output: str) -> bool:
    """True for a traceback of Python itself, from before the first line of the package."""
    files = re.findall(r'File "(.*?)"', output)
    return "KeyboardInterrupt" in output and not any("/negotiation_tui/" in file for file in files)


def _watch(process: "subprocess.Popen[bytes]", reading: int, signals: Signals) -> str:
    """Send the signals, and return all output until the end of the program."""
    begun, output, due = time.monotonic(), b"", list(signals[1])
    to_one = signals[0] == signal.SIGTERM
    while True:
        elapsed = time.monotonic() - begun
        if due and elapsed >= due[0]:
            due.pop(0)
            with contextlib.suppress(ProcessLookupError):
                (os.kill if to_one else os.killpg)(process.pid, signals[0])
        ended = process.poll() is not None
        if elapsed > DEADLINE and not ended:
            os.killpg(process.pid, signal.SIGKILL)
        wait = 0.0 if ended else min(0.02, max(0.0, due[0] - elapsed) if due else 0.02)
        if select.select([reading], [], [], wait)[0]:
            output += os.read(reading, 1 << 16)
        elif ended:
            return output.decode(errors="replace")
