"""The history of the negotiations that were shown: their sizes and their cycles. Pure."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.learned_table import SparseTable
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.sessions.snapshot import Snapshot

_SNAPSHOT, _TURN, _BELIEF, _PLAN, _STATE = 2250, 150, 170, 700, 21
"""Bytes of a snapshot without its arrays, of a turn, a belief, a plan, and each of its states.

They are measured with tracemalloc (tests/tui/negotiation/test_time_travel.py).
"""


def number_of(snapshot: Snapshot) -> int:
    """Return the number of the negotiation of a snapshot, 0 without one."""
    return snapshot.negotiation.number if snapshot.negotiation else 0


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
    negotiation = entry.negotiation
    assert negotiation is not None
    held = (belief for beliefs in negotiation.beliefs for belief in beliefs or ())
    arrays += sum(_BELIEF + belief.chances.nbytes for belief in held) + 8 * len(entry.nash_convs)
    return arrays + _SNAPSHOT + _TURN * len(negotiation.transcript.turns)


def _arrays(snapshot: Snapshot) -> Iterator[NDArray[Any] | SparseTable]:
    yield from (table for table in snapshot.q_tables if table is not None)
    for policy in snapshot.learned_policies:
        if policy is not None:
            yield from _of_policy(policy)
    yield snapshot.statistics.counts
    yield from (each.halves for each in snapshot.answers if each is not None)
    if snapshot.nash_conv is not None:
        for response in snapshot.nash_conv.responses:
            yield from _of_policy(response.opponent)
            if response.offer_values is not None and response.table is not None:
                yield response.offer_values
                yield response.table
            else:
                yield response.bounds
        if play := snapshot.nash_conv.play:
            yield from (play.between, *play.deals)
    for moment in snapshot.past or ():
        if moment is not None:
            yield from _arrays(moment)


def _of_policy(policy: TabularPolicy) -> Iterator[NDArray[Any]]:
    """Yield the arrays of a policy, also those that were computed from it."""
    yield from (each for each in vars(policy).values() if isinstance(each, np.ndarray))
