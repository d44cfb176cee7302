"""Jobs in this process or in others: equal results, and processes only where they pay."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from negotiation_tui.errors import BrokenOffError
from negotiation_tui.runtime import process_pool
from negotiation_tui.runtime.child_process import of_waiting
from negotiation_tui.runtime.process_pool import in_own_process, polled, run_jobs
from tests.support.cli import python

JOBS = list(range(6))


def square(number: int) -> int:
    return number * number


def busy(seconds: float) -> int:
    """Work for so many seconds of a processor; return the process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return os.getpid()


def leave(number: int) -> int:
    return os._exit(1) if number else number


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "_CORES", 2)


def test_the_results_are_those_of_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "PAYS_FROM", -1.0)
    for workers, jobs in ((1, JOBS), (2, JOBS[:2]), (None, JOBS)):
        results = dict(run_jobs(square, jobs, workers))
        assert results == dict(enumerate(map(square, jobs)))
    assert list(run_jobs(square, [], None)) == []


def test_short_work_stays_in_this_process() -> None:
    for jobs in ([0.01] * 5, [0.3, *[0.0] * 50]):  # a first job may have compiled
        assert {process for _, process in run_jobs(busy, jobs, None)} == {os.getpid()}


@pytest.mark.slow
def test_long_work_goes_to_other_processes_once_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "PAYS_FROM", 0.1)
    monkeypatch.setattr(process_pool, "MAY_COMPILE", 0.0)
    first, *others = (process for _, process in sorted(run_jobs(busy, [0.05] * 5, None)))
    assert first == os.getpid()
    assert os.getpid() not in others


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


def test_what_a_screen_needs_once_is_done_by_another_process() -> None:
    def on_a_screen() -> int:
        of_waiting.meanwhile = lambda: None
        return in_own_process(os.getpid)

    with ThreadPoolExecutor(1) as thread:
        assert in_own_process(os.getpid) == os.getpid() != thread.submit(on_a_screen).result()


def test_a_pool_lost_meanwhile_is_told() -> None:
    """It breaks between two results, before further jobs are submitted."""
    before = threading.enumerate()
    answers = polled(leave, range(9), 1, None)
    assert next(answers) == (0, 0)
    for thread in set(threading.enumerate()) - set(before):
        if type(thread).__name__ == "_ExecutorManagerThread":
            thread.join(30)
    with pytest.raises(BrokenOffError, match="a worker process ended before its job was done"):
        next(answers)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps semaphores in no file")
@pytest.mark.parametrize("workers", [2, None])
def test_one_process_without_shared_memory(workers: int | None) -> None:
    """No file may grow, so none of a semaphore either."""
    code = f"""
import resource
from negotiation_tui.errors import BrokenOffError
from negotiation_tui.runtime import process_pool
process_pool.PAYS_FROM, process_pool._CORES = -99.0, 2
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
print(dict(process_pool.run_jobs(abs, [-1, -2, -3], {workers})))
"""
    done = python("-c", code)
    assert done.stdout == "{0: 1, 1: 2, 2: 3}\n"
    assert done.stderr == f"negotiation-tui: {process_pool._ALONE}\n"


SCRIPT = """
from negotiation_tui.runtime.process_pool import run_jobs
{}print(sorted(run_jobs(abs, [-1, -2], 2)))
"""


@pytest.mark.parametrize(
    ("guard", "words", "got"),
    [
        ("if __name__ == '__main__': ", ["script.py"], None),
        ("", ["script.py"], "none around this call"),
        ("", ["-"], "<stdin>"),
        ("if __name__ == '__main__': ", ["-"], "<stdin>"),
    ],
)
def test_workers_name_the_guard(guard: str, words: list[str], got: str | None) -> None:
    script = SCRIPT.format(guard)
    Path("script.py").write_text(script, encoding="utf-8")
    done = python(*words, sent=script)
    if got is None:
        assert (done.stdout, done.stderr) == ("[(0, 1), (1, 2)]\n", "")
    else:
        assert (done.stdout, done.stderr.count("Traceback")) == ("", 1)
        guarded = 'expected a file that starts them below `if __name__ == "__main__":`'
        assert done.stderr.endswith(f"BadInputError: workers: {guarded}, got {got}\n")
