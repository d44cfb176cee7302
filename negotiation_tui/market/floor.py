"""The floor of a market: tick by tick, who meets whom, their negotiations, and what is paid.

Plain Python over rows of numbers around the inner loop of `learning.kernel`, run as it is or
compiled, to the same bits. Many ticks go by in one call, for a call from Python takes as long as
hundreds of negotiations.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from negotiation_tui.learning.kernel import (
    ALTERNATE,
    N_STATISTICS,
    PRICES,
    ROUNDS,
    VALIDATED,
    Seat,
    play,
)

FOREVER = 1 << 62
N_GROUPS = 16
# Columns of the history.
NEGOTIATIONS, ALL_ROUNDS, SURPLUS, DEAL_ROUNDS, N_HISTORY = 0, 1, 2, 3, 4
# Columns of the notes on what was said.
OPENED, TRAINED, SAID, N_NOTES = 0, 1, 2, 3
NOBODY = 2

Trade = Callable[..., tuple[int, int, int]]


class Side(NamedTuple):
    """All agents of one role, learners before the others; rows have an entry an agent.

    Agent i learns where i < `n_learners`; it is then agent i of the seat `learners`, else agent
    i − n_learners of `others`. The exploration probability of a learner is `floor + excess`, and
    each negotiation that it trains in multiplies its excess by `fall`.
    """

    n_learners: int
    learners: Seat
    others: Seat
    reservation: Any  # ints: a cost, or a value
    purse: Any  # ints: whose wallet it pays from and into
    free_at: Any  # ints: the tick from which it may meet somebody again
    meetings: Any  # ints: negotiations so far
    deals: Any  # ints
    money: Any  # ints: what a seller received, what a buyer paid
    floor: Any  # learners' floats
    excess: Any  # learners' floats
    fall: Any  # learners' floats
    free: Any  # ints to work with: who is free in this tick


class Books(NamedTuple):
    """What is written down, and rows to work with, as long as the smaller side."""

    purses: Any  # ints: the money in each wallet
    history: Any  # (rows, N_HISTORY) ints
    sold: Any  # (rows, n_prices) ints: deals at each price
    pairs: Any  # (pairs, 2) ints: places in the seats of the two that meet
    seller: Any  # ints
    buyer: Any  # ints
    group: Any  # ints
    met: Any  # ints
    partner: Any  # ints
    epsilons: Any  # floats
    statistics: Any  # (pairs, N_STATISTICS) ints
    begin: Any  # N_GROUPS + 1 ints
    kept: Any  # n_prices floats
    starts: Any
    turns: Any  # (rows, 2 · rounds) ints: what was said last; as many rows as pairs keep all
    explored: Any  # the same shape
    notes: Any  # (rows, N_NOTES) ints: who opened, who trained or NOBODY, how many turns


def trade(
    sides: tuple[Side, Side],
    books: Books,
    prices: Any,
    grid: Any,
    rounds: int,
    opener: int,
    steps: bool,
    team_reward: bool,
    scale: float,
    limit: int,
    period: int,
    tick: int,
    stop: int,
    negotiations: int,
    draws: Any,
    position: int,
) -> tuple[int, int, int]:
    """Let ticks go by, from `tick` on to `stop` or until there were `limit` negotiations.

    In a tick as many of the free as can are matched at random, all pairs equally likely; a
    seller's negotiations go in turn through who trains and who opens (unless `opener` says).
    With `steps` a negotiation keeps both busy for as many ticks as it took rounds, and a
    learner's final state is worth what it found being free to be worth. `grid` holds 0, 1, …;
    rewards are surpluses divided by `scale`. With `team_reward` a deal within a wallet is
    worth the surplus of both. `period` ticks go to a row of the history.

    Returns the tick to go on with (sooner than asked if `draws` may not last for one more),
    the negotiations so far and the position in `draws`.
    """
    sellers, buyers = sides
    n_prices = len(prices)
    n_sellers, n_buyers = len(sellers.reservation), len(buyers.reservation)
    states_of = (
        n_prices * rounds + sellers.learners.block + 2,
        n_prices * rounds + buyers.learners.block + 2,
    )
    most = 3 * rounds + 3
    kept = len(books.turns) == len(books.met)
    begin, group = books.begin, books.group
    while tick < stop and negotiations < limit:
        n_free, m_free = n_sellers, n_buyers
        if steps:
            n_free, m_free = 0, 0
            for agent in range(n_sellers):
                if sellers.free_at[agent] <= tick:
                    sellers.free[n_free] = agent
                    n_free += 1
            for agent in range(n_buyers):
                if buyers.free_at[agent] <= tick:
                    buyers.free[m_free] = agent
                    m_free += 1
        else:
            for agent in range(n_sellers):
                sellers.free[agent] = agent
            for agent in range(n_buyers):
                buyers.free[agent] = agent
        n = min(n_free, m_free, limit - negotiations)
        if position + n_free + n + (n + 1) * most > len(draws):
            break

        # Sellers in their order, buyers shuffled: one side is read in sequence.
        taken = 0
        for k in range(n_free):
            agent = sellers.free[k]
            if n < n_free:
                draw = draws[position]
                position += 1
                if draw * (n_free - k) >= n - taken:
                    if steps and agent < sellers.n_learners:  # it waits
                        rate = sellers.learners.learning_rates[agent]
                        at = (agent + 1) * states_of[0] - 1
                        worth = sellers.learners.best[at]
                        later = sellers.learners.discount_rates[agent] * worth
                        sellers.learners.best[at] = worth + rate * (later - worth)
                    continue
            books.seller[taken] = agent
            taken += 1
        for k in range(n):
            other = k + int(draws[position] * (m_free - k))
            position += 1
            agent = buyers.free[other]
            buyers.free[other] = buyers.free[k]
            books.buyer[k] = agent
        if steps:
            for k in range(n, m_free):
                agent = buyers.free[k]
                if agent < buyers.n_learners:
                    rate = buyers.learners.learning_rates[agent]
                    at = (agent + 1) * states_of[1] - 1
                    worth = buyers.learners.best[at]
                    later = buyers.learners.discount_rates[agent] * worth
                    buyers.learners.best[at] = worth + rate * (later - worth)

        # Grouped by which of the two learn, which trains and which opens.
        for k in range(N_GROUPS + 1):
            begin[k] = 0
        for k in range(n):
            seller, buyer = books.seller[k], books.buyer[k]
            turn = sellers.meetings[seller]
            opens = turn // 2 % 2 if opener == ALTERNATE else opener
            if seller < sellers.n_learners:
                kind, trains = (0, turn % 2) if buyer < buyers.n_learners else (1, 0)
            else:
                kind, trains = (2, 1) if buyer < buyers.n_learners else (3, 0)
            group[k] = kind * 4 + trains * 2 + opens
            begin[group[k] + 1] += 1
        for k in range(N_GROUPS):
            begin[k + 1] += begin[k]
        for k in range(n):
            at = begin[group[k]]
            begin[group[k]] += 1
            seller, buyer = books.seller[k], books.buyer[k]
            books.met[at], books.partner[at] = seller, buyer
            pair = books.pairs[at]
            pair[0], pair[1] = seller, buyer
            if seller >= sellers.n_learners:
                pair[0] = seller - sellers.n_learners
            if buyer >= buyers.n_learners:
                pair[1] = buyer - buyers.n_learners
            tally = books.statistics[at]
            for column in range(N_STATISTICS):
                tally[column] = 0

        row = books.history[tick // period]
        sold = books.sold[tick // period]
        first, all_rounds, deal_rounds, all_surplus = 0, 0, 0, 0
        for key in range(N_GROUPS):
            end = begin[key]  # where the next group begins, by now
            if end == first:
                continue
            trainee, opens = key // 2 % 2, key % 2
            seat = sellers.learners if key < 8 else sellers.others
            opposite = buyers.learners if key // 4 % 2 == 0 else buyers.others
            learning = sides[trainee]
            met = books.met if trainee == 0 else books.partner
            trains = key < 12
            for at in range(first, end):
                agent = met[at]
                books.epsilons[at] = 0.0
                if trains:
                    books.epsilons[at] = learning.floor[agent] + learning.excess[agent]
                    learning.excess[agent] *= learning.fall[agent]
            stride = 1 if team_reward or kept else end - first
            for at in range(first, end, stride):
                seller, buyer = books.met[at], books.partner[at]
                joint = trains and team_reward and sellers.purse[seller] == buyers.purse[buyer]
                mine = met[at] * n_prices
                if joint:
                    both = (buyers.reservation[buyer] - sellers.reservation[seller]) / scale
                    for k in range(n_prices):
                        books.kept[k] = learning.learners.rewards[mine + k]
                        learning.learners.rewards[mine + k] = both
                note = books.notes[at if kept else 0]
                note[OPENED], note[TRAINED] = opens, trainee if trains else NOBODY
                _, position, _, _, note[SAID] = play(
                    (seat, opposite),
                    (trainee, trainee),
                    opens,
                    1,
                    1 + at,
                    1 + at + stride,
                    FOREVER,
                    books.epsilons,
                    False,
                    books.pairs,
                    grid,
                    rounds,
                    draws,
                    position,
                    books.statistics,
                    books.starts,
                    books.turns[at if kept else 0],
                    books.explored[at if kept else 0],
                )
                if joint:
                    for k in range(n_prices):
                        learning.learners.rewards[mine + k] = books.kept[k]

            for at in range(first, end):
                seller, buyer = books.met[at], books.partner[at]
                tally = books.statistics[at]
                took, index = tally[ROUNDS], tally[PRICES]
                sellers.meetings[seller] += 1
                buyers.meetings[buyer] += 1
                # Without a branch, for half of them would be guessed wrong: a deal is 1 or 0.
                deal = tally[VALIDATED] + tally[VALIDATED + 1]
                surplus = buyers.reservation[buyer] - sellers.reservation[seller]
                price = prices[index] * deal
                books.purses[buyers.purse[buyer]] -= price
                books.purses[sellers.purse[seller]] += price
                sellers.money[seller] += price
                buyers.money[buyer] += price
                sellers.deals[seller] += deal
                buyers.deals[buyer] += deal
                sold[index] += deal
                all_rounds += took
                deal_rounds += took * deal
                all_surplus += surplus * deal
                if steps:
                    sellers.free_at[seller] = tick + took
                    buyers.free_at[buyer] = tick + took
                    kin = team_reward and sellers.purse[seller] == buyers.purse[buyer]
                    for role in range(2):
                        side = sides[role]
                        agent = seller if role == 0 else buyer
                        if agent >= side.n_learners:
                            continue
                        rate = side.learners.learning_rates[agent]
                        discount = side.learners.discount_rates[agent]
                        final = (agent + 1) * states_of[role] - 1
                        worth = side.learners.best[final]
                        found = 0.0
                        if deal == 1:
                            found = side.learners.rewards[agent * n_prices + index]
                            if kin:
                                found = surplus / scale
                        found += discount * worth
                        for _ in range(took - 1):
                            found *= discount
                        side.learners.best[final] = worth + rate * (found - worth)
            first = end
        row[NEGOTIATIONS] += n
        row[ALL_ROUNDS] += all_rounds
        row[DEAL_ROUNDS] += deal_rounds
        row[SURPLUS] += all_surplus
        negotiations += n
        tick += 1
    return tick, negotiations, position
