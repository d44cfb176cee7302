"""Random matching of the free sellers and buyers in a tick. Plain Python over arrays."""

from typing import Any

from negotiation_tui.learning.loop import ALTERNATE, N_ABOUT, RESPONDER, ROW, Agents
from negotiation_tui.market.ledger import NOT_NEGATIVE, ONE_LEARNS, Ledger, Rules, Side


def free(side: Side, steps: bool, tick: int) -> int:
    """List the agents that are free in this tick in `side.free`, in order; return their number."""
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
    agents: Agents,
    sides: tuple[Side, Side],
    ledger: Ledger,
    rules: Rules,
    n: int,
    n_free: int,
    m_free: int,
    draws: Any,
    position: int,
) -> int:
    """Match `n` of the free sellers and buyers, all pairs equally likely.

    Write the pairs to `ledger.pairs`, grouped by which agents learn, which one trains and which
    one opens. With `rules.steps` a learner that meets nobody waits. Return the position in `draws`.
    """
    sellers, buyers = sides
    free_sellers, free_buyers = sellers.free, buyers.free
    n_learners, m_learners = sellers.n_learners, buyers.n_learners
    in_group, opener, steps = ledger.in_group, rules.opener, rules.steps
    # Sellers in order, buyers shuffled: reading one side in sequence is fast.
    if n < n_free:
        selected = 0
        for k in range(n_free):
            agent = free_sellers[k]
            draw = draws[position]
            position += 1
            if draw * (n_free - k) < n - selected:
                free_sellers[selected] = agent
                selected += 1
            elif steps and agent < n_learners:
                wait(agents, sellers, agent, len(rules.prices) * rules.rounds)
    for key in range(len(in_group)):
        in_group[key] = 0
    for k in range(n):
        index = (k + int(draws[position + k] * (m_free - k))) & NOT_NEGATIVE
        buyer = free_buyers[index]
        free_buyers[index] = free_buyers[k]
        seller = free_sellers[k]
        turn = sellers.meetings[seller]
        sellers.meetings[seller] = turn + 1
        buyers.meetings[buyer] += 1
        # Without a branch, because the processor would often mispredict it.
        static_seller, static_buyer = int(seller >= n_learners), int(buyer >= m_learners)
        kind = static_seller * 2 + static_buyer
        opens = (turn >> 1 if opener == ALTERNATE else opener) & 1
        key = opens + (ONE_LEARNS - 2 + kind * 2 if kind > 0 else (turn & 1) * 2)
        at = in_group[key]
        in_group[key] = at + 1
        pair = ledger.pairs[key][at]
        pair[0], pair[1] = seller, buyer + buyers.first
    if steps:
        for k in range(n, m_free):
            if free_buyers[k] < m_learners:
                wait(agents, buyers, free_buyers[k], len(rules.prices) * rules.rounds)
    return position + n


def wait(agents: Agents, side: Side, agent: int, n_offers: int) -> None:
    """Update a learner that found no partner: it gets the discounted value of being free."""
    number = side.first + agent
    free = end_of(agents, number, n_offers)
    value = agents.best[free]
    rates = agents.rates[number]
    agents.best[free] = value + rates[0] * (rates[1] * value - value)


def end_of(agents: Agents, number: int, n_offers: int) -> int:
    """Return the row of a learner's final state, of which the value is that of being free.

    `n_offers` is the number of prices times that of rounds.
    """
    at = number * N_ABOUT
    row: int = agents.about[at + ROW] + n_offers + agents.about[at + RESPONDER] + 1
    return row
