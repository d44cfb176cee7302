"""Commands, pacing and notices of a session, shared by trainings, replays and markets."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from negotiation_tui.errors import Refusal, reason_of
from negotiation_tui.sessions.commands import Halt, Play, Restart, Run
from negotiation_tui.sessions.pacer import MAX_BATCH, Pacer
from negotiation_tui.sessions.snapshot import Status

S = TypeVar("S")


class PacedSession(ABC, Generic[S]):
    """A session that plays at a pace, and reports the results of commands in notices.

    A subclass sets the first `snapshot` and adds its own commands to `_obey`.
    """

    snapshot: S
    """The newest snapshot: an immutable value."""

    def __init__(self, notice: str = "") -> None:
        self._pacer: Pacer | None = None
        self._notice, self._notices, self._handled = notice, 0, 0

    @property
    def running(self) -> bool:
        """True if `step` has something to do."""
        return self._pacer is not None and not self._finished

    def handle(self, command: Any) -> None:
        """Carry out one command and publish the result."""
        self._handled += 1
        self._obey(command)
        self.snapshot = self._snapshot()

    def idle(self) -> None:
        """Do nothing: there is no optional work."""

    def step(self) -> float:
        """Play one batch of a run, publish when it is time; return the seconds to rest.

        An error, such as one of a user's strategy, ends the run.
        """
        try:
            return self._step()
        except BaseException:
            self._pacer = None
            raise

    def report(self, refusal: Refusal) -> None:
        """Publish the refusal of a command or a step as a notice."""
        self._say(reason_of(refusal))
        self.snapshot = self._snapshot()

    def _step(self) -> float:
        if self._pacer is None or self._finished:
            return 0.0
        batch = min(self._pacer.due(), self._limit())
        if batch:
            self._play(batch)
            self._pacer.played(batch)
        if self._pacer.time_to_publish() or self._finished:
            self._publish()
            self._pacer.published()
        return 0.0 if batch else 1 / 240

    def close(self) -> None:
        """Release nothing: there are no resources."""

    def _obey(self, command: Any) -> None:
        match command:
            case Play(negotiations):
                self._play(negotiations)
            case Run(per_second):
                self._run(per_second)
            case Halt():
                self._pacer = None
            case Restart():
                self._pacer = None
                self._say(self._restart())

    def _run(self, per_second: float | None) -> None:
        self._pacer = Pacer(per_second)

    def _say(self, notice: str) -> None:
        self._notice, self._notices = notice, self._notices + 1

    def _status(self, compiled: bool = False) -> Status:
        per_second = self._pacer.per_second if self._pacer and self.running else None
        return Status(self._notice, self._notices, self._handled, per_second, compiled)

    def _limit(self) -> int:
        """Return the most that the next batch may hold."""
        return MAX_BATCH

    def _publish(self) -> None:
        self.snapshot = self._snapshot()

    @property
    @abstractmethod
    def _finished(self) -> bool:
        """True if a run has nothing left to play."""

    @abstractmethod
    def _play(self, n: int) -> None:
        """Play `n` negotiations, or ticks."""

    @abstractmethod
    def _restart(self) -> str:
        """Return to the beginning; return the notice for the user."""

    @abstractmethod
    def _snapshot(self) -> S:
        """Return the state at this moment."""
