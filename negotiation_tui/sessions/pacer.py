"""The pace of a run: the size of its batches, and the times to publish."""

import time

PUBLISH_EVERY = 1 / 30
BATCH_SECONDS = 0.008
MAX_BATCH = 1 << 18


class Pacer:
    """The size of the batches of a run, and the times to publish.

    A batch is a number of negotiations, or ticks of a market; the first one is 1.
    A batch takes about BATCH_SECONDS, so that commands are handled promptly. Snapshots come 30
    times per second, or less often if they would take more than a tenth of the time. `pace` is in
    negotiations, or ticks, per second; None for as many as possible.
    """

    def __init__(self, pace: float | None) -> None:
        self.per_second = 0.0
        self._pace = pace
        self._batch, self._total = 1, 0
        self._begun = self._batch_begun = self._published = self._measured = time.perf_counter()
        self._measured_total = 0
        self._publish_every = PUBLISH_EVERY

    @property
    def flat_out(self) -> bool:
        """True if no pace was set."""
        return self._pace is None

    def due(self) -> int:
        """Return the size of the batch to play now; 0 while the run is ahead of its pace."""
        self._batch_begun = time.perf_counter()
        if self._pace is None:
            return self._batch
        behind = int((self._batch_begun - self._begun) * self._pace) - self._total
        return max(0, min(self._batch, behind))

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
        """Return True if it is time for the next snapshot."""
        self._publish_begun = time.perf_counter()
        return self._publish_begun - self._published >= self._publish_every

    def published(self) -> None:
        """Note that a snapshot was made since `time_to_publish`."""
        self._published = time.perf_counter()
        self._publish_every = max(PUBLISH_EVERY, 10 * (self._published - self._publish_begun))
