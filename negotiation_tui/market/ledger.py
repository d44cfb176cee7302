"""The arrays that the tick loop reads and writes: both sides, the rules and the ledger."""

from typing import Any, NamedTuple

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
    exploration probability is
    `floor + excess`. Each negotiation that it trains in multiplies its excess by `decay`.
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
