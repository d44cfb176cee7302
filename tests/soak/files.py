"""Damaged files of every kind that the program reads: it goes on, or refuses with one line."""

import contextlib
import io
import os
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from negotiation_tui.cli.main import main
from negotiation_tui.errors import BadInputError
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.timeline_session import ReplaySession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from tests.support import mutations

LONGEST = 700
"""The most characters of a refusal, most of which are the names of files."""
SLOWEST = 2.0
"""The most seconds of processor time before a refusal."""
STUCK = 60
"""Seconds after which a case has failed, whatever it does."""
VARIABLE = "NEGOTIATION_TUI_CONFIG"
SCENARIO = b"""name = "Flat"
prices = { min = 100, max = 130, step = 10 }
rounds = 4
opener = "buyer"
states = "opener-aware"
[seller]
min = 105
max = 130
reservation = 95
[buyer]
min = 100
max = 120
reservation = 125
"""
HIDDEN = b"""name = "Stall"
prices = { min = 0, max = 5 }
rounds = 3
[seller]
limits = [0, 2, 4]
weights = [1, 2, 1]
[buyer]
limits = { min = 1, max = 5, step = 2 }
"""
MARKET = b"""[[seller]]
name = "north"
count = 3
reservation = [1, 2, 3]
learning_rate = { min = 0.05, max = 0.2 }
exploration_end = 0
[[seller]]
reservation = 2
strategy = "boulware"
[[buyer]]
count = 2
reservation = { min = 3, max = 5 }
discount_rate = [0.9, 1]
[[team]]
name = "family"
members = ["north", "buyer-1"]
"""
CONFIGURATION = b"""theme = "light"
color = "auto"
animation = true
fps = 20
pace = 8
[keys]
quit = ["Q", "f10"]
run = "x"
"""
SHORT = "--workers 1 --set cycles=2 --set episodes=5 --runs 2 --seed 3"
ROUND = "boulware conceder --negotiations 4 --seed 3 --workers 1"


class Kind(NamedTuple):
    """A kind of file: whole ones, the damage done to them, and the commands that read them."""

    suffix: str
    damage: Callable[[random.Random, bytes, bytes], bytes]
    commands: Sequence[str]
    whole: Sequence[bytes]


def run(count: int, seed: int) -> list[str]:
    """Try `count` damaged files; return a line for each failure."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for n in range(count):
            rng = random.Random(f"{seed} {n}")
            kind = _kinds()[n % len(_kinds())]
            path = Path(folder) / f"file{kind.suffix}"
            data = rng.choice(kind.whole)
            for _ in range(rng.choice([1, 1, 1, 2, 3])):
                damage = kind.damage if rng.random() < 0.9 else mutations.damaged_bytes
                with contextlib.suppress(Exception):  # earlier damage made it something else
                    data = damage(rng, data, rng.choice(kind.whole))
            for command in kind.commands:
                path.write_bytes(data)
                problem = _problem(command, path)
                if problem:
                    failures.append(f"case {n} of seed {seed}: {command}: {problem}")
    return failures


@cache
def _kinds() -> Sequence[Kind]:
    with tempfile.TemporaryDirectory() as folder:

        def made(name: str, command: str) -> bytes:
            status, _, err = _called(command.format(Path(folder) / name), None)
            assert status == 0, err
            return (Path(folder) / name).read_bytes()

        short = "--seed 3 --cycles 3 --episodes 9"
        tables = made("a.npz", f"train {short} --save {{}}")
        of_limits = made("f.npz", f"train --scenario hidden {short} --save {{}}")
        market = made(
            "b.npz", "market --sellers 3 --buyers 2 --limit negotiations=20 --seed 3 --save {}"
        )
        watched = "--seed 3 --cycles 2 --episodes 4 --record {} --once"
        recording = made("c.jsonl", f"watch {watched}")
        with_limits = made("g.jsonl", f"watch --scenario hidden {watched}")
        sweep, tournament = f"sweep {SHORT} --out {{}}", f"tournament {ROUND} --text --out {{}}"
        rows = {name: made(name, sweep) for name in ("d.csv", "d.jsonl")}
        games = {name: made(name, tournament) for name in ("e.csv", "e.jsonl")}
    m = mutations
    text, table, lines = m.damaged_text, m.damaged_rows, m.damaged_json_lines
    scenario = [SCENARIO, HIDDEN]
    return (
        Kind(".toml", text, ["solve --scenario {}"], scenario),
        Kind(".toml", text, ["market {} --limit steps=3 --text --seed 1"], [MARKET]),
        Kind(".toml", text, ["config"], [CONFIGURATION]),
        Kind(
            ".npz",
            m.damaged_npz,
            [
                *("test {} --negotiations 5", "solve --policy {}"),
                "watch --once --seed 1 --episodes 3 --buyer {}",
            ],
            [tables, of_limits],
        ),
        Kind(".npz", m.damaged_npz, ["market --resume {} --text"], [market]),
        Kind(".jsonl", lines, ["replay {} --once", "the last frame"], [recording, with_limits]),
        Kind(".csv", table, [sweep], [rows["d.csv"]]),
        Kind(".jsonl", lines, [sweep], [rows["d.jsonl"]]),
        Kind(".csv", table, [tournament], [games["e.csv"]]),
        Kind(".jsonl", lines, [tournament], [games["e.jsonl"]]),
    )


class _StuckError(BaseException):
    """Raised by the clock; nothing in the program catches it."""


def _problem(command: str, path: Path) -> str:
    """Return the reason why a command fails on a file; empty if it does well."""
    start = time.process_time()
    try:
        with _clock():
            status, out, err = _called(command.format(path), path)
    except _StuckError:
        return f"nothing after {STUCK} seconds"
    except Exception as error:  # any of them would be a traceback
        return f"{error!r} {traceback.format_exc().splitlines()[-4:]}"[:1000]
    seconds = time.process_time() - start
    lines = err.splitlines()
    wrong = {
        f"status {status}": status not in {0, 2},
        "not one line": status == 2 and (len(lines) != 1 or err.count("\n") != 1 or bool(out)),
        "a long line": any(len(line) > LONGEST for line in lines),
        "a warning": "Warning" in err or "Traceback" in err,
        f"{seconds:.1f} s": status == 2 and seconds > SLOWEST,
    }
    reasons = [reason for reason, true in wrong.items() if true]
    return f"{', '.join(reasons)}: {err!r}"[:1000] if reasons else ""


def _called(command: str, path: Path | None) -> tuple[int, str, str]:
    """Return the status of a command line in this process, its stdout and its stderr."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = str(path) if command == "config" else os.devnull
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("always")
            if command == "the last frame":
                assert path is not None
                status = _last_frame(path)
            else:
                status = main(command.split())
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return status, texts[0], texts[1]


def _last_frame(path: Path) -> int:
    """Draw the screen after the last line of a recording; return the status."""
    try:
        recording = read(path)
        session = ReplaySession(recording)
        session.handle(Play(len(recording.entries)))
        session.idle()
    except BadInputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    model: Any = start(first_model(session.snapshot, Begin(0, True, True), False))
    for width, height in ((120, 36), (40, 8)):
        render(replace(model, width=width, height=height)).text()
    return 0


@contextlib.contextmanager
def _clock() -> Iterator[None]:
    """Raise _StuckError after STUCK seconds, where there is such a clock."""

    def stuck(*_: object) -> None:
        raise _StuckError

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stuck)
    signal.setitimer(signal.ITIMER_REAL, STUCK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
