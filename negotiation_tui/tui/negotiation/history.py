"""What was on the bar before: a ring of snapshots, bounded in number and in memory. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from negotiation_tui.sessions.snapshot import Negotiation, Snapshot

MOST = 2000
"""So many negotiations are kept at most."""
MOST_BYTES = 64 << 20
"""In so much memory at most."""
_SNAPSHOT, _TURN = 1000, 150
"""Bytes of what is no array, measured with tracemalloc (tests/benchmarks)."""


@dataclass(frozen=True, slots=True)
class History:
    """Snapshots from right after each negotiation that was shown, the oldest first."""

    entries: tuple[Snapshot, ...] = ()
    sizes: tuple[int, ...] = ()
    """Bytes that each entry needs beyond what it shares with the one before."""
    size: int = 0
    """Bytes of all."""

    def with_newest(self, snapshot: Snapshot) -> "History":
        """The same with one entry more, and so many fewer of the oldest that it fits.

        A later snapshot of the newest negotiation takes the place of the one before. Arrays that
        two snapshots share count once.
        """
        if self.entries and _number(self.entries[-1]) == _number(snapshot):
            return self._without_newest().with_newest(snapshot)
        last = self.entries[-1] if self.entries else None
        entries = (*self.entries, snapshot)
        sizes = (*self.sizes, _size(snapshot, last))
        size = self.size + sizes[-1]
        drop = 0
        while len(entries) - drop > 1 and (len(entries) - drop > MOST or size > MOST_BYTES):
            size -= sizes[drop]
            drop += 1
        return History(entries[drop:], sizes[drop:], size)

    def _without_newest(self) -> "History":
        return History(self.entries[:-1], self.sizes[:-1], self.size - self.sizes[-1])

    def negotiation(self, place: int) -> Negotiation:
        """The negotiation of an entry."""
        shown = self.entries[place].negotiation
        assert shown is not None
        return shown

    def other_cycle(self, place: int, step: int) -> int | None:
        """The last entry of the nearest cycle before (step −1) or after (1); None if not kept."""
        cycle = self.negotiation(place).cycle
        after = range(place + 1, len(self.entries)) if step > 0 else range(place - 1, -1, -1)
        found = next((n for n in after if (self.negotiation(n).cycle - cycle) * step > 0), None)
        if found is None or step < 0:
            return found
        reached = self.negotiation(found).cycle
        same = (n for n in range(found, len(self.entries)) if self.negotiation(n).cycle == reached)
        return max(same)


def _number(snapshot: Snapshot) -> int:
    return snapshot.negotiation.number if snapshot.negotiation else 0


def _size(snapshot: Snapshot, before: Snapshot | None) -> int:
    shared = {id(array) for array in _arrays(before)} if before else set()
    arrays = sum(array.nbytes for array in _arrays(snapshot) if id(array) not in shared)
    turns = len(snapshot.negotiation.transcript.turns) if snapshot.negotiation else 0
    return arrays + _SNAPSHOT + _TURN * turns


def _arrays(snapshot: Snapshot) -> Iterator[NDArray[Any]]:
    yield from (table for table in snapshot.q_tables if table is not None)
    yield snapshot.statistics.counts
    if snapshot.nash_conv is not None:
        for response in snapshot.nash_conv.responses:
            yield from (worth for worths in response.worths for worth in worths)
            yield response.table
