"""What negotiations of a market bring: money, counts, and time. Plain Python over rows."""

from typing import Any

from negotiation_tui.learning.kernel import AGREEMENTS, PRICES, ROUNDS
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


def settle(
    sides: tuple[Side, Side],
    books: Ledger,
    rules: Rules,
    pairs: Any,
    firsts: tuple[int, int],
    n: int,
    tick: int,
) -> None:
    """Pay what `n` pairs agreed on in a tick, and write it into its row of the history.

    In `pairs` the agents count from `firsts`, a seller's and a buyer's.
    """
    sellers, buyers = sides
    n_first, m_first = firsts
    prices, row = rules.prices, tick // rules.period
    sold = books.sold[row]
    all_rounds, deal_rounds, all_surplus = 0, 0, 0
    for at in range(n):
        pair, tally = pairs[at], books.statistics[at]
        seller, buyer = (pair[0] + n_first) & NOT_NEGATIVE, (pair[1] + m_first) & NOT_NEGATIVE
        took, index = tally[ROUNDS], tally[PRICES] & NOT_NEGATIVE
        # Without a branch, for half of them would be guessed wrong: a deal is 1 or 0.
        deal = tally[AGREEMENTS] + tally[AGREEMENTS + 1]
        price = prices[index] * deal
        sellers.money[seller] += price
        buyers.money[buyer] += price
        sellers.deals[seller] += deal
        buyers.deals[buyer] += deal
        sold[index] += deal
        all_rounds += took
        deal_rounds += took * deal
        all_surplus += (buyers.reservation[buyer] - sellers.reservation[seller]) * deal
    history = books.history[row]
    history[NEGOTIATIONS] += n
    history[ALL_ROUNDS] += all_rounds
    history[DEAL_ROUNDS] += deal_rounds
    history[SURPLUS] += all_surplus


def mark_busy(
    sides: tuple[Side, Side],
    books: Ledger,
    rules: Rules,
    pairs: Any,
    firsts: tuple[int, int],
    n: int,
    tick: int,
) -> None:
    """Have `n` pairs be free again when their negotiations are over, arguments as in `settle`.

    A learner's final state is worth what it finds being free to be worth.
    """
    sellers, buyers = sides
    n_prices = len(rules.prices)
    for at in range(n):
        pair, tally = pairs[at], books.statistics[at]
        seller, buyer = pair[0] + firsts[0], pair[1] + firsts[1]
        took, index = tally[ROUNDS], tally[PRICES]
        sellers.free_at[seller] = tick + took
        buyers.free_at[buyer] = tick + took
        kin = rules.team_reward and sellers.wallet_index[seller] == buyers.wallet_index[buyer]
        both = (buyers.reservation[buyer] - sellers.reservation[seller]) / rules.scale
        for role in range(2):
            side, agent = sides[role], buyer if role else seller
            if agent >= side.n_learners:
                continue
            best, states = side.learners.best, len(side.learners.best) // side.n_learners
            free = (agent + 1) * states - 1
            worth, discount = best[free], side.learners.discount_rates[agent]
            found = 0.0
            if tally[AGREEMENTS] + tally[AGREEMENTS + 1] == 1:
                found = both if kin else side.learners.rewards[agent * n_prices + index]
            found += discount * worth
            for _ in range(took - 1):
                found *= discount
            best[free] = worth + side.learners.learning_rates[agent] * (found - worth)
