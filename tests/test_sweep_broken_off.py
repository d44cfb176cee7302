"""A sweep that is broken off, by a kill or by Ctrl-C, and goes on."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import game  # noqa: F401 - its profile for hypothesis
from tests.test_sweep import runs_done, whole

LONG = ("--set", "cycles=100,150", "--runs", "15")
"""Thirty runs that take long enough to be broken off."""
needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")


@contextlib.contextmanager
def sweeping(file: Path, rows: int, workers: int) -> Iterator[subprocess.Popen[str]]:
    """The real program in a session of its own, once its file has so many lines."""
    words = ("sweep", "--out", str(file), "--workers", str(workers), *LONG)
    with subprocess.Popen(
        [sys.executable, "-m", "negotiation_tui", *words],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            end = time.monotonic() + 60
            while not file.exists() or file.read_bytes().count(b"\n") < rows:
                assert process.poll() is None
                assert time.monotonic() < end, "no rows"
                time.sleep(0.01)
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def alive(group: int) -> bool:
    """Whether a process of this session is left after a while."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True


def goes_on(file: Path) -> None:
    """What is there is not done again, and what comes of it is as if nothing had happened."""
    rows = file.read_bytes().count(b"\n") - 1
    assert runs_done(file, *LONG) == 30 - rows
    assert file.read_bytes() == whole(".csv", *LONG)


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_it_goes_on_where_it_was(workers: int) -> None:
    file = Path("killed.csv")
    with sweeping(file, 4, workers) as process:
        process.kill()
        assert process.wait(10) == -signal.SIGKILL
        assert not alive(process.pid), "its workers have gone too"
    goes_on(file)


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_says_how_to_go_on(workers: int) -> None:
    """It reaches every process of the terminal."""
    file = Path("broken-off.csv")
    with sweeping(file, 4, workers) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert not alive(process.pid)
    rows = file.read_bytes().count(b"\n") - 1
    assert rows >= 3
    assert err == f"{file} holds {rows} of 30 runs; the same command goes on from there\n"
    goes_on(file)


@needs_signals
def test_ctrl_c_while_the_workers_begin_is_as_quiet() -> None:
    for n in (0, 1, 3, 5):
        file = Path(f"begun-{n}.csv")
        with sweeping(file, 1, 2) as process:
            time.sleep(0.04 * n)
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=20)
        assert (process.returncode, err.count("\n")) == (130, 1), err
