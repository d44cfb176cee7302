"""The history of the negotiations that were shown: their sizes and their cycles. Pure."""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.tui.toolkit.timeline import History

_SNAPSHOT, _TURN = 1000, 150
"""Bytes of everything except arrays, measured with tracemalloc (tests/benchmarks)."""


def negotiation_of(entry: Snapshot) -> Negotiation:
    """Return the negotiation of an entry."""
    assert entry.negotiation is not None
    return entry.negotiation


def other_cycle(history: History[Snapshot], place: int, step: int) -> int | None:
    """Return the last entry of the nearest cycle before (step −1) or after (1), None if none."""
    cycles = [negotiation_of(entry).cycle for entry in history.entries]
    after = range(place + 1, len(cycles)) if step > 0 else range(place - 1, -1, -1)
    nearest = next((n for n in after if (cycles[n] - cycles[place]) * step > 0), None)
    if nearest is None or step < 0:
        return nearest
    return max(n for n in range(nearest, len(cycles)) if cycles[n] == cycles[nearest])


def size_of(entry: Snapshot, before: Snapshot | None) -> int:
    """Return the bytes of an entry beyond what it shares with the one before."""
    shared = {id(array) for array in _arrays(before)} if before else set()
    arrays = sum(array.nbytes for array in _arrays(entry) if id(array) not in shared)
    evaluations = 8 * len(entry.nash_convs)
    return arrays + evaluations + _SNAPSHOT + _TURN * len(negotiation_of(entry).transcript.turns)


def _arrays(snapshot: Snapshot) -> Iterator[NDArray[Any]]:
    yield from (table for table in snapshot.q_tables if table is not None)
    yield snapshot.statistics.counts
    if snapshot.nash_conv is not None:
        for response in snapshot.nash_conv.responses:
            yield response.offer_values
            yield response.table
