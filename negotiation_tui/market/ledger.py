"""The arrays that the tick loop reads and writes: both sides, the rules and the ledger."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.learning.spec import learns
from negotiation_tui.market.agents import Agent

# Groups of pairs; one call of the inner loop plays a group. If both agents learn, the group is
# 2 · trains + opens. Each of the three other kinds of pair has two groups, by who opens.
ONE_LEARNS, N_GROUPS = 4, 10
# Columns of the history.
NEGOTIATIONS, ALL_ROUNDS, SURPLUS, DEAL_ROUNDS, N_HISTORY = 0, 1, 2, 3, 4
# Columns of the notes on a negotiation.
SELLER, BUYER, OPENER, LEARNER, N_TURNS, N_NOTES = 0, 1, 2, 3, 4, 5
NOBODY = 2
# Bit mask for an index: shows numba that it is not negative, which makes indexing much faster.
NOT_NEGATIVE = (1 << 32) - 1


class Side(NamedTuple):
    """All agents of one role, learners first; arrays have one entry per agent.

    Agent i learns if i < `n_learners`; in `loop.Agents` it has the number `first + i`. A learner's
    exploration probability is `floor + excess`. Each negotiation that it trains in multiplies its
    excess by `decay`.
    """

    first: int
    n_learners: int
    reservation: Any  # ints: a cost, or a value
    wallet_index: Any  # ints: the wallet it pays from and into
    free_at: Any  # ints: the tick from which it may meet somebody again
    meetings: Any  # ints: negotiations so far
    deals: Any  # ints
    money: Any  # ints: received by a seller, paid by a buyer
    floor: Any  # learners' floats
    excess: Any  # learners' floats
    decay: Any  # learners' floats
    free: Any  # ints, scratch space: the agents that are free in this tick


class Rules(NamedTuple):
    """The constants of a market."""

    prices: Any
    grid: Any  # 0, 1, … for each price: the inner loop sums indices of prices
    rounds: int
    opener: int  # as in `loop.Setup`
    steps: bool  # True: a negotiation of n rounds keeps both agents busy for n ticks
    team_reward: bool  # True: a deal within a wallet is worth the surplus of both
    scale: float  # rewards are surpluses divided by it
    limit: int  # negotiations
    period: int  # ticks per row of the history
    draws: int  # the most random numbers that a negotiation uses


class Ledger(NamedTuple):
    """The records of a market, and scratch space. `pairs` is the size of the smaller side.

    The notes describe the last negotiation. If they have `pairs` rows, they describe each
    negotiation of the tick, in the order of play.
    """

    history: Any  # (rows, N_HISTORY) ints
    sold: Any  # (rows, n_prices) ints: deals at each price
    pairs: Any  # (N_GROUPS, pairs, 2) ints: the agents, seller first
    in_group: Any  # N_GROUPS ints: number of pairs per group
    epsilons: Any  # (pairs) floats: of the group being played
    statistics: Any  # (pairs, N_STATISTICS) ints: of the group being played
    saved_rewards: Any  # n_prices floats, scratch space
    starts: Any
    turns: Any  # (notes, 2 · rounds) ints: actions
    explored: Any  # (notes, 2 · rounds) ints: 1 if the action was drawn at random
    notes: Any  # (notes, N_NOTES) ints
    note_epsilons: Any  # (notes) floats: the learner's exploration probability


CHANGING = ("free_at", "meetings", "deals", "money", "excess")
"""The arrays of a side that ticks change."""
_FLOATS = ("floor", "excess", "decay", "epsilons", "saved_rewards", "note_epsilons")
_KINDS: dict[str, type[np.generic]] = {
    **dict.fromkeys(_FLOATS, np.float64),
    **dict.fromkeys(("turns", "explored", "statistics"), np.int32),
    **dict.fromkeys(("pairs", "in_group", "free"), np.uint32),  # see NOT_NEGATIVE
}
"""The kind of number of each array that does not hold int64."""


def new_side(first: int, agents: Sequence[Agent], wallet_index: NDArray[np.int64]) -> Side:
    """Return the arrays of a role before the first tick; `agents` has its learners first.

    `first` is the number of its first agent.
    """
    learning = [agent.learning for agent in agents if learns(agent.strategy)]
    end, start, decay = (
        np.array([getattr(each, f"exploration_{name}") for each in learning], np.float64)
        for name in ("end", "start", "decay")
    )
    return Side(
        first,
        len(learning),
        reservation=np.array([agent.reservation for agent in agents], np.int64),
        wallet_index=wallet_index,
        floor=end,
        excess=start - end,
        decay=np.exp(-decay),
        **{name: np.zeros(len(agents), np.int64) for name in (*CHANGING[:4], "free")},
    )


def new_ledger(scenario: Scenario, pairs: int, rows: int) -> Ledger:
    """Return an empty ledger for `pairs` pairs per tick and a history of `rows` rows."""
    return Ledger(
        history=np.zeros((rows, N_HISTORY)),
        sold=np.zeros((rows, scenario.n_prices)),
        pairs=np.zeros((N_GROUPS, pairs, 2)),
        in_group=np.zeros(N_GROUPS),
        epsilons=np.zeros(pairs),
        statistics=np.zeros((pairs, N_COUNTS)),
        saved_rewards=np.zeros(scenario.n_prices),
        starts=np.zeros((1, 2)),
        **new_notes(scenario, 1),
    )


def new_notes(scenario: Scenario, rows: int) -> dict[str, Any]:
    """Return `rows` empty rows for the ledger's notes on negotiations."""
    turns = np.zeros((rows, 2 * scenario.rounds))
    notes = np.zeros((rows, N_NOTES))
    return {"turns": turns, "explored": turns, "notes": notes, "note_epsilons": np.zeros(rows)}


def kind_of(name: str) -> type[np.generic]:
    """Return the kind of number of an array of a side or a ledger."""
    return _KINDS.get(name, np.int64)


def in_form(arrays: Mapping[str, Any], backend: Backend) -> dict[str, Any]:
    """Return arrays of a side or a ledger in the form of a backend, by name."""
    return {
        name: row if isinstance(row, int) else backend.row(np.asarray(row, kind_of(name)))
        for name, row in arrays.items()
    }


def summed(history: NDArray[np.int64], each: int, rows: int) -> NDArray[np.int64]:
    """Sum every `each` rows of a history into one, padding with zeros to `rows` rows.

    Raises BadInputError if the history goes on beyond these rows.
    """
    padded = np.zeros((rows * each, history.shape[1]), np.int64)
    if history[len(padded) :].any():
        raise BadInputError(f"history: expected at most {len(padded):,} rows, got {len(history):,}")
    padded[: len(history)] = history[: len(padded)]
    total: NDArray[np.int64] = padded.reshape(rows, each, -1).sum(1)
    return total
