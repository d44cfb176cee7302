"""Jobs in this process or in others: equal results, and processes only where they pay."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from negotiation_tui.runtime import process_pool
from negotiation_tui.runtime.process_pool import polled, run_jobs
from tests.support.modules import loaded_by

JOBS = list(range(6))


def square(number: int) -> int:
    return number * number


def busy(seconds: float) -> int:
    """Work for so many seconds of a processor; return the process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return os.getpid()


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "_CORES", 2)


@pytest.mark.usefixtures("two_cores")
def test_the_results_are_those_of_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "PAYS_FROM", -1.0)
    expected = dict(enumerate(map(square, JOBS)))
    for workers in (1, 2, None):
        assert dict(run_jobs(square, JOBS, workers)) == expected
    assert list(run_jobs(square, [], None)) == []


@pytest.mark.usefixtures("two_cores")
def test_short_work_stays_in_this_process() -> None:
    assert {process for _, process in run_jobs(busy, [0.01] * 5, None)} == {os.getpid()}


@pytest.mark.slow
@pytest.mark.usefixtures("two_cores")
def test_long_work_goes_to_other_processes_once_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "PAYS_FROM", 0.1)
    monkeypatch.setattr(process_pool, "MAY_COMPILE", 0.0)
    first, *others = (process for _, process in sorted(run_jobs(busy, [0.05] * 5, None)))
    assert first == os.getpid()
    assert os.getpid() not in others


@pytest.mark.usefixtures("two_cores")
def test_a_first_job_that_may_have_compiled_says_nothing_of_the_rest() -> None:
    jobs = [0.3, *[0.0] * 50]
    assert {process for _, process in run_jobs(busy, jobs, None)} == {os.getpid()}


def test_one_core_needs_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "_CORES", 1)
    monkeypatch.setattr(process_pool, "PAYS_FROM", -1.0)
    assert {process for _, process in run_jobs(busy, [0.0] * 5, None)} == {os.getpid()}


@pytest.mark.slow
def test_it_says_that_the_workers_start_until_there_is_a_result() -> None:
    answers = list(polled(busy, [0.01, 0.5], 1, None, 0.02))
    results = [n for n, answer in enumerate(answers) if not isinstance(answer, str)]
    before, after = answers[: results[0]], answers[results[0] + 1 : results[1]]
    assert set(before) == {process_pool._STARTING}
    assert set(after) <= {""}


pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
HEAD = """
import signal, sys, time
from negotiation_tui.runtime.interrupts import Interruptible, handle
"""


def ended(code: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", HEAD + code], capture_output=True, check=False, text=True, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


def test_nothing_is_loaded_before_signals_are_handled() -> None:
    loaded = loaded_by("import negotiation_tui.__main__") - loaded_by("")
    assert loaded == {
        "negotiation_tui",
        "negotiation_tui.__main__",
        "negotiation_tui.runtime",
        "negotiation_tui.runtime.interrupts",
    }


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_program_at_once(name: str, status: int) -> None:
    code = f"handle()\ntry: signal.raise_signal(signal.{name})\nexcept BaseException: print('no')"
    assert ended(code) == (status, "", "")


@pytest.mark.parametrize(("name", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_in_a_section_it_is_an_exception_a_second_is_ignored(name: str, status: int) -> None:
    code = f"""
handle()
try:
    with Interruptible():
        try:
            signal.raise_signal(signal.{name})
        finally:
            signal.raise_signal(signal.{name})
            print("put in order")
except KeyboardInterrupt:
    signal.raise_signal(signal.{name})
    sys.exit(130)
"""
    assert ended(code) == (status, "put in order\n", "")


def test_after_a_section_it_ends_the_program_again() -> None:
    code = "handle()\nwith Interruptible(): pass\nsignal.raise_signal(signal.SIGINT)\nprint('no')"
    assert ended(code) == (130, "", "")


def test_it_is_not_lost_in_a_destructor() -> None:
    code = """
class Breaking:
    def __del__(self): signal.raise_signal(signal.SIGINT)

handle()
try:
    with Interruptible():
        Breaking()
        for _ in range(100): time.sleep(0.1)
        print("lost")
except KeyboardInterrupt:
    sys.exit(130)
"""
    assert ended(code) == (130, "", "")


def test_nobody_elses_handlers_are_replaced() -> None:
    code = """
before = signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGHUP, lambda *_: print("mine"))
handle()
for number in (signal.SIGINT, signal.SIGHUP): signal.raise_signal(number)
"""
    assert ended(code) == (0, "mine\n", "")


def test_without_the_program_ctrl_c_is_as_everywhere_in_python() -> None:
    code = """
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("as usual")
"""
    assert ended("import negotiation_tui" + code) == (0, "as usual\n", "")


def test_a_file_is_written_to_its_end(tmp_path: Path) -> None:
    code = f"""
from negotiation_tui.runtime.files import atomic_write
handle()
with atomic_write({str(tmp_path / "f")!r}) as file:
    file.write(b"begun")
    signal.raise_signal(signal.SIGTERM)
    file.write(b" and done")
print("no")
"""
    assert ended(code) == (143, "", "")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"f": b"begun and done"}
