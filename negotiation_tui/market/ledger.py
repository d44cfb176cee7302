"""The rows of numbers that the floor of a market reads and writes: both sides, and its books."""

from typing import Any, NamedTuple

from negotiation_tui.learning.kernel import SeatArrays

# Groups of pairs that one call of the inner loop can play: where both learn one for each of
# trains · 2 + opens, then two, by who opens, for each kind of pair in which not both learn.
ONE_LEARNS, N_GROUPS = 4, 10
# Columns of the history.
NEGOTIATIONS, ALL_ROUNDS, SURPLUS, DEAL_ROUNDS, N_HISTORY = 0, 1, 2, 3, 4
# Columns of the notes on what was said.
SELLER, BUYER, OPENED, TRAINED, SAID, N_NOTES = 0, 1, 2, 3, 4, 5
NOBODY = 2
# Ands with an index: where compiled code sees that it is none from the end, it is much quicker.
NOT_NEGATIVE = (1 << 32) - 1


class Side(NamedTuple):
    """All agents of one role, learners before the others; rows have an entry an agent.

    Agent i learns where i < `n_learners`; it is then agent i of the seat `learners`, else agent
    i − n_learners of `others`. The exploration probability of a learner is `floor + excess`, and
    each negotiation that it trains in multiplies its excess by `fall`.
    """

    n_learners: int
    learners: SeatArrays
    others: SeatArrays
    reservation: Any  # ints: a cost, or a value
    wallet_index: Any  # ints: whose wallet it pays from and into
    free_at: Any  # ints: the tick from which it may meet somebody again
    meetings: Any  # ints: negotiations so far
    deals: Any  # ints
    money: Any  # ints: what a seller received, what a buyer paid
    floor: Any  # learners' floats
    excess: Any  # learners' floats
    fall: Any  # learners' floats
    free: Any  # ints to work with: who is free in this tick


class Rules(NamedTuple):
    """What stays the same from the first tick to the last."""

    prices: Any
    grid: Any  # 0, 1, … for each price: what the inner loop counts prices in
    rounds: int
    opener: int  # as in `learning.kernel.Setup`
    steps: bool  # a negotiation keeps both busy for as many ticks as it took rounds
    team_reward: bool  # a deal within a wallet is worth the surplus of both
    scale: float  # rewards are surpluses divided by it
    limit: int  # negotiations
    period: int  # ticks in a row of the history


class Ledger(NamedTuple):
    """What is written down, and rows to work with; there are as many pairs as on the smaller side.

    Notes are of the last negotiation or, where they have as many rows as there are pairs, of each
    in the tick, in the order they were played in.
    """

    history: Any  # (rows, N_HISTORY) ints
    sold: Any  # (rows, n_prices) ints: deals at each price
    pairs: Any  # (N_GROUPS, pairs, 2) ints: places in the seats of the two that meet
    in_group: Any  # N_GROUPS ints: how many pairs of a group
    epsilons: Any  # (pairs) floats: of the group being played
    statistics: Any  # (pairs, N_STATISTICS) ints: likewise
    kept: Any  # n_prices floats
    starts: Any
    turns: Any  # (notes, 2 · rounds) ints: what was said
    explored: Any  # the same shape
    notes: Any  # (notes, N_NOTES) ints: who met, who opened, who trained or NOBODY, how many turns
    chances: Any  # (notes) floats: how likely the trainee was to explore
