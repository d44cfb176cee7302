"""The tick loop of a market: matching, negotiations and settlement.

Plain Python over arrays of numbers, around `learning.loop`. It runs as it is or compiled, with
results equal to the bit. One call runs many ticks, because a call from Python takes as long as
hundreds of negotiations.
"""

from typing import Any

from negotiation_tui.learning.loop import (
    AGREEMENTS,
    ALTERNATE,
    N_ABOUT,
    PRICES,
    RESPONDER,
    ROUNDS,
    ROW,
    Agents,
    Setup,
    play,
)
from negotiation_tui.market.ledger import (
    ALL_ROUNDS,
    BUYER,
    DEAL_ROUNDS,
    LEARNER,
    N_GROUPS,
    N_TURNS,
    NEGOTIATIONS,
    NOBODY,
    NOT_NEGATIVE,
    ONE_LEARNS,
    OPENER,
    SELLER,
    SURPLUS,
    Ledger,
    Rules,
    Side,
)

FOREVER = 1 << 62


def trade(
    agents: Agents,
    sides: tuple[Side, Side],
    ledger: Ledger,
    rules: Rules,
    functions: Any,
    offers: Any,
    tick: int,
    stop: int,
    negotiations: int,
    draws: Any,
    position: int,
) -> tuple[int, int, int]:
    """Run the ticks from `tick` to `stop`, or until the limit of negotiations is reached.

    Each tick matches free sellers and buyers at random, all pairs equally likely. A seller's
    negotiations take turns in who trains and who opens (unless the rules name the opener).
    `functions` and `offers` are those of `loop.play`. With `rules.steps` the value of a learner's
    final state is its value of being free.

    Return the next tick (earlier than `stop` if `draws` may not last for another tick), the
    negotiations so far and the position in `draws`.
    """
    sellers, buyers = sides
    n_prices, steps, team_reward = len(rules.prices), rules.steps, rules.team_reward
    note_all = len(ledger.notes) == len(ledger.statistics)
    while tick < stop and negotiations < rules.limit:
        n_free, m_free = free(sellers, steps, tick), free(buyers, steps, tick)
        n = min(n_free, m_free, rules.limit - negotiations)
        if position + n_free + n + (n + 1) * rules.draws > len(draws):
            break
        position = match_pairs(agents, sides, ledger, rules, n, n_free, m_free, draws, position)
        played = 0
        for key in range(N_GROUPS):
            end = ledger.in_group[key]
            if end == 0:
                continue
            opens, learner, kind = key % 2, key // 2, 0
            if key >= ONE_LEARNS:
                kind = (key - ONE_LEARNS) // 2 + 1
                learner = int(kind == 2)
            side, trains = sides[learner], kind < 3
            pairs, epsilons, statistics = ledger.pairs[key], ledger.epsilons, ledger.statistics
            for at in range(end):
                agent = pairs[at][learner] - side.first
                tally = statistics[at]  # only these columns are read
                tally[AGREEMENTS] = tally[AGREEMENTS + 1] = tally[PRICES] = tally[ROUNDS] = 0
                epsilons[at] = 0.0
                if trains:
                    excess = side.excess[agent]
                    epsilons[at] = side.floor[agent] + excess
                    side.excess[agent] = excess * side.decay[agent]

            stride = 1 if team_reward or note_all else end
            for at in range(0, end, stride):
                seller, buyer = pairs[at][0], pairs[at][1] - buyers.first
                joint = (
                    trains
                    and team_reward
                    and sellers.wallet_index[seller] == buyers.wallet_index[buyer]
                )
                first = pairs[at][learner] * n_prices
                if joint:
                    reward = (buyers.reservation[buyer] - sellers.reservation[seller]) / rules.scale
                    for k in range(n_prices):
                        ledger.saved_rewards[k] = agents.rewards[first + k]
                        agents.rewards[first + k] = reward
                line = played + at if note_all else 0
                note = ledger.notes[line]
                note[SELLER], note[BUYER] = seller, buyer
                note[OPENER], note[LEARNER] = opens, learner if trains else NOBODY
                ledger.note_epsilons[line] = epsilons[at]
                setup = Setup(
                    agents,
                    pair=(0, 0),
                    leaders=(learner, learner),
                    together=0,
                    opener=opens,
                    first=1,
                    episodes=FOREVER,
                    epsilons=epsilons,
                    expected=0,
                    prices=rules.grid,
                    rounds=rules.rounds,
                    market=1,
                    counts=statistics,
                    starts=ledger.starts,
                    turns=ledger.turns[line],
                    explored=ledger.explored[line],
                )
                begin, last = 1 + at, 1 + at + stride
                result = play(setup, functions, pairs, offers, begin, last, draws, position)
                position, note[N_TURNS] = result[1], result[4]
                if joint:
                    for k in range(n_prices):
                        agents.rewards[first + k] = ledger.saved_rewards[k]

            settle(sides, ledger, rules, pairs, end, tick)
            if steps:
                mark_busy(agents, sides, ledger, rules, pairs, end, tick)
            played += end
        negotiations += n
        tick += 1
    return tick, negotiations, position


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


