"""The arguments of the inner loop: numbers and rows of numbers, see `learning.kernel`."""

from typing import Any, NamedTuple


class SeatArrays(NamedTuple):
    """One role in the inner loop: a policy, and for a learner its Q-table.

    Holds one agent or many, one table after the other. Agent a's row of a state is
    `a · n_states + state`. With hidden limits, each limit is such an agent.

    A policy draws from the first `n_actions[row]` actions in each row of `actions`, uniformly
    unless it has weights (see `game.draws`). The row is `state · m + number`: of the m numbers of
    its memory, the one that stands for the offers so far (see `game.memory`). Without memory m is
    1 and the number 0.

    After each update a learner's `actions` and `n_actions` are greedy over `q`, and `best[state]`
    is the greatest value among the legal actions. While the other role learns, this one plays
    its frozen policy.
    """

    learning_rates: Any  # per agent; an agent with 0 does not learn, its q is never touched
    discount_rates: Any  # per agent
    q: Any  # n_states · n_actions floats
    best: Any  # n_states floats
    actions: Any  # rows · width ints
    n_actions: Any  # rows ints
    frozen_actions: Any
    frozen_n_actions: Any
    cumulative: Any  # rows · width floats of both policies; a single UNIFORM without weights
    changed: Any  # rows that a learner's policy has changed since, see `frozen_policy`
    memories: Any  # per agent: the kind of its memory
    first_offers: Any  # per agent: the first action that is a legal offer
    n_offers: Any  # per agent: number of legal offers; their actions are consecutive
    limits: Any  # per agent: the price of reward 0
    rewards: Any  # n_prices floats per agent: the reward of a deal at each price
    responder_offset: (
        int  # responder's states begin this far after the opener's; 0 if they are equal
    )


def is_general(seat: SeatArrays) -> bool:
    """True if an agent of a seat has a memory or weights, so that `play` needs `offers`."""
    return any(seat.memories) or len(seat.cumulative) > 1


class Setup(NamedTuple):
    """The arguments of `play` that are the same for all episodes of a call."""

    seats: tuple[SeatArrays, SeatArrays]
    learners: tuple[int, int]  # the roles that learn in even and in odd cycles
    opener: int  # a role, or ALTERNATE: the opponent opens even episodes, the learner odd ones
    first: int  # number, over all cycles, of the episode that the rows below begin with
    episodes: int  # per cycle
    epsilons: Any  # exploration probability of each episode
    expected: bool  # learn from the mean over the opponent's possible answers
    prices: Any
    rounds: int
    market: int  # 1 in a market
    statistics: Any  # counts by the columns above, per cycle, or in a market per episode
    starts: Any  # per cycle: the first ply and the number n of plies to begin at, see `play`
    turns: Any  # 2 · rounds ints: the actions of the last episode
    explored: Any  # same shape: 1 if that action was drawn at random
