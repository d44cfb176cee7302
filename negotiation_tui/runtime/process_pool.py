"""Many jobs over processes, here or on a Dask cluster; the answers come as they are ready."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.signals import deferred_signals

J = TypeVar("J")
R = TypeVar("R")
AHEAD = 4
"""Jobs on their way for each worker, so that none waits for the next."""
CONNECT_SECONDS = 5
MOST_WORKERS = 61 if sys.platform == "win32" else 10_000
"""Windows waits for no more processes at a time than that."""
NICE = 10
"""How far local workers step back for whoever sits at the machine, a screen above all."""
RETRIES = 3
"""How often the cluster begins a job again whose worker went away."""


def run_jobs(
    function: Callable[[J], R], jobs: Sequence[J], workers: int = 1, cluster: str | None = None
) -> Iterator[tuple[int, R]]:
    """The number and the answer of every job, in the order in which they are ready.

    With one worker and no cluster the jobs are done here, one after the other. `cluster` is the
    address of a Dask scheduler. Raises BadInputError where there is none.
    """
    if cluster is None and min(workers, len(jobs)) <= 1:
        yield from ((number, function(job)) for number, job in enumerate(jobs))
        return
    for answer in polled(function, jobs, workers, cluster):
        if answer is not None:
            yield answer


def polled(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
    seconds: float | None = None,
) -> Iterator[tuple[int, R] | None]:
    """The same from other processes in any case; None where none was ready for so many seconds.

    Whoever waits can thus do something else, or close the iterator, which ends the workers.
    """
    waiting: dict[Future[R], int] = {}
    numbers = iter(range(len(jobs)))
    with _executor(workers, cluster) as (executor, n_workers):
        while True:
            while len(waiting) < AHEAD * n_workers and (number := next(numbers, None)) is not None:
                with _interrupts_held():  # it may begin a process, which inherits that
                    future = executor.submit(function, jobs[number])
                waiting[future] = number
            if not waiting:
                return
            ready = wait(waiting, seconds, FIRST_COMPLETED).done
            if not ready:
                yield None
            for future in ready:
                try:
                    answer = future.result()
                except BrokenExecutor:
                    raise BadInputError(
                        "a worker process ended before its job was done, perhaps for want of"
                        " memory: use fewer workers"
                    ) from None
                yield waiting.pop(future), answer


@contextmanager
def _executor(workers: int, cluster: str | None) -> Iterator[tuple[Executor, int]]:
    """An executor and its number of workers; breaking off does not wait for what was sent."""
    if cluster is not None:
        with _dask(cluster) as client:
            yield client.get_executor(retries=RETRIES), max(1, len(client.ncores()))
        return
    spawn, workers = get_context("spawn"), min(workers, MOST_WORKERS)
    theirs, ours = spawn.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, spawn, _begin, (theirs,))
    with theirs:
        try:
            yield executor, workers
        except BaseException:
            # Only the executor's own thread may wait for its processes: two that wait for one
            # can leave either waiting for ever.
            executor.shutdown(wait=False, cancel_futures=True)
            ours.close()
            raise
        executor.shutdown()
        ours.close()


class _Line(Protocol):
    """The end of a pipe, of whichever kind the system has."""

    def poll(self, timeout: float | None) -> bool: ...


def _begin(line: _Line) -> None:
    """A worker ends without a word: on Ctrl-C, and when nobody holds the line to it any more."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.nice(NICE)
    threading.Thread(target=_end_with, args=(line,), daemon=True).start()


def _end_with(line: _Line) -> None:
    with suppress(OSError):  # on Windows a line that was let go before cannot be asked
        line.poll(None)
    os._exit(1)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits a moment: a process that is begun here must not hear it before `_begin`.

    Nor may it break off here what a process is told as it begins: a thread of a library that does
    not block the signal hears it for the program.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with deferred_signals("SIGINT") as heard:
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if heard:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _dask(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise BadInputError(
            "a cluster needs Dask: pip install 'negotiation-tui[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:  # no such address, nobody there, no such protocol
        raise BadInputError(
            f"cluster {address!r} cannot be reached, use the address that 'dask scheduler' prints,"
            f" such as tcp://127.0.0.1:8786 ({type(error).__name__})"
        ) from None
    with client:
        yield client
