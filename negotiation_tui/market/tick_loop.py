"""The tick loop of a market, around `learning.loop`: matching, negotiations and settlement.

It runs as it is or compiled, with equal bits; one call runs many ticks.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import Form
from negotiation_tui.learning.loop import (
    AGREEMENTS,
    ALTERNATE,
    N_ABOUT,
    N_COUNTS,
    PRICES,
    RESPONDER,
    ROUNDS,
    ROW,
    Agents,
    Setup,
    play,
)
from negotiation_tui.learning.spec import learns
from negotiation_tui.market.setup import MarketSetup

# Groups of pairs; one call of the inner loop plays a group: 4 · kind + 2 · trains + opens. The kind
# is 0 if both learn, 1 if the buyer is static, 2 if the seller is, 3 if both are.
N_GROUPS = 16
# Columns of the history.
NEGOTIATIONS, ALL_ROUNDS, SURPLUS, DEAL_ROUNDS, N_HISTORY = 0, 1, 2, 3, 4
# Columns of the notes on a negotiation.
_SELLER, _BUYER, OPENER, LEARNER, N_TURNS, N_NOTES = 0, 1, 2, 3, 4, 5
NOBODY = 2
# Bit mask for an index: shows numba that it is not negative, which makes indexing much faster.
NOT_NEGATIVE = (1 << 32) - 1
FOREVER = 1 << 62


class Side(NamedTuple):
    """All agents of one role, learners first; in `loop.Agents` they are numbered from `first` on.

    A learner's ε is `floor + excess`; each negotiation that it trains in decays its excess.
    """

    first: int
    n_learners: int
    reservation: Any  # ints: a cost, or a value
    wallet_index: Any  # ints: the wallet it pays from and into
    free_at: Any  # ints: the tick from which it may meet somebody again
    meetings: Any  # ints: negotiations so far
    deals: Any  # ints
    money: Any  # ints: received by a seller, paid by a buyer
    floor: Any  # learners' floats
    excess: Any  # learners' floats
    decay: Any  # learners' floats
    lost: Any  # floats: the gain that time costs took; without time costs empty
    free: Any  # ints, scratch space: the agents that are free in this tick


class Rules(NamedTuple):
    """The constants of a market."""

    prices: Any
    grid: Any  # 0, 1, … for each price: the inner loop sums indices of prices
    rounds: int
    opener: int  # as in `loop.Setup`
    steps: bool  # True: a negotiation of n rounds keeps both agents busy for n ticks
    team_reward: bool  # True: a deal within a wallet is worth the surplus of both
    scale: float  # rewards are surpluses divided by it
    limit: int  # negotiations
    period: int  # ticks per row of the history
    draws: int  # the most random numbers that a negotiation uses


class Ledger(NamedTuple):
    """The records of a market, and scratch space. `pairs` is the size of the smaller side.

    The notes describe the last negotiation, or with `pairs` rows each one of the tick.
    """

    history: Any  # (rows, N_HISTORY) ints
    sold: Any  # (rows, n_prices) ints: deals at each price
    lost: Any  # (rows) floats: the surplus that time costs took; without time costs empty
    pairs: Any  # (N_GROUPS, pairs, 2) ints: the agents, seller first
    in_group: Any  # N_GROUPS ints: number of pairs per group
    epsilons: Any  # (pairs) floats: of the group being played
    statistics: Any  # (pairs, N_STATISTICS) ints: of the group being played
    saved_rewards: Any  # n_prices floats, scratch space
    starts: Any
    turns: Any  # (notes, 2 · rounds) ints: actions
    explored: Any  # (notes, 2 · rounds) ints: 1 if the action was drawn at random
    notes: Any  # (notes, N_NOTES) ints


ACCOUNTS = ("free_at", "meetings", "deals", "money")  # of each agent
CHANGING = (*ACCOUNTS, "excess")  # what ticks change, and with time costs `lost`
BY_ROWS = ("history", "sold", "lost")  # parts of the ledger; the last only with time costs
_FLOATS = ("floor", "excess", "decay", "lost", "epsilons", "saved_rewards")
_KINDS: dict[str, type[np.generic]] = {
    **dict.fromkeys(_FLOATS, np.float64),
    **dict.fromkeys(("turns", "explored", "statistics"), np.int32),
    **dict.fromkeys(("pairs", "in_group", "free"), np.uint32),  # see NOT_NEGATIVE
    # Of `loop.Agents`; actions are narrow, so that more rows fit into the cache.
    **dict.fromkeys(("rates", "rewards", "best", "tables", "chances"), np.float64),
    **dict.fromkeys(("actions", "n_actions"), np.int16),
    "about": np.int32,
}
"""The kind of number of each array that does not hold int64."""


def new_side(setup: MarketSetup, role: Role) -> Side:
    """Return the arrays of a role before the first tick."""
    numbers = setup.of_role(role)
    agents = setup.agents[numbers]
    learning = [agent.learning for agent in agents if learns(agent.strategy)]
    end, start, decay = (
        np.array([getattr(each, f"exploration_{name}") for each in learning], np.float64)
        for name in ("end", "start", "decay")
    )
    return Side(
        numbers.start,
        len(learning),
        reservation=setup.reservation[numbers],
        wallet_index=setup.wallet_index[numbers],
        floor=end,
        excess=start - end,
        decay=np.exp(-decay),
        lost=np.zeros(len(agents) * setup.scenario.time_costs),
        **{name: np.zeros(len(agents), np.int64) for name in (*ACCOUNTS, "free")},
    )


def new_ledger(scenario: Scenario, pairs: int, rows: int) -> Ledger:
    """Return an empty ledger for `pairs` pairs per tick and a history of `rows` rows."""
    return Ledger(
        history=np.zeros((rows, N_HISTORY)),
        sold=np.zeros((rows, scenario.n_prices)),
        lost=np.zeros(rows * scenario.time_costs),
        pairs=np.zeros((N_GROUPS, pairs, 2)),
        in_group=np.zeros(N_GROUPS),
        epsilons=np.zeros(pairs),
        statistics=np.zeros((pairs, N_COUNTS)),
        saved_rewards=np.zeros(scenario.n_prices),
        starts=np.zeros((1, 2)),
        **new_notes(scenario, 1),
    )


def new_notes(scenario: Scenario, rows: int) -> dict[str, Any]:
    turns = np.zeros((rows, 2 * scenario.rounds))
    return {"turns": turns, "explored": turns, "notes": np.zeros((rows, N_NOTES))}


def dtype_of(name: str) -> type[np.generic]:
    """Return the kind of number of an array of a side, a ledger or agents."""
    return _KINDS.get(name, np.int64)


def in_form(rows: Mapping[str, Any], form: Form) -> dict[str, Any]:
    """Return the rows of a side, a ledger or agents in a form, and what is no row, by name."""
    return {
        name: row if isinstance(row, int | tuple) else form(np.asarray(row, dtype_of(name)))
        for name, row in rows.items()
    }


def summed(history: NDArray[Any], each: int, rows: int) -> NDArray[Any]:
    """Sum every `each` rows of a history into one, padding with zeros to `rows` rows."""
    padded = np.zeros((rows * each, *history.shape[1:]), history.dtype)
    if history[len(padded) :].any():
        raise BadInputError(f"history: expected at most {len(padded):,} rows, got {len(history):,}")
    padded[: len(history)] = history[: len(padded)]
    total: NDArray[Any] = padded.reshape(rows, each, *history.shape[1:]).sum(1)
    return total


def run_ticks(
    agents: Agents, sides: tuple[Side, Side], ledger: Ledger, rules: Rules, functions: Any,
    offers: Any, factors: Any, tick: int, stop: int, negotiations: int, draws: Any, position: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Run the ticks from `tick` to `stop`, or until the limit of negotiations is reached.

    Each tick matches free sellers and buyers at random. A seller's negotiations take turns in who
    trains and who opens (unless the rules name the opener). With `rules.steps` the value of a
    learner's final state is its value of being free.

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
            opens, learner, trains = key % 2, key // 2 % 2, key < 12
            side = sides[learner]
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
                note[_SELLER], note[_BUYER] = seller, pairs[at][1]
                note[OPENER], note[LEARNER] = opens, learner if trains else NOBODY
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
                    reward_scale=0.0,
                    starts=ledger.starts,
                    turns=ledger.turns[line],
                    explored=ledger.explored[line],
                )
                begin, last = 1 + at, 1 + at + stride
                result = play(
                    setup, functions, pairs, offers, factors, begin, last, draws, position
                )
                position, note[N_TURNS] = result[1], result[4]
                if joint:
                    for k in range(n_prices):
                        agents.rewards[first + k] = ledger.saved_rewards[k]

            settle_deals(agents, sides, ledger, rules, factors, pairs, end, opens, tick)
            if factors is not None:
                count_lost(sides, ledger, rules, factors, pairs, end, opens, tick)
            played += end
        negotiations += n
        tick += 1
    return tick, negotiations, position


def free(side: Side, steps: bool, tick: int) -> int:
    """List the agents that are free in this tick in `side.free`, in order; return their number."""
    n = 0
    for agent in range(len(side.free)):
        if not steps or side.free_at[agent] <= tick:
            side.free[n] = agent
            n += 1
    return n


def match_pairs(
    agents: Agents, sides: tuple[Side, Side], ledger: Ledger, rules: Rules, n: int, n_free: int,
    m_free: int, draws: Any, position: int,
) -> int:  # fmt: skip
    """Match `n` of the free sellers and buyers, all pairs equally likely; return the position.

    Write the pairs to `ledger.pairs`, grouped by which agents learn, who trains and who opens.
    """
    sellers, buyers = sides
    free_sellers, free_buyers = sellers.free, buyers.free
    n_learners, m_learners = sellers.n_learners, buyers.n_learners
    in_group, opener, steps = ledger.in_group, rules.opener, rules.steps
    n_offers = len(rules.prices) * rules.rounds
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
                be_free(agents, sellers.first + agent, n_offers, 1, 0.0)
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
        trains = (static_seller | turn & 1) & ~static_buyer
        opens = (turn >> 1 if opener == ALTERNATE else opener) & 1
        key = 8 * static_seller + 4 * static_buyer + 2 * trains + opens
        at = in_group[key]
        in_group[key] = at + 1
        pair = ledger.pairs[key][at]
        pair[0], pair[1] = seller, buyer + buyers.first
    if steps:
        for k in range(n, m_free):
            if free_buyers[k] < m_learners:
                be_free(agents, buyers.first + free_buyers[k], n_offers, 1, 0.0)
    return position + n


def be_free(agents: Agents, number: int, n_offers: int, rounds: int, reward: float) -> None:
    """Update a learner's value of being free, that of its final state.

    It got a reward, and is free again after `rounds` ticks.
    """
    at = number * N_ABOUT
    free = agents.about[at + ROW] + n_offers + agents.about[at + RESPONDER] + 1
    value, rates = agents.best[free], agents.rates[number]
    target = reward + rates[1] * value
    for _ in range(rounds - 1):
        target *= rates[1]
    agents.best[free] = value + rates[0] * (target - value)


def settle_deals(
    agents: Agents, sides: tuple[Side, Side], ledger: Ledger, rules: Rules, factors: Any,
    pairs: Any, n: int, opener: int, tick: int,
) -> None:  # fmt: skip
    """Pay the deals of `n` pairs, and count them in the row of the history of this tick.

    With `rules.steps` the agents are busy until their negotiations end, and learners update their
    value of being free.
    """
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
        surplus = buyers.reservation[buyer] - sellers.reservation[seller]
        sellers.money[seller] += price
        buyers.money[buyer] += price
        sellers.deals[seller] += deal
        buyers.deals[buyer] += deal
        sold[index] += deal
        all_rounds += rounds
        deal_rounds += rounds * deal
        all_surplus += surplus * deal
        if rules.steps:
            sellers.free_at[seller] = buyers.free_at[buyer] = tick + rounds
            joint = rules.team_reward and sellers.wallet_index[seller] == buyers.wallet_index[buyer]
            for role in range(2):
                if (buyer if role else seller) < sides[role].n_learners:
                    reward = 0.0
                    if deal == 1:
                        reward = agents.rewards[pair[role] * len(prices) + index]
                        if joint:
                            reward = surplus / rules.scale
                        if factors is not None:
                            reward *= factor_of(factors, tally, opener, role)
                    be_free(agents, pair[role], len(prices) * rules.rounds, rounds, reward)
    history = ledger.history[row]
    history[NEGOTIATIONS] += n
    history[ALL_ROUNDS] += all_rounds
    history[DEAL_ROUNDS] += deal_rounds
    history[SURPLUS] += all_surplus


def factor_of(factors: Any, tally: Any, opener: int, role: int) -> float:
    """Return what time leaves of a role's reward for the deal of a tally."""
    # The opener accepts at even plies, the other at odd; the offer is at the ply before.
    offer = 2 * tally[ROUNDS] - 3 + tally[AGREEMENTS + 1 - opener]
    factor: float = factors[len(factors) // 2 * role + offer]
    return factor


def count_lost(
    sides: tuple[Side, Side], ledger: Ledger, rules: Rules, factors: Any, pairs: Any, n: int,
    opener: int, tick: int,
) -> None:  # fmt: skip
    """Count the gains that time took from the deals of `n` pairs, which prices do not tell."""
    for at in range(n):
        tally = ledger.statistics[at]
        if tally[AGREEMENTS] + tally[AGREEMENTS + 1] == 1:
            price = rules.prices[tally[PRICES]]
            for role in range(2):
                side = sides[role]
                agent = pairs[at][role] - side.first
                gain = (price - side.reservation[agent]) * (1 - 2 * role)
                lost = gain * (1 - factor_of(factors, tally, opener, role))
                side.lost[agent] += lost
                ledger.lost[tick // rules.period] += lost
