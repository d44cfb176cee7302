"""The pace of a run: the size of its batches, and the times to publish."""

import time

PUBLISH_EVERY = 1 / 30
BATCH_SECONDS = 0.008
MAX_BATCH = 1 << 18


class Pacer:
    """How much to play at a time in a run, and when to publish.

    What is counted are negotiations, or ticks of a market; `batch` is how many to begin with.
    Batches take about BATCH_SECONDS, so that commands are heard promptly. Snapshots come thirty
    times a second, or less often where making one would cost more than a tenth of the time.
    """

    def __init__(self, wanted: float | None, batch: int = 16) -> None:
        self.per_second = 0.0
        self._wanted = wanted
        self._batch, self._total = batch, 0
        self._begun = self._batch_begun = self._published = self._measured = time.perf_counter()
        self._measured_total = 0
        self._publish_every = PUBLISH_EVERY

    @property
    def flat_out(self) -> bool:
        """Whether no pace was asked for."""
        return self._wanted is None

    def due(self) -> int:
        """How many negotiations to play now; 0 while the run is ahead of its pace."""
        self._batch_begun = time.perf_counter()
        if self._wanted is None:
            return self._batch
        ahead = int((self._batch_begun - self._begun) * self._wanted) - self._total
        return max(0, min(self._batch, ahead))

    def played(self, batch: int) -> None:
        """Note that so many were played since `due`."""
        now = time.perf_counter()
        self._total += batch
        took = max(now - self._batch_begun, 1e-6)
        if batch == self._batch:
            self._batch = max(1, min(MAX_BATCH, 4 * batch, int(batch * BATCH_SECONDS / took)))
        if now - self._measured >= 0.25:
            self.per_second = (self._total - self._measured_total) / (now - self._measured)
            self._measured, self._measured_total = now, self._total

    def time_to_publish(self) -> bool:
        """Whether the last snapshot is old enough."""
        self._publish_begun = time.perf_counter()
        return self._publish_begun - self._published >= self._publish_every

    def published(self) -> None:
        """Note that a snapshot was made since `time_to_publish`."""
        self._published = time.perf_counter()
        self._publish_every = max(PUBLISH_EVERY, 10 * (self._published - self._publish_begun))
