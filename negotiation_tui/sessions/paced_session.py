"""Commands, pace and notices of a session, shared by trainings, replays and markets."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from negotiation_tui.errors import Refusal, reason_of
from negotiation_tui.runtime.status import Status
from negotiation_tui.sessions.commands import Halt, Play, PlayOn, Restart
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.sessions.session import PlainSession

S = TypeVar("S")
PUBLISH_EVERY = 0.2  # seconds between two samples of a run: more cannot be read
BATCH_SECONDS = 0.008
MAX_BATCH = 1 << 18


class Pacer:
    """The size of the batches of a run, and the times to publish.

    A batch is a number of negotiations, or ticks of a market; the first one is 1.
    A batch takes about BATCH_SECONDS, so that commands are handled promptly. Snapshots come 10
    times per second, or less often if they would take more than a tenth of the time. `pace` is in
    the same units per second, played when a snapshot is due; None for as many as possible.
    """

    def __init__(self, pace: float | None) -> None:
        self.per_second = 0.0
        self.pace = pace
        self._batch, self._total = 1, 0
        self._begun = self._batch_begun = self._published = self._measured = time.perf_counter()
        self._measured_total = 0
        self._publish_every, self._publish_begun = PUBLISH_EVERY, self._begun

    def due(self) -> int:
        """Return the size of the batch to play now; 0 while the run is ahead of its pace."""
        self._batch_begun = time.perf_counter()
        if self.pace is None:
            return self._batch
        behind = int((self._batch_begun - self._begun) * self.pace) - self._total
        return max(0, min(self._batch, behind)) if self.rest() <= 0 else 0

    def rest(self) -> float:
        """Return the seconds to the next snapshot; 0 once more than is played between two is due.

        So a run that cannot keep its pace does not rest.
        """
        if self.pace is None:
            return 0.0
        now, every = time.perf_counter(), self._publish_every
        ahead = self._total / self.pace + every - (now - self._begun)
        return max(0.0, min(self._published + every - now, ahead))

    def played(self, batch: int) -> None:
        """Note that a batch was played since `due`."""
        now = time.perf_counter()
        self._total += batch
        took = max(now - self._batch_begun, 1e-6)
        if batch == self._batch or took > BATCH_SECONDS:
            self._batch = max(1, min(MAX_BATCH, 4 * batch, int(batch * BATCH_SECONDS / took)))
        if now - self._measured >= 0.25:
            self.per_second = (self._total - self._measured_total) / (now - self._measured)
            self._measured, self._measured_total = now, self._total

    def time_to_publish(self) -> bool:
        self._publish_begun = time.perf_counter()
        return self._publish_begun - self._published >= self._publish_every

    def published(self) -> None:
        self._published = time.perf_counter()
        self._publish_every = max(PUBLISH_EVERY, 10 * (self._published - self._publish_begun))


class PacedSession(PlainSession, ABC, Generic[S]):
    """A session that plays at a pace, and reports the results of commands in notices.

    A subclass sets the first `snapshot` and adds its own commands to `_obey`.
    """

    snapshot: S
    record: Callable[[S], None] = staticmethod(lambda _: None)
    """Called with the snapshot after each command and step; see `saving.record_to`."""

    def __init__(self, notice: str = "") -> None:
        self._pacer: Pacer | None = None
        self._notice, self._notices, self._handled = notice, 0, 0
        self._extra = Extras(self._say)
        self._busy = threading.RLock()  # held while the session changes

    @property
    def running(self) -> bool:
        return self._pacer is not None and not self._finished

    def handle(self, command: Any) -> None:
        with self._busy:
            self._handled += 1
            self._obey(command)
            self._publish()
            self.record(self.snapshot)

    def step(self) -> float:
        """Play one batch of a run, publish when it is time; return the seconds to rest.

        An error, such as one of a user's strategy, ends the run.
        """
        with self._busy:
            try:
                rest = self._step()
            except BaseException:
                self._pacer = None
                raise
            self.record(self.snapshot)
            return rest

    def report(self, refusal: Refusal) -> None:
        with self._busy:
            self._say(reason_of(refusal))
            self._publish()

    def _step(self) -> float:
        if self._pacer is None or self._finished:
            return 0.0
        pacer = self._pacer  # a command in the middle of a step may change it
        batch = min(pacer.due(), self._limit())
        if batch:
            self._play(batch)
            pacer.played(batch)
        if pacer.time_to_publish() or self._finished:
            self._publish_sample()
            pacer.published()
        return pacer.rest()

    def _obey(self, command: Any) -> None:
        match command:
            case Play(negotiations):
                self._play(negotiations)
            case PlayOn(per_second):
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
        return MAX_BATCH

    def _publish(self) -> None:
        self.snapshot = self._snapshot()

    def _publish_sample(self) -> None:
        """Publish the state in the middle of a run."""
        self._publish()

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