def settle(
    sides: tuple[Side, Side], ledger: Ledger, rules: Rules, pairs: Any, n: int, tick: int
) -> None:
    """Pay the deals of `n` pairs, and count them in the row of the history of this tick."""
    sellers, buyers = sides
    prices, row = rules.prices, tick // rules.period
    sold = ledger.sold[row]
    all_rounds, deal_rounds, all_surplus = 0, 0, 0
    for at in range(n):
        pair, tally = pairs[at], ledger.statistics[at]
        seller, buyer = pair[0] & NOT_NEGATIVE, (pair[1] - buyers.first) & NOT_NEGATIVE
        rounds, index = tally[ROUNDS], tally[PRICES] & NOT_NEGATIVE
        # 1 or 0 instead of a branch, because the processor would often mispredict it.
        deal = tally[AGREEMENTS] + tally[AGREEMENTS + 1]
        price = prices[index] * deal
        sellers.money[seller] += price
        buyers.money[buyer] += price
        sellers.deals[seller] += deal
        buyers.deals[buyer] += deal
        sold[index] += deal
        all_rounds += rounds
        deal_rounds += rounds * deal
        all_surplus += (buyers.reservation[buyer] - sellers.reservation[seller]) * deal
    history = ledger.history[row]
    history[NEGOTIATIONS] += n
    history[ALL_ROUNDS] += all_rounds
    history[DEAL_ROUNDS] += deal_rounds
    history[SURPLUS] += all_surplus


def mark_busy(
    agents: Agents,
    sides: tuple[Side, Side],
    ledger: Ledger,
    rules: Rules,
    pairs: Any,
    n: int,
    tick: int,
) -> None:
    """Mark `n` pairs as busy until their negotiations end (arguments as in `settle`).

    Update each learner's value of being free, which is the value of its final state.
    """
    sellers, buyers = sides
    n_prices = len(rules.prices)
    for at in range(n):
        pair, tally = pairs[at], ledger.statistics[at]
        seller, buyer = pair[0], pair[1] - buyers.first
        rounds, index = tally[ROUNDS], tally[PRICES]
        sellers.free_at[seller] = tick + rounds
        buyers.free_at[buyer] = tick + rounds
        joint = rules.team_reward and sellers.wallet_index[seller] == buyers.wallet_index[buyer]
        surplus = (buyers.reservation[buyer] - sellers.reservation[seller]) / rules.scale
        for role in range(2):
            side, agent = sides[role], buyer if role else seller
            if agent >= side.n_learners:
                continue
            number = pair[role]
            free = end_of(agents, number, n_prices * rules.rounds)
            value, rate, discount = (
                agents.best[free],
                agents.rates[number][0],
                agents.rates[number][1],
            )
            target = 0.0
            if tally[AGREEMENTS] + tally[AGREEMENTS + 1] == 1:
                target = surplus if joint else agents.rewards[number * n_prices + index]
            target += discount * value
            for _ in range(rounds - 1):
                target *= discount
            agents.best[free] = value + rate * (target - value)
