"""The tick loop of a market: matching, negotiations and payment.

Plain Python over arrays of numbers, around `learning.loop`. It runs as it is or compiled, with
results equal to the bit. One call runs many ticks, because a call from Python takes as long as
hundreds of negotiations.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.loop import AGREEMENTS, PRICES, ROUNDS, Agents, Setup, play
from negotiation_tui.market.ledger import (
    BUYER,
    LEARNER,
    N_GROUPS,
    N_TURNS,
    NOBODY,
    ONE_LEARNS,
    OPENER,
    SELLER,
    Ledger,
    Rules,
    Side,
)
from negotiation_tui.market.matching import free, match_pairs
from negotiation_tui.market.settlement import mark_busy, settle

FOREVER = 1 << 62

Trade = Callable[..., tuple[int, int, int]]


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
