"""The history of the negotiations that were shown: their sizes and their cycles. Pure."""

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.solvers.best_response import BestResponse

_SNAPSHOT, _TURN, _PLAN, _STATE = 2250, 150, 700, 21
"""Bytes of a snapshot without its arrays, of a turn, of a plan and of each of its states: measured
with tracemalloc (tests/tui/negotiation/test_time_travel.py)."""


def negotiation_of(entry: Snapshot) -> Negotiation:
    """Return the negotiation of an entry."""
    assert entry.negotiation is not None
    return entry.negotiation


def size_of(entry: Snapshot, before: Snapshot | None) -> int:
    """Return the bytes of an entry beyond what it shares with the one before."""
    shared = {id(array) for array in _arrays(before)} if before else set()
    arrays = sum(array.nbytes for array in _arrays(entry) if id(array) not in shared)
    tables = (
        table if policy is None else policy.n_actions
        for table, policy in zip(entry.q_tables, entry.learned_policies, strict=True)
    )
    rows = [len(table) for table in tables if table is not None and id(table) not in shared]
    arrays += sum(_PLAN + _STATE * n for n in rows)  # the plan read from each
    evaluations = 8 * len(entry.nash_convs)
    return arrays + evaluations + _SNAPSHOT + _TURN * len(negotiation_of(entry).transcript.turns)


def _arrays(snapshot: Snapshot) -> Iterator[NDArray[Any]]:
    yield from (table for table in snapshot.q_tables if table is not None)
    for policy in snapshot.learned_policies:
        if policy is not None:
            yield from (policy.actions, policy.n_actions)
            if policy.weights is not None:
                yield policy.weights
    yield snapshot.statistics.counts
    if snapshot.nash_conv is not None:
        for response in snapshot.nash_conv.responses:
            if isinstance(response, BestResponse):
                yield response.offer_values
                yield response.table
    for moment in snapshot.past or ():
        if moment is not None:
            yield from _arrays(moment)
