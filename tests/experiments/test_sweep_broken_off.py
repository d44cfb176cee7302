"""A sweep that is broken off, by a kill or by Ctrl-C, and goes on."""

import os
import re
import signal
from pathlib import Path

import pytest

from tests.support.cli import has_lines, running
from tests.support.processes import HAS_PROC, alive, members, workers
from tests.support.sweeps import LONG, runs_done, whole

pytestmark = pytest.mark.slow
needs_proc = pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")


def sweep(file: Path, workers: int) -> tuple[str, ...]:
    return ("sweep", "--out", str(file), "--workers", str(workers), *LONG)


def goes_on(file: Path) -> None:
    """Finished runs are not repeated, and the file is that of an uninterrupted sweep."""
    rows = file.read_bytes().count(b"\n") - 1
    assert runs_done(file, *LONG) == 30 - rows
    assert file.read_bytes() == whole(".csv", *LONG)


@needs_signals
def test_killed_it_goes_on_where_it_was() -> None:
    file = Path("killed.csv")
    with running(*sweep(file, 2), until=has_lines(file, 4)) as process:
        process.kill()
        assert process.wait(10) == -signal.SIGKILL
        assert not alive(process.pid), "its workers have gone too"
    goes_on(file)


@needs_signals
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_says_how_to_go_on(workers: int) -> None:
    """It reaches every process of the terminal."""
    file = Path("broken-off.csv")
    with running(*sweep(file, workers), until=has_lines(file, 4)) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert not alive(process.pid)
    rows = file.read_bytes().count(b"\n") - 1
    assert rows >= 3
    assert err == f"{file} holds {rows} of 30 runs; resume with the same command\n"
    goes_on(file)


@needs_signals
def test_without_its_terminal_it_ends_without_a_word() -> None:
    """The hangup reaches every process, and the one that removes semaphores goes on."""
    file = Path("hung-up.csv")
    with running(*sweep(file, 2), until=has_lines(file, 4)) as process:
        os.killpg(process.pid, signal.SIGHUP)
        assert process.communicate(timeout=20) == ("", "")
        assert process.returncode == 128 + signal.SIGHUP
        assert not alive(process.pid)
    goes_on(file)


@needs_proc
def test_lost_workers_are_told_in_one_line() -> None:
    file = Path("lost.csv")
    with running(*sweep(file, 2), until=has_lines(file, 4)) as process:
        for worker in workers(process.pid):  # one alone may have no job at this moment
            os.kill(worker, signal.SIGKILL)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 2
        assert not alive(process.pid)
    rows = file.read_bytes().count(b"\n") - 1
    assert err.startswith("negotiation-tui: a worker process ended before its job was done")
    assert err.endswith(f"; {file} holds {rows} of 30 runs; resume with the same command\n")
    assert err.count("\n") == 1
    goes_on(file)


@needs_proc
@pytest.mark.parametrize("processes", [2, 4])
def test_ctrl_c_while_the_workers_begin_is_as_quiet(processes: int) -> None:
    """There are the program, the tracker of what it shares, and two workers."""
    file = Path("begun.csv")
    with running(
        *sweep(file, 2), until=lambda process: len(members(process)) >= processes
    ) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        said = rf"{file} holds \d+ of 30 runs; resume with the same command\n"
        assert re.fullmatch(said, err), err
        assert not alive(process.pid)
