"""The history of the negotiations that were shown: their sizes and their cycles. Pure."""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from negotiation_tui.sessions.snapshot import Negotiation, Snapshot

_SNAPSHOT, _TURN = 1000, 150
"""Bytes of everything except arrays, measured with tracemalloc (tests/benchmarks)."""


def negotiation_of(entry: Snapshot) -> Negotiation:
    """Return the negotiation of an entry."""
    assert entry.negotiation is not None
    return entry.negotiation


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
    for moment in snapshot.past or ():
        if moment is not None:
            yield from _arrays(moment)
