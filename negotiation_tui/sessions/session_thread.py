"""A session in a thread of its own: commands go in by a queue, snapshots come out."""

import queue
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from typing import Any, TypeVar

from negotiation_tui.sessions.session import Session, attempt

R = TypeVar("R")


class SessionThread:
    """A background thread that runs a session; `latest` is the newest snapshot."""

    def __init__(self, session: Session) -> None:
        self.latest = session.snapshot
        self.failure: BaseException | None = None
        self._session = session
        self._commands: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name="session", daemon=True)
        self._thread.start()

    def send(self, command: Any) -> None:
        """Queue a command behind those sent before."""
        self._commands.put(command)

    def close(self) -> None:
        """Let the session finish its current step and end the thread."""
        self._commands.put(None)
        self._thread.join(timeout=2)

    def _main(self) -> None:
        if sys.platform != "win32":  # the main thread handles signals
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            with closing(self._session):
                self._serve()
        except BaseException as error:  # the screen reports every failure
            self.failure = error

    def _serve(self) -> None:
        self._let(self._session.idle)
        rest = 0.0 if self._session.running else None
        while True:
            try:
                command = self._commands.get(block=rest != 0, timeout=rest)
            except queue.Empty:
                pass
            else:
                if command is None:
                    return
                self._let(self._session.handle, command)
                if self._commands.empty():
                    self._let(self._session.idle)
            rest = self._let(self._session.step) if self._session.running else None

    def _let(self, work: Callable[..., R], *arguments: Any) -> R | None:
        """Let the session work and take its snapshot."""
        result = attempt(self._session, work, *arguments)
        self.latest = self._session.snapshot
        return result
