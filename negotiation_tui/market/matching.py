"""Who is free in a tick of a market, and who meets whom. Plain Python over rows of numbers."""

from typing import Any

from negotiation_tui.learning.kernel import ALTERNATE
from negotiation_tui.market.ledger import NOT_NEGATIVE, ONE_LEARNS, Ledger, Rules, Side


def free(side: Side, steps: bool, tick: int) -> int:
    """How many may meet somebody now; they are listed in `side.free`, in their order."""
    n = 0
    if not steps:
        n = len(side.free)
        for agent in range(n):
            side.free[agent] = agent
        return n
    for agent in range(len(side.free)):
        if side.free_at[agent] <= tick:
            side.free[n] = agent
            n += 1
    return n


def match_pairs(
    sides: tuple[Side, Side],
    books: Ledger,
    rules: Rules,
    n: int,
    n_free: int,
    m_free: int,
    draws: Any,
    position: int,
) -> int:
    """Match `n` of the free sellers and buyers, all pairs equally likely; returns the position.

    The pairs are in `books.pairs`, grouped by which of the two learn, which trains and which
    opens. With `rules.steps` a learner that meets nobody has waited.
    """
    sellers, buyers = sides
    free_sellers, free_buyers = sellers.free, buyers.free
    n_learners, m_learners = sellers.n_learners, buyers.n_learners
    in_group, opener, steps = books.in_group, rules.opener, rules.steps
    # Sellers in their order, buyers shuffled: one side is read in sequence.
    if n < n_free:
        taken = 0
        for k in range(n_free):
            agent = free_sellers[k]
            draw = draws[position]
            position += 1
            if draw * (n_free - k) < n - taken:
                free_sellers[taken] = agent
                taken += 1
            elif steps and agent < n_learners:
                wait(sellers, agent)
    for key in range(len(in_group)):
        in_group[key] = 0
    for k in range(n):
        other = (k + int(draws[position + k] * (m_free - k))) & NOT_NEGATIVE
        buyer = free_buyers[other]
        free_buyers[other] = free_buyers[k]
        seller = free_sellers[k]
        turn = sellers.meetings[seller]
        sellers.meetings[seller] = turn + 1
        buyers.meetings[buyer] += 1
        # Without a branch, for some would be guessed wrong.
        alone, opposite = int(seller >= n_learners), int(buyer >= m_learners)
        kind = alone * 2 + opposite
        opens = (turn >> 1 if opener == ALTERNATE else opener) & 1
        key = opens + (ONE_LEARNS - 2 + kind * 2 if kind > 0 else (turn & 1) * 2)
        at = in_group[key]
        in_group[key] = at + 1
        pair = books.pairs[key][at]
        pair[0], pair[1] = seller - alone * n_learners, buyer - opposite * m_learners
    if steps:
        for k in range(n, m_free):
            if free_buyers[k] < m_learners:
                wait(buyers, free_buyers[k])
    return position + n


def wait(side: Side, agent: int) -> None:
    """A tick in which a learner found nobody is worth only that it is free in the next."""
    best, states = side.learners.best, len(side.learners.best) // side.n_learners
    free = (agent + 1) * states - 1
    worth = best[free]
    later = side.learners.discount_rates[agent] * worth
    best[free] = worth + side.learners.learning_rates[agent] * (later - worth)
