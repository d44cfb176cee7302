"""A sweep that is broken off, by a kill or by Ctrl-C, and goes on."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.support import game  # noqa: F401 - its profile for hypothesis
from tests.support.processes import HAS_PROC, alive, members
from tests.support.sweeps import LONG, runs_done, whole

needs_proc = pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")


@contextlib.contextmanager
def sweeping(
    file: Path, workers: int, due: Callable[[int], bool]
) -> Iterator[subprocess.Popen[str]]:
    """The real program in a session of its own, once it is due, as told by its number."""
    words = ("sweep", "--out", str(file), "--workers", str(workers), *LONG)
    with subprocess.Popen(
        [sys.executable, "-m", "negotiation_tui", *words],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            end = time.monotonic() + 60
            while not due(process.pid):
                assert process.poll() is None
                assert time.monotonic() < end, "it does not come to that"
                time.sleep(0.01)
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def has_rows(file: Path, _process: int) -> bool:
    """Whether some rows are there."""
    return file.exists() and file.read_bytes().count(b"\n") >= 4


def goes_on(file: Path) -> None:
    """What is there is not done again, and what comes of it is as if nothing had happened."""
    rows = file.read_bytes().count(b"\n") - 1
    assert runs_done(file, *LONG) == 30 - rows
    assert file.read_bytes() == whole(".csv", *LONG)


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_it_goes_on_where_it_was(workers: int) -> None:
    file = Path("killed.csv")
    with sweeping(file, workers, partial(has_rows, file)) as process:
        process.kill()
        assert process.wait(10) == -signal.SIGKILL
        assert not alive(process.pid), "its workers have gone too"
    goes_on(file)


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_says_how_to_go_on(workers: int) -> None:
    """It reaches every process of the terminal."""
    file = Path("broken-off.csv")
    with sweeping(file, workers, partial(has_rows, file)) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert not alive(process.pid)
    rows = file.read_bytes().count(b"\n") - 1
    assert rows >= 3
    assert err == f"{file} holds {rows} of 30 runs; the same command goes on from there\n"
    goes_on(file)


@needs_proc
@pytest.mark.parametrize("processes", [2, 3, 4])
def test_ctrl_c_while_the_workers_begin_is_as_quiet(processes: int) -> None:
    """There are the program, the tracker of what it shares, and two workers."""
    file = Path("begun.csv")
    with sweeping(file, 2, lambda process: len(members(process)) >= processes) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        said = rf"{file} holds \d+ of 30 runs; the same command goes on from there\n"
        assert re.fullmatch(said, err), err
        assert not alive(process.pid)
