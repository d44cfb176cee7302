"""The floor of a market: tick by tick, who meets whom, their negotiations, and what is paid.

Plain Python over rows of numbers around the inner loop of `learning.kernel`, run as it is or
compiled, to the same bits. Many ticks go by in one call, for a call from Python takes as long as
hundreds of negotiations.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.kernel import AGREEMENTS, PRICES, ROUNDS, Setup, play
from negotiation_tui.market.ledger import (
    BUYER,
    N_GROUPS,
    NOBODY,
    ONE_LEARNS,
    OPENED,
    SAID,
    SELLER,
    TRAINED,
    Ledger,
    Rules,
    Side,
)
from negotiation_tui.market.matching import free, match_pairs
from negotiation_tui.market.settlement import mark_busy, settle

FOREVER = 1 << 62

Trade = Callable[..., tuple[int, int, int]]


def trade(
    sides: tuple[Side, Side],
    books: Ledger,
    rules: Rules,
    tick: int,
    stop: int,
    negotiations: int,
    draws: Any,
    position: int,
) -> tuple[int, int, int]:
    """Let ticks go by, from `tick` on to `stop` or until the limit of negotiations is reached.

    In a tick as many of the free as can are matched at random, all pairs equally likely; a
    seller's negotiations go in turn through who trains and who opens (unless the rules say).
    With `rules.steps` a learner's final state is worth what it found being free to be worth.

    Return the tick to go on with (sooner than asked if `draws` may not last for one more),
    the negotiations so far and the position in `draws`.
    """
    sellers, buyers = sides
    n_prices, steps, team_reward = len(rules.prices), rules.steps, rules.team_reward
    most = 3 * rules.rounds + 3
    deferred_signals = len(books.notes) == len(books.statistics)
    while tick < stop and negotiations < rules.limit:
        n_free, m_free = free(sellers, steps, tick), free(buyers, steps, tick)
        n = min(n_free, m_free, rules.limit - negotiations)
        if position + n_free + n + (n + 1) * most > len(draws):
            break
        position = match_pairs(sides, books, rules, n, n_free, m_free, draws, position)
        played = 0
        for key in range(N_GROUPS):
            end = books.in_group[key]
            if end == 0:
                continue
            opens, trainee, kind = key % 2, key // 2, 0
            if key >= ONE_LEARNS:
                kind = (key - ONE_LEARNS) // 2 + 1
                trainee = int(kind == 2)
            seat = sellers.others if kind >= 2 else sellers.learners
            opposite = buyers.others if kind % 2 == 1 else buyers.learners
            firsts = (
                sellers.n_learners if kind >= 2 else 0,
                buyers.n_learners if kind % 2 == 1 else 0,
            )
            learning, trains = sides[trainee], kind < 3
            pairs, epsilons, statistics = books.pairs[key], books.epsilons, books.statistics
            for at in range(end):
                agent = pairs[at][trainee]
                tally = statistics[at]  # all that is read of it
                tally[AGREEMENTS] = tally[AGREEMENTS + 1] = tally[PRICES] = tally[ROUNDS] = 0
                epsilons[at] = 0.0
                if trains:
                    excess = learning.excess[agent]
                    epsilons[at] = learning.floor[agent] + excess
                    learning.excess[agent] = excess * learning.fall[agent]

            stride = 1 if team_reward or deferred_signals else end
            for at in range(0, end, stride):
                seller, buyer = pairs[at][0] + firsts[0], pairs[at][1] + firsts[1]
                joint = (
                    trains
                    and team_reward
                    and sellers.wallet_index[seller] == buyers.wallet_index[buyer]
                )
                mine = pairs[at][trainee] * n_prices
                if joint:
                    both = (buyers.reservation[buyer] - sellers.reservation[seller]) / rules.scale
                    for k in range(n_prices):
                        books.kept[k] = learning.learners.rewards[mine + k]
                        learning.learners.rewards[mine + k] = both
                line = played + at if deferred_signals else 0
                note = books.notes[line]
                note[SELLER], note[BUYER] = seller, buyer
                note[OPENED], note[TRAINED] = opens, trainee if trains else NOBODY
                books.chances[line] = epsilons[at]
                setup = Setup(
                    (seat, opposite),
                    (trainee, trainee),
                    opener=opens,
                    first=1,
                    episodes=FOREVER,
                    epsilons=epsilons,
                    expected=False,
                    prices=rules.grid,
                    rounds=rules.rounds,
                    statistics=statistics,
                    starts=books.starts,
                    turns=books.turns[line],
                    explored=books.explored[line],
                )
                _, position, _, _, note[SAID] = play(
                    setup, pairs, 1 + at, 1 + at + stride, draws, position
                )
                if joint:
                    for k in range(n_prices):
                        learning.learners.rewards[mine + k] = books.kept[k]

            settle(sides, books, rules, pairs, firsts, end, tick)
            if steps:
                mark_busy(sides, books, rules, pairs, firsts, end, tick)
            played += end
        negotiations += n
        tick += 1
    return tick, negotiations, position
