"""Settlement of negotiations: money, counts and time. Plain Python over arrays."""

from typing import Any

from negotiation_tui.learning.loop import AGREEMENTS, PRICES, ROUNDS, Agents
from negotiation_tui.market.ledger import (
    ALL_ROUNDS,
    DEAL_ROUNDS,
    NEGOTIATIONS,
    NOT_NEGATIVE,
    SURPLUS,
    Ledger,
    Rules,
    Side,
)
from negotiation_tui.market.matching import end_of


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
