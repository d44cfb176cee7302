"""Workers on a Dask cluster (extra `cluster`)."""

import logging
import re
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from typing import Any

from negotiation_tui.errors import BadInputError, BrokenOffError

CONNECT_SECONDS = 5
PATIENCE = 10.0
"""Seconds without any worker before a notice says so."""
RETRIES = 3
"""The number of times the cluster restarts a job after its worker was lost."""
Workers = tuple[futures.Executor, int, Callable[[], str]]
"""An executor, its number of workers, and a function that gives a notice for the user."""


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
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
        """Return a notice if there was no worker for a while."""
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
