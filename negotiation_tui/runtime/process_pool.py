"""Run jobs in processes, on this machine or a Dask cluster, and yield results as they finish."""

import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent import futures
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from multiprocessing import active_children, current_process, get_context
from multiprocessing.process import BaseProcess
from operator import call
from pathlib import Path
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError, BrokenOffError, how_to_install
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.child_process import TICK, of_waiting
from negotiation_tui.runtime.cores import usable_cores
from negotiation_tui.runtime.folders import folder_of_paths, settle_in
from negotiation_tui.runtime.output import complain, say
from negotiation_tui.runtime.signals import deferred_signals

J = TypeVar("J")
R = TypeVar("R")
_AHEAD = 4  # jobs submitted per worker, so that no worker is idle
_MOST_WORKERS = 61 if sys.platform == "win32" else 10_000
"""The largest number of local workers; Windows cannot wait for more than 61 processes."""
NICE = 10  # added to the niceness of local workers, so that screens stay responsive
PAYS_FROM = 2.5  # seconds of a processor ahead from which on processes pay, see docs/benchmarks.md
MAY_COMPILE = 5.0
"""Seconds of the first job that say nothing of the next, because it may have compiled."""
CONNECT_SECONDS = 5
_PATIENCE = 10.0  # seconds without any worker before a notice says so
RETRIES = 3  # the number of times the cluster restarts a job after its worker was lost
Workers = tuple[futures.Executor, int, Callable[[], str]]
"""An executor, its number of workers, and a function that gives a notice for the user."""
_CORES = usable_cores()
_STARTING = "starting; a first long run also compiles"
_ALONE = "one process does all jobs, because there is no shared memory such as /dev/shm"
_UNGUARDED = 64  # the exit status of a worker whose script starts workers while it is imported
_GUARD = 'workers: expected a file that starts them below `if __name__ == "__main__":`'


def run_jobs(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int | None = 1,
    cluster: str | None = None,
) -> Iterator[tuple[int, R]]:
    """Yield the number and the result of each job, in the order in which the jobs finish.

    With one worker and no cluster the jobs run in this process, one after the other. With None
    they do so until those that are done show that a process per core will finish the rest sooner.
    `cluster` is the address of a Dask scheduler. Raises BrokenOffError if processes are lost.
    """
    here, seconds, once = 0, 0.0, cache(complain)
    alone = cluster is None and (workers is None or min(workers, len(jobs)) <= 1)
    can_change = workers is None and _CORES > 1
    for here, job in enumerate(jobs if alone else (), 1):
        begun = time.process_time()  # on a busy machine more processes gain less
        result = function(job)
        took, left = time.process_time() - begun, len(jobs) - here
        yield here - 1, result
        seconds += took if here > 1 else 0.0
        each = seconds / (here - 1) if here > 1 else took - MAY_COMPILE
        if can_change and left > 1 and each * left > PAYS_FROM:
            break
    if here < len(jobs):
        for answer in polled(function, jobs[here:], workers, cluster, 1.0):
            if isinstance(answer, str):
                (once if answer == _ALONE else say)(answer)
            else:
                yield answer[0] + here, answer[1]


def polled(
    function: Callable[[J], R],
    jobs: Sequence[J],
    workers: int | None,
    cluster: str | None,
    seconds: float | None = None,
) -> Generator[tuple[int, R] | str, None, None]:
    """Yield as `run_jobs` does, from other processes alone, until the iterator is closed.

    After `seconds` without a result yield a notice for the user, mostly empty. With None there is
    a process per core. If there can be no other process, yield a notice before each result.
    """
    if cluster is None and not _shares_semaphores():
        for n, job in enumerate(jobs):
            yield _ALONE
            yield n, function(job)
        return
    waiting: dict[futures.Future[R], int] = {}
    came, started = False, set[BaseProcess]()
    numbers = iter(range(len(jobs)))
    count = min(workers or _CORES, len(jobs)) or 1
    with (
        _local(count, started) if cluster is None else _cluster(cluster) as (
            executor,
            n_workers,
            notice,
        )
    ):
        while True:
            while len(waiting) < _AHEAD * n_workers and (number := next(numbers, None)) is not None:
                with _interrupts_deferred():  # a worker started here inherits the blocked signal
                    future = executor.submit(function, jobs[number])
                waiting[future] = number
                started.update(() if came else active_children())
            if not waiting:
                return
            ready = futures.wait(waiting, seconds, futures.FIRST_COMPLETED).done
            if not ready:
                yield notice() or ("" if came else _STARTING)
            came = came or bool(ready)
            for future in ready:
                yield waiting.pop(future), future.result()


def in_own_process(function: Callable[..., R], *arguments: Any) -> R:
    """Return the result of a function; for a screen from a process of its own.

    A screen is open for long: so what the function imports takes no memory any more. Raises
    BrokenOffError if the process is lost.
    """
    if of_waiting.meanwhile is None:
        return function(*arguments)
    with closing(polled(call, [partial(function, *arguments)], 1, None, TICK)) as answers:
        while isinstance(answer := next(answers), str):
            of_waiting.meanwhile()
    return answer[1]


