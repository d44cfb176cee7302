"""The protocol that every live run follows, and the thread that serves any of them."""

import queue
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, Protocol, TypeVar

from negotiation_tui.errors import BadInputError, Refusal
from negotiation_tui.runtime.child_process import of_waiting

R = TypeVar("R")


class _OfThread(threading.local):
    commands: queue.Queue[Any] | None = None  # that wait for the session of a thread


_of_thread = _OfThread()


def interrupted() -> bool:
    """True if a command waits for the session that this thread runs."""
    return _of_thread.commands is not None and not _of_thread.commands.empty()


class _ClosedError(BaseException):
    """The end of a thread that waits for a program."""


class Session(Protocol):
    """A live run that takes commands and publishes snapshots; it works only if called."""

    @property
    def snapshot(self) -> Any:
        """The newest snapshot: an immutable value."""

    @property
    def running(self) -> bool:
        """True if `step` has something to do."""

    def handle(self, command: Any) -> None:
        """Carry out one command and publish the result."""

    def report(self, refusal: Refusal) -> None:
        """Publish the refusal of a command or a step, or raise it to end the session."""

    def idle(self) -> None:
        """Do optional work while no command waits, such as updating NashConv."""

    def step(self) -> float:
        """Work for a moment; return the seconds to rest."""

    def meanwhile(self, command: Any, /) -> bool:
        """Publish who is awaited in the middle of a step or a command.

        Return True if the command that waits, if any, was carried out; most must wait on.
        """

    def close(self) -> None:
        """Release resources. Called once, last, from the session's thread."""


class PlainSession:
    """The base of sessions without optional work, programs and resources; a refusal ends them."""

    def report(self, refusal: Refusal) -> None:
        raise refusal

    def idle(self) -> None: ...

    def meanwhile(self, _: Any) -> bool:
        return False

    def close(self) -> None: ...


def attempt(session: Session, work: Callable[..., R], *arguments: Any) -> R | None:
    """Call a method of a session; a refusal is reported and does not end the session."""
    try:
        return work(*arguments)
    except (BadInputError, OSError) as refusal:
        session.report(refusal)
        return None


class SessionThread:
    """A background thread that runs a session; `latest` is the newest snapshot."""

    def __init__(self, session: Session) -> None:
        self.latest = session.snapshot
        self.failure: BaseException | None = None
        self._session = session
        self._commands: queue.Queue[Any] = queue.Queue()
        self._closing = False
        self._thread = threading.Thread(target=self._main, name="session", daemon=True)
        self._thread.start()

    def send(self, command: Any) -> None:
        self._commands.put(command)

    def close(self) -> None:
        """End the thread after the session's current step; no program is waited for."""
        self._closing = True
        self._commands.put(None)
        self._thread.join(timeout=2)

    def _main(self) -> None:
        if sys.platform != "win32":  # the main thread handles signals
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        _of_thread.commands = self._commands
        of_waiting.meanwhile = self._meanwhile
        try:
            with closing(self._session), suppress(_ClosedError):
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

    def _meanwhile(self) -> None:
        """Publish that a program is awaited, and carry out the commands that need not wait."""
        if self._closing:
            raise _ClosedError
        waiting = self._commands.queue  # only this thread takes from its beginning
        while self._session.meanwhile(waiting[0] if waiting else None):
            self._commands.get()
        self.latest = self._session.snapshot

    def _let(self, work: Callable[..., R], *arguments: Any) -> R | None:
        result = attempt(self._session, work, *arguments)
        self.latest = self._session.snapshot
        return result
