"""The program in a pseudo-terminal: 40 bursts of keys, bytes, sizes, stops; then q or Ctrl-C."""

import contextlib
import os
import select
import signal
import time
from pathlib import Path
from random import Random

from negotiation_tui import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from tests.support.pty_session import MISSING, PROGRAM, STATUS, Session
from tests.support.trainings import new_session

if MISSING:
    raise ImportError(f"needs {', '.join(MISSING)}")
SMALL, LONG = 1, 150
BURSTS = 40  # bursts of bytes, sizes or stops of one case
SECONDS = 30.0  # seconds that the program may take to take in what was typed, and to leave
GO_ON = "on() { fg >/dev/null; s=$?; check; }; check() { case $s in 148) on;; esac; }"
SHELL = ("bash", "-mc", f'{GO_ON}; "$@"; s=$?; check; exit $s', "bash")
"""Runs a program as a job, and goes on with it after each Ctrl-Z."""
PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("watch", "--seed", "7"),
    ("watch", "--seed", "7", "--scenario", "fine", "--pace", "flat"),
    ("watch", "--seed", "7", "--ascii", "--color", "never"),
    ("watch", "--seller", "boulware", "--buyer", "conceder", "--record", "new.jsonl"),
    ("play", "--against", "boulware", "--seed", "7"),
    ("replay", "old.jsonl"),
    ("market", "--seed", "7", "--limit", "negotiations=100000"),
    ("tournament", "boulware", "micro", "midpoint", "--negotiations", "20"),
)
KEYS = (
    *" .nc+-=_tsbSBe,[]fpaxzviowr>&Dgmu/123456789jkhl\t\r\x0c\x7f",
    *("\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z"),
    "\x1b",
)
"""All but `?`, F1 and `q`: the help would carry out `q` with Enter."""
PASTED = (
    b"\x1b[200~pasted text\x1b[201~", b"\x1b[1;5A", b"\x1b[I\x1b[O", b"\x1b[<0;10;10M",
    b"\x1b]0;t\x07", b"\x1bP1$r0m\x1b\\", b"\xff\xfe", b"\xc3", b"\xe4\xbe", b"\xf0\x9f\x98",
    b"\x80\x81", b"\x00\x01\x02", "é漢\U0001f600\u202e\u009b".encode(), b"\x1b\x1b\x1b[",
    b"\x1b[999999999999999999999A",
)  # fmt: skip


def attack(random: Random) -> None:
    """Start a screen, type and do anything at all, and leave."""
    record()
    words = random.choice(PROGRAMS)
    paused = [random.choice(("--paused", "--no-paused"))]
    under = random.choice((SHELL, ()))
    with Session([*under, *PROGRAM, *words, *paused], *size(random)) as session:
        session.wait(lambda: bool(session.text.strip()), "first picture", SECONDS)
        for _ in range(BURSTS):
            burst(random, session)
            while session.read(0):
                pass
            assert session.process.poll() is None, f"{words} ended: {session.output[-2000:]!r}"
        key = "q" if under else random.choice(("q", "Ctrl-C"))
        leave(session, key)
        assert session.status() == STATUS[key], f"{words}, {key}: status {session.status()}"
        session.assert_given_back()
        session.assert_no_crash()


def record() -> None:
    training = new_session(Scenario.original(), Parameters(cycles=3, episodes=20), 4)
    recorder = record_to(training, Path("old.jsonl"))
    for _ in range(30):
        recorder.handle(do.Play(1))


def burst(random: Random, session: Session) -> None:
    match random.choices(range(6), (50, 15, 12, 8, 5, 10))[0]:
        case 0:
            typed(session, "".join(random.choices(KEYS, k=random.choice((1, 5, 30, 200)))).encode())
        case 1:
            typed(session, b"".join(random.choices((*PASTED, noise(random)), k=3)))
        case 2:
            session.resize(*size(random))
        case 3:
            typed(session, b"\x1a")
        case 4:
            stop(random, session)
        case _:
            session.read(random.choice((0.0, 0.05, 0.3)))


def noise(random: Random) -> bytes:
    """Return bytes without those that end the program, also by the help, or halt its terminal."""
    return bytes(set(random.choices(range(256), k=300)) - {*b"?q\x03\x0f\x11\x13\x16\x1a\x1c"})


def size(random: Random) -> tuple[int, int]:
    return random.choice(((80, 24), (random.randint(2, 250), random.randint(2, 80))))


def stop(random: Random, session: Session) -> None:
    """Stop the program from outside.

    A shell that sees SIGSTOP keeps the modes of that moment, and sets them at the end; so only a
    program without a shell gets it.
    """
    job = os.tcgetpgrp(session.master)
    if job != session.process.pid:  # the shell goes on with it
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job, signal.SIGTSTP)
        return
    session.process.send_signal(signal.SIGSTOP)
    if random.random() < 0.5:
        session.resize(*size(random))
    session.process.send_signal(signal.SIGCONT)


def typed(session: Session, data: bytes) -> None:
    """Type bytes while the program's output is read: a full pipe on both sides would hang."""
    end = time.monotonic() + SECONDS
    while data:
        assert time.monotonic() < end, f"nothing is taken in for {SECONDS} s\n{session.text}"
        if select.select([], [session.master], [], 0.05)[1]:
            data = data[os.write(session.master, data[:64]) :]
        while session.read(0):
            pass


def leave(session: Session, key: str) -> None:
    """Press Ctrl-C once, or `q` until the program ends: a search or half a glyph takes one.

    Esc ends a search or closes a box; `q` twice also answers a question, Enter ends a line
    where the shell left the terminal in that mode.
    """
    end = time.monotonic() + SECONDS
    if key == "Ctrl-C":
        typed(session, b"\x03")
    while session.process.poll() is None:
        assert time.monotonic() < end, f"{key} does not leave in {SECONDS} s\n{session.text}"
        if key == "q":
            typed(session, b"\x1b")
            session.read(0.1)
            typed(session, b"q")
            session.read(0.3)
            if session.process.poll() is None:
                typed(session, b"q\r")
        session.read(0.5)
