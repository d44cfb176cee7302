"""Run jobs in processes, on this machine or a Dask cluster, and yield results as they finish."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.signals import deferred_signals

J = TypeVar("J")
R = TypeVar("R")
AHEAD = 4
"""Jobs submitted per worker, so that no worker is idle."""
CONNECT_SECONDS = 5
MOST_WORKERS = 61 if sys.platform == "win32" else 10_000
"""The largest number of local workers; Windows cannot wait for more than 61 processes."""
NICE = 10
"""Added to the niceness of local workers, so that screens stay responsive."""
RETRIES = 3
"""The number of times the cluster restarts a job after its worker was lost."""


def run_jobs(
    function: Callable[[J], R], jobs: Sequence[J], workers: int = 1, cluster: str | None = None
) -> Iterator[tuple[int, R]]:
    """Yield the number and the result of each job, in the order in which the jobs finish.

    With one worker and no cluster the jobs run in this process, one after the other. `cluster`
    is the address of a Dask scheduler. Raises BadInputError if it cannot be reached.
    """
    if cluster is None and min(workers, len(jobs)) <= 1:
        yield from ((number, function(job)) for number, job in enumerate(jobs))
        return
    for numbered in polled(function, jobs, workers, cluster):
        if numbered is not None:
            yield numbered


def polled(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
    seconds: float | None = None,
) -> Iterator[tuple[int, R] | None]:
    """Yield as `run_jobs` does, always from other processes; None after `seconds` without a result.

    A caller that got None can do something else. Closing the iterator ends the workers.
    """
    waiting: dict[futures.Future[R], int] = {}
    numbers = iter(range(len(jobs)))
    with _executor(workers, cluster) as (executor, n_workers):
        while True:
            while len(waiting) < AHEAD * n_workers and (number := next(numbers, None)) is not None:
                with _interrupts_deferred():  # a worker started here inherits the blocked signal
                    future = executor.submit(function, jobs[number])
                waiting[future] = number
            if not waiting:
                return
            ready = futures.wait(waiting, seconds, futures.FIRST_COMPLETED).done
            if not ready:
                yield None
            for future in ready:
                try:
                    result = future.result()
                except futures.BrokenExecutor:
                    raise BadInputError(
                        "a worker process ended before its job was done, perhaps because memory ran"
                        " out; use fewer workers"
                    ) from None
                yield waiting.pop(future), result


@contextmanager
def _executor(workers: int, cluster: str | None) -> Iterator[tuple[futures.Executor, int]]:
    """An executor and its number of workers; after an error running jobs are not waited for."""
    folder = restricted.folder()
    if cluster is not None:
        restricted.forbid("--cluster")
        with _dask(cluster) as client:
            yield client.get_executor(retries=RETRIES), max(1, len(client.ncores()))
        return
    spawn, workers = get_context("spawn"), min(workers, MOST_WORKERS)
    if folder is not None:
        workers = min(workers, restricted.MOST_WORKERS)
    reader, writer = spawn.Pipe(duplex=False)
    executor = futures.ProcessPoolExecutor(workers, spawn, _prepare_worker, (reader, folder))
    with reader:
        try:
            yield executor, workers
        except BaseException:
            # Two threads that wait for one process can hang: only the executor's own may wait.
            executor.shutdown(wait=False, cancel_futures=True)
            writer.close()
            raise
        executor.shutdown()
        writer.close()


class _Reader(Protocol):
    """The reading end of a pipe; its class depends on the system."""

    def poll(self, timeout: float | None) -> bool: ...


def _prepare_worker(reader: _Reader, folder: str | None) -> None:
    """Let a worker end silently on Ctrl-C, and when the program closes its end of the pipe.

    With a folder the worker is restricted to it, as the program is.
    """
    if folder is not None:
        restricted.restrict(folder)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.nice(NICE)
    threading.Thread(target=_exit_when_closed, args=(reader,), daemon=True).start()


def _exit_when_closed(reader: _Reader) -> None:
    with suppress(OSError):  # Windows raises it for a pipe that was closed before
        reader.poll(None)
    os._exit(1)


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C: a new process must not receive it before `_prepare_worker`.

    Blocking SIGINT is not enough: a library's thread that does not block it would receive it, and
    Python would interrupt the start of the process. On Windows it is not deferred but lost.
    """
    if sys.platform == "win32":
        from ctypes import windll

        # The new process inherits that Ctrl-C is ignored, and keeps it: the pipe ends it.
        windll.kernel32.SetConsoleCtrlHandler(None, True)
        try:
            yield
        finally:
            windll.kernel32.SetConsoleCtrlHandler(None, False)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with deferred_signals("SIGINT") as received:
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    if received:
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
    except (OSError, ValueError) as error:  # wrong address or protocol, or no scheduler there
        raise BadInputError(
            f"cluster {address!r} cannot be reached; use the address that 'dask scheduler' prints,"
            f" such as tcp://127.0.0.1:8786 ({type(error).__name__})"
        ) from None
    with client:
        yield client
