"""Run jobs in processes, on this machine or a Dask cluster, and yield results as they finish."""

import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.output import say
from negotiation_tui.runtime.signals import deferred_signals

J = TypeVar("J")
R = TypeVar("R")
AHEAD = 4
"""Jobs submitted per worker, so that no worker is idle."""
MOST_WORKERS = 61 if sys.platform == "win32" else 10_000
"""The largest number of local workers; Windows cannot wait for more than 61 processes."""
NICE = 10
"""Added to the niceness of local workers, so that screens stay responsive."""
PAYS_FROM = 2.5
"""Seconds of a processor ahead from which on processes pay, see docs/benchmarks.md."""
MAY_COMPILE = 5.0
"""Seconds of the first job that say nothing of the next, because it may have compiled."""
CONNECT_SECONDS = 5
PATIENCE = 10.0
"""Seconds without any worker before a notice says so."""
RETRIES = 3
"""The number of times the cluster restarts a job after its worker was lost."""
Workers = tuple[futures.Executor, int, Callable[[], str]]
"""An executor, its number of workers, and a function that gives a notice for the user."""
_CORES = os.cpu_count() or 1
_STARTING = "the workers start; for long work they compile first, once on this machine"


def run_jobs(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int | None = 1,
    cluster: str | None = None,
) -> Iterator[tuple[int, R]]:
    """Yield the number and the result of each job, in the order in which the jobs finish.

    With one worker and no cluster the jobs run in this process, one after the other. With None
    they do so until those that are done show that a process per core will finish the rest sooner.
    `cluster` is the address of a Dask scheduler. Raises BadInputError if it cannot be reached, and
    BrokenOffError if processes are lost.
    """
    here = 0
    if cluster is None:
        for number, result in _here(function, jobs, workers):
            here = number + 1
            yield number, result
    if here < len(jobs):
        for answer in polled(function, jobs[here:], workers or _CORES, cluster, 1.0):
            if isinstance(answer, str):
                say(answer)
            else:
                yield answer[0] + here, answer[1]


def _here(
    function: Callable[[J], R], jobs: Sequence[J], workers: int | None
) -> Iterator[tuple[int, R]]:
    """Run jobs in this process, all or none of them; with None until other processes pay."""
    if workers is not None and min(workers, len(jobs)) > 1:
        return
    can_change, each, seconds = workers is None and _CORES > 1, 0.0, 0.0
    for number, job in enumerate(jobs):
        left = len(jobs) - number
        if can_change and left > 1 and each * left > PAYS_FROM:
            return
        begun = time.process_time()  # on a busy machine more processes gain less
        result = function(job)
        took = time.process_time() - begun
        seconds += took if number else 0.0
        each = seconds / number if number else took - MAY_COMPILE
        yield number, result


def polled(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
    seconds: float | None = None,
) -> Iterator[tuple[int, R] | str]:
    """Yield as `run_jobs` does, always from other processes; text after `seconds` without a result.

    The text is a notice for the user, mostly empty. A caller that got it can do something else.
    Closing the iterator ends the workers.
    """
    waiting: dict[futures.Future[R], int] = {}
    came = False
    numbers = iter(range(len(jobs)))
    with _executor(workers, cluster) as (executor, n_workers, notice):
        while True:
            while len(waiting) < AHEAD * n_workers and (number := next(numbers, None)) is not None:
                with _interrupts_deferred():  # a worker started here inherits the blocked signal
                    future = executor.submit(function, jobs[number])
                waiting[future] = number
            if not waiting:
                return
            ready = futures.wait(waiting, seconds, futures.FIRST_COMPLETED).done
            if not ready:
                yield notice() or ("" if came else _STARTING)
            came = came or bool(ready)
            for future in ready:
                try:
                    result = future.result()
                except futures.BrokenExecutor:
                    raise BrokenOffError(
                        "a worker process ended before its job was done, perhaps because memory ran"
                        " out; use fewer workers"
                    ) from None
                yield waiting.pop(future), result


@contextmanager
def _executor(workers: int, cluster: str | None) -> Iterator[Workers]:
    """Workers here or on a cluster; after an error running jobs are not waited for."""
    folder = restricted.folder()
    if cluster is not None:
        restricted.forbid("--cluster")
        with _cluster(cluster) as there:
            yield there
        return
    _start_tracker()
    spawn, workers = get_context("spawn"), min(workers, MOST_WORKERS)
    if folder is not None:
        workers = min(workers, restricted.MOST_WORKERS)
    reader, writer = spawn.Pipe(duplex=False)
    executor = futures.ProcessPoolExecutor(workers, spawn, _prepare_worker, (reader, folder))
    with reader:
        try:
            yield executor, workers, str
        except BaseException:
            # Two threads that wait for one process can hang: only the executor's own may wait.
            executor.shutdown(wait=False, cancel_futures=True)
            writer.close()
            raise
        executor.shutdown()
        writer.close()


def _start_tracker() -> None:
    """Start the process that removes semaphores in the end, so that SIGHUP does not end it.

    It inherits the blocked signal. Without it the semaphores would stay, and Python complain.
    """
    if sys.platform != "win32" and hasattr(signal, "SIGHUP"):
        from multiprocessing import resource_tracker

        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
        try:
            resource_tracker.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare_worker(reader: Any, folder: str | None) -> None:
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


def _exit_when_closed(reader: Any) -> None:
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
def _cluster(address: str) -> Iterator[Workers]:
    """Workers of the cluster at an address; raise BadInputError if it cannot be reached."""
    try:
        from distributed import Client, KilledWorker
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
    with _quiet(), client:
        try:
            executor = client.get_executor(retries=RETRIES)
            yield executor, max(1, len(client.ncores())), _Watch(client).notice
        except KilledWorker as error:
            raise BrokenOffError(
                f"a job ended all {error.allowed_failures + 1} workers that tried it, perhaps"
                " because memory ran out; give each worker more memory"
            ) from None
        except futures.CancelledError:
            raise BrokenOffError(f"the scheduler of cluster {address!r} went away") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask from writing tracebacks to stderr: one line tells the error."""
    names = [*logging.root.manager.loggerDict, "asyncio", "tornado.application"]
    dask = re.compile(r"(distributed|tornado|asyncio)\b")
    loggers = [logging.getLogger(name) for name in names if dask.match(name)]
    enabled = [logger for logger in loggers if not logger.disabled]
    for logger in enabled:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in enabled:
            logger.disabled = False


class _Watch:
    """Ask a cluster once a second, while no result comes, if it has workers."""

    def __init__(self, client: Any) -> None:
        self._client, self._asked = client, 0.0
        self._alone_since: float | None = None

    def notice(self) -> str:
        if self._client.status == "closed":  # it has given up the search for the scheduler
            raise futures.CancelledError
        if time.monotonic() - self._asked >= 1.0:
            with suppress(OSError):  # a lost scheduler also cancels the jobs
                ask = self._client.scheduler.ncores
                workers = self._client.sync(ask, callback_timeout=CONNECT_SECONDS)
                self._alone_since = None if workers else self._alone_since or time.monotonic()
            self._asked = time.monotonic()
        alone = self._alone_since and time.monotonic() - self._alone_since >= PATIENCE
        return "waiting: the cluster has no workers" if alone else ""