def _shares_semaphores() -> bool:
    """True if processes can share semaphores; BadInputError if they cannot import the script."""
    main = sys.modules["__main__"]
    file = None if getattr(main, "__spec__", None) else getattr(main, "__file__", None)
    if file is not None and not Path(file).exists():
        raise BadInputError(f"{_GUARD}, got {file}")
    if getattr(current_process(), "_inheriting", False):  # a worker that imports the script
        sys.exit(_UNGUARDED)
    if sys.platform != "win32":
        from multiprocessing import resource_tracker

        # It removes semaphores at last: SIGHUP and SIGQUIT must not end it. It inherits the mask.
        with _blocked(signal.SIGHUP, signal.SIGQUIT):
            resource_tracker.ensure_running()
    try:
        get_context("spawn").Lock()
    except (ImportError, OSError):
        return False
    return True


@contextmanager
def _local(workers: int, started: Iterable[BaseProcess]) -> Iterator[Workers]:
    """Yield an executor; `started`: the processes that it started until the first result."""
    spawn, workers = get_context("spawn"), min(workers, _MOST_WORKERS)
    folder = restricted.folder()
    if folder is not None:
        workers = min(workers, restricted.MOST_WORKERS)
    reader, writer = spawn.Pipe(duplex=False)
    arguments = reader, folder, folder_of_paths()
    executor = futures.ProcessPoolExecutor(workers, spawn, _prepare_worker, arguments)
    with reader:
        try:
            yield executor, workers, str
            executor.shutdown()
        except futures.BrokenExecutor:
            executor.shutdown()  # its thread ends the processes; then each has its exit status
            if any(each.exitcode == _UNGUARDED for each in started):
                raise BadInputError(f"{_GUARD}, got none around this call") from None
            reason = "perhaps because memory ran out; use fewer workers"
            message = f"a worker process ended before its job was done, {reason}"
            raise BrokenOffError(message) from None
        except BaseException:
            # Two threads that wait for one process can hang: only the executor's own may wait.
            executor.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            writer.close()


@contextmanager
def _blocked(*numbers: int) -> Iterator[None]:
    if sys.platform == "win32":
        yield
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _prepare_worker(reader: Any, folder: str | None, place: Path | None) -> None:
    """End silently on Ctrl-C, and when the program closes its end of the pipe."""
    if folder is not None:
        restricted.restrict(folder)
    elif place is not None:
        settle_in(place)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        os.nice(NICE)

    def exit_when_closed() -> None:
        with suppress(OSError):  # Windows raises it for a pipe that was closed before
            reader.poll(None)
        os._exit(1)

    threading.Thread(target=exit_when_closed, daemon=True).start()


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C: a new process must not receive it before `_prepare_worker`.

    A library's thread that does not block SIGINT would receive it, and Python interrupt the start
    of the process: blocking is not enough. On Windows it is not deferred but lost.
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
    with _blocked(signal.SIGINT), deferred_signals("SIGINT") as received:
        yield
    if received:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
    restricted.forbid("--cluster")
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise BadInputError(f"a cluster needs Dask: {how_to_install('cluster')}") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:  # wrong address or protocol, or no scheduler there
        use = "use the address that 'dask scheduler' prints, such as tcp://127.0.0.1:8786"
        kind = type(error).__name__
        raise BadInputError(f"cluster {address!r} cannot be reached; {use} ({kind})") from None
    with _quiet(), client:
        try:
            executor = client.get_executor(retries=RETRIES)
            yield executor, max(1, len(client.ncores())), _notices(client).__next__
        except KilledWorker as error:
            tried = f"a job ended all {error.allowed_failures + 1} workers that tried it"
            why = "perhaps because memory ran out; give each worker more memory"
            raise BrokenOffError(f"{tried}, {why}") from None
        except futures.CancelledError:
            raise BrokenOffError(f"the scheduler of cluster {address!r} went away") from None


@contextmanager
def _quiet() -> Iterator[None]:
    dask = re.compile(r"(distributed|tornado|asyncio)\b")
    names = [*logging.root.manager.loggerDict, "asyncio", "tornado.application"]
    enabled = [logging.getLogger(name) for name in names if dask.match(name)]
    enabled = [logger for logger in enabled if not logger.disabled]
    for logger in enabled:
        logger.disabled = True
    try:
        yield
    finally:
        for logger in enabled:
            logger.disabled = False


def _notices(client: Any) -> Iterator[str]:
    """Yield a notice while a cluster has no workers; it is asked once per second."""
    asked, alone_since = 0.0, None
    while client.status != "closed":  # it gives up the search for the scheduler
        if time.monotonic() - asked >= 1.0:
            with suppress(OSError):  # a lost scheduler also cancels the jobs
                workers = client.sync(client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
                alone_since = None if workers else alone_since or time.monotonic()
            asked = time.monotonic()
        alone = alone_since and time.monotonic() - alone_since >= _PATIENCE
        yield "waiting: the cluster has no workers" if alone else ""
    raise futures.CancelledError
