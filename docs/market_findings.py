"""Make the market figures of docs/findings.md: `python docs/market_findings.py`.

Runs markets of learners on all processors, and prints tables with 95% intervals. Each row gets
SEEDS seeds at a time, until a difference of SMALLEST of a round between its budgets would be
seen. Takes about eleven minutes of processor time.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent, Distribution, population
from negotiation_tui.market.headless import warm
from negotiation_tui.market.run_length import BY_NEGOTIATIONS, BY_STEPS, RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.tick_loop import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.process_pool import run_jobs

SEEDS = 24
SMALLEST = 0.1  # of a round
SEEN = 2.8  # standard errors: in four of five samples a difference of so many is significant
GAMMA = 0.99  # the usual discount rate of learners
SMITH_SEEDS = 10 * SEEDS
EACH = 50_000  # negotiations per agent of the smaller side
LATE = 0.1  # of the ticks
SIDES = ((1, 1), (10, 10), (10, 5), (10, 1))
SMITH: dict[str, list[int]] = {"costs": [1, 2, 3, 4, 5, 6], "values": [9, 8, 7, 6, 5, 4]}
LEARNED, CHANCE = "learned", "zero-intelligence"


@dataclass(frozen=True)
class Setting:
    """A market of `original` with its own size, exploration and length."""

    unit: str
    sellers: int
    buyers: int
    states: str = "opener-aware"
    exploration_end: float = 0.01
    discount_rate: float = 0.9
    exploration_decay: float = 0.002
    longer: int = 1
    strategy: str = LEARNED


@dataclass(frozen=True)
class Smith:
    """A market in which supply and demand cross at 5 and everybody plays `strategy`."""

    strategy: str
    agents: int = 12
    exploration_decay: float = 0.01


def population_of(
    sellers: int,
    buyers: int,
    costs: Distribution,
    values: Distribution,
    strategy: str,
    **learning: Distribution,
) -> list[Agent]:
    """Return the agents of both sides; everybody plays `strategy`."""
    rng = np.random.default_rng(0)
    return [
        *population(Role.SELLER, "seller", sellers, costs, rng, strategy, learning),
        *population(Role.BUYER, "buyer", buyers, values, rng, strategy, learning),
    ]


def new_market(setting: Setting, seed: int, each: int = EACH) -> MarketSimulation:
    """Return the market of a setting before its first tick."""
    each *= setting.longer
    scenario = Scenario.from_dict({"prices": 5, "rounds": 5, "states": setting.states})
    agents = population_of(
        setting.sellers,
        setting.buyers,
        0,
        5,
        setting.strategy,
        exploration_end=setting.exploration_end,
        discount_rate=setting.discount_rate,
        exploration_decay=setting.exploration_decay,
    )
    pairs = min(setting.sellers, setting.buyers)
    # By steps, rounds take time: at two rounds each this gives about as many negotiations.
    amount = each * 2 if setting.unit == BY_STEPS else each * pairs
    backend = warm() or PLAIN
    return MarketSimulation(
        scenario, agents, RunLength(setting.unit, amount), seed, backend=backend
    )


def late(market: MarketSimulation) -> dict[str, float]:
    """Return rounds, deals and surplus of the last tenth, per tick and per possible pair."""
    market.run()
    rows = slice(-int(len(market.history) * LATE), None)
    history, sold = market.history[rows], market.sold[rows]
    ticks, deals = len(history) * market.period * market.pairs, int(sold.sum())
    negotiations = int(history[:, NEGOTIATIONS].sum())
    return {
        "rounds": history[:, ALL_ROUNDS].sum() / negotiations,
        "to deal": history[:, DEAL_ROUNDS].sum() / deals,
        "dealt": deals / negotiations,
        "deals": deals / ticks,
        "surplus": history[:, SURPLUS].sum() / ticks,
        "price": economics.mean_price(market.scenario.prices, sold.sum(0)) or np.nan,
    }


def late_of(setting: Setting, seed: int) -> dict[str, float]:
    """Run one market of a setting and return its measures of the last tenth."""
    return late(new_market(setting, seed))


def converged(setting: Smith, seed: int, negotiations: int = 120_000) -> dict[str, float]:
    """Run one market; return early and late Smith's α, and late efficiency and price."""
    scenario = Scenario.from_dict({"prices": 10, "rounds": 5, "states": "opener-aware"})
    costs, values = SMITH["costs"], SMITH["values"]
    agents = population_of(
        setting.agents,
        setting.agents,
        costs,
        values,
        setting.strategy,
        exploration_end=0.01,
        exploration_decay=setting.exploration_decay,
    )
    backend = warm() or PLAIN
    market = MarketSimulation(
        scenario, agents, RunLength(BY_NEGOTIATIONS, negotiations), seed, backend=backend
    )
    market.run()
    sold, price = market.sold, sum(market.setup.competitive) / 2
    n = int(len(sold) * LATE)
    alphas = [
        economics.convergence(scenario.prices, part.sum(0), price)
        for part in (sold[: n // 10], sold[-n:])
    ]
    surplus = int(market.history[-n:, SURPLUS].sum())
    return {
        "early": alphas[0] or np.nan,
        "late": alphas[1] or np.nan,
        "efficiency": surplus / market.possible_surplus[-n:].sum(),
        "price": economics.mean_price(scenario.prices, sold[-n:].sum(0)) or np.nan,
    }


@dataclass(frozen=True)
class Frozen:
    """A market of ten on each side for 20,000 ticks, with the usual settings of learners."""

    strategy: str
    states: str = "published"


def frozen(setting: Frozen, seed: int) -> dict[str, float]:
    """Run one market; return measures of the last tenth and, with tables, of one agent per side.

    That agent meets the others as they play at the end, without exploring: by its own table, and by
    a best response. `own` and `best` are what it gains per tick, in coins.
    """
    start = Setting(BY_STEPS, *SIDES[1], setting.states, 0.1, GAMMA, 0.001, 1, setting.strategy)
    market = new_market(start, seed, 10_000)
    found = late(market)
    coins = market.setup.scale
    measures = {name: found[name] for name in ("to deal", "dealt")}
    measures |= {"efficiency": found["surplus"] / coins}
    if setting.strategy == CHANCE:
        return measures
    game, size = market.scenario, len(market.agents) // 2
    numbers = range(2 * size)
    tables = [market.table(number) for number in numbers]
    plans = np.array(
        [
            greedy(game, Role(number // size), table).probabilities
            for number, table in zip(numbers, tables, strict=True)
            if table is not None
        ]
    ).reshape(2, size, game.n_states, game.n_actions)
    agent = seed % size
    for name, owns in (("own", True), ("best", False)):
        each = [
            course(game, role, plans[role.other], plans[role][agent] if owns else None)
            for role in Role
        ]
        measures[name] = float(np.mean([coins * (1 - GAMMA) * worth(one) for one in each]))
        measures[f"{name} dealt"] = float(np.mean([one[DEALS] for one in each]))
    return measures


# Means over the negotiations of an agent: its reward, discounted from the first tick on, the
# discount until it is free again, and deals.
REWARD, FREE_AGAIN, DEALS = 0, 1, 2


def worth(one: Floats) -> float:
    """Return the value of being free to an agent that negotiates again and again."""
    return float(one[REWARD] / (1 - one[FREE_AGAIN]))


def course(game: Scenario, role: Role, others: Floats, own: Floats | None) -> Floats:
    """Return the means of an agent with its `own` plan, or with a best response.

    Each of the `others` is met as often as another, and each side opens as often. A best response
    remembers all offers of a negotiation. It is found by policy iteration.
    """
    weights, free, found = np.full(len(others), 1 / len(others)), -1.0, np.zeros(3)
    while worth(found) > free + 1e-9:
        free = worth(found)
        found = meet(game, role, others, weights, (), role, free, own)
        for offer, met in replies(game, others[:, 0] * weights[:, None]):
            found = found + meet(game, role, others, met, (offer,), role.other, free, own)
        found = found / 2
        if own is not None:
            break
    return found


def replies(game: Scenario, chances: Floats) -> list[tuple[int, Floats]]:
    """Return the prices that others offer, with the chance of each to offer it."""
    offered = np.flatnonzero(chances.sum(0)[: game.n_prices])
    return [(game.prices[action], chances[:, action]) for action in offered]


def meet(
    game: Scenario, role: Role, others: Floats, weights: Floats, offers: tuple[int, ...],
    opener: Role, free: float, own: Floats | None,
) -> Floats:  # fmt: skip
    """Return the means of an agent that must act after `offers`; `weights` tell whom it met."""
    here, ply = Position.after(game, opener, offers), len(offers)

    def ended(weight: float, price: int | None, at: int) -> Floats:
        rounds = at // 2 + 1
        paid = 0.0 if price is None else GAMMA ** (rounds - 1) * game.reward(role, price)
        return weight * np.array([paid, GAMMA**rounds, price is not None])

    def after(action: int) -> Floats:
        if action == game.accept:
            return ended(weights.sum(), here.standing_offer, ply)
        if action == game.walk_away:
            return ended(weights.sum(), None, ply)
        made = (*offers, game.prices[action])
        chances = others[:, Position.after(game, opener, made).state] * weights[:, None]
        total = ended(chances[:, game.accept].sum(), made[-1], ply + 1)
        total = total + ended(chances[:, game.walk_away].sum(), None, ply + 1)
        for offer, met in replies(game, chances):
            total = total + meet(game, role, others, met, (*made, offer), opener, free, own)
        return total

    found = {
        action: after(action) for action in here.legal if own is None or own[here.state][action]
    }
    if own is None:
        return max(found.values(), key=lambda each: float(each[REWARD] + free * each[FREE_AGAIN]))
    means = [own[here.state][action] * each for action, each in found.items()]
    return np.asarray(np.sum(means, axis=0))


def interval(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean over seeds and half the width of its 95% confidence interval."""
    numbers: NDArray[np.float64] = np.array(list(values))
    numbers = numbers[~np.isnan(numbers)]
    n = len(numbers)
    if n < 2:
        return float(numbers.mean()) if n else np.nan, np.nan
    student = 1.96 + 2.4 / (n - 1)  # its quantile of 0.975, to 0.01 from 20 seeds on
    return float(numbers.mean()), float(student * numbers.std(ddof=1) / sqrt(n))


Measures = dict["Group", dict[str, list[float]]]
Group = Setting | Smith | Frozen
Rows = dict[Group, list[dict[str, float]]]


def run_job(job: tuple[Group, int]) -> dict[str, float]:
    """Run one setting with one seed, in a worker process."""
    setting, seed = job
    if isinstance(setting, Smith):
        return converged(setting, seed)
    return late_of(setting, seed) if isinstance(setting, Setting) else frozen(setting, seed)


def standard_error(*samples: Sequence[float]) -> float:
    """Return the standard error of the difference of two means, or of one mean."""
    return hypot(*(float(np.std(each, ddof=1)) / sqrt(len(each)) for each in samples))


def seeds_wanted(rows: Rows, setting: Group) -> int:
    """Return the number of seeds of a setting; more than so far if these are too few."""
    if not isinstance(setting, Setting):
        return SMITH_SEEDS if isinstance(setting, Smith) else SEEDS
    both = [rows.get(replace(setting, unit=unit), []) for unit in (BY_NEGOTIATIONS, BY_STEPS)]
    n = min(map(len, both))
    if n < SEEDS:
        return SEEDS
    error = standard_error(*([row["to deal"] for row in part] for part in both))
    if np.isnan(error):  # a market without any deal
        return n
    return max(n, SEEDS * ceil(n * (SEEN * error / SMALLEST) ** 2 / SEEDS))


def measure(settings: Sequence[Group]) -> Measures:
    """Return every measure of every setting, one entry per seed."""
    rows: Rows = {setting: [] for setting in settings}
    while jobs := [
        (setting, seed)
        for setting in rows
        for seed in range(len(rows[setting]), seeds_wanted(rows, setting))
    ]:
        done = dict(run_jobs(run_job, jobs, os.cpu_count() or 1))
        for number, (setting, _) in enumerate(jobs):
            rows[setting].append(done[number])
    return {
        setting: {name: [row[name] for row in part] for name in part[0]}
        for setting, part in rows.items()
    }


def table(heads: list[str], rows: list[list[str]]) -> None:
    """Print a Markdown table."""
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def formatted(values: Iterable[float]) -> str:
    """Return a mean with its interval, to two places."""
    mean, half = interval(values)
    return f"{mean:.2f} ± {half:.2f}"


def compared(usual: Sequence[float], timed: Sequence[float]) -> list[str]:
    """Return both means, their difference, the smallest one to be seen, and the seeds."""
    error = standard_error(usual, timed)
    difference = float(np.mean(timed) - np.mean(usual))
    student = 1.96 + 1.2 / max(1, len(usual) - 1)
    return [
        formatted(usual),
        formatted(timed),
        f"{difference:+.2f} ± {student * error:.2f}",
        f"{SEEN * error:.2f}",
        str(len(usual)),
    ]


def by_size() -> list[Setting]:
    """Return markets of several sizes, by negotiations."""
    return [
        Setting(BY_NEGOTIATIONS, *sides, states, end, rate)
        for states, rate, end in CASES
        for sides in SIDES
    ]


def by_decay() -> list[Setting]:
    """Return markets of ten agents per side for each decay and length, by negotiations."""
    return [
        Setting(BY_NEGOTIATIONS, *SIDES[1], states, 0.01, rate, decay, longer)
        for states, rate in KINDS
        for decay, longer in DECAYS
    ]


def print_rounds(measures: Measures) -> None:
    """Print the rounds to a deal with both budgets, by size and by decay."""
    heads = [
        f"rounds to a deal: `{BY_NEGOTIATIONS}`",
        f"`{BY_STEPS}`",
        "difference",
        "smallest seen",
        "seeds",
        f"negotiations with a deal: `{BY_STEPS}`",
    ]
    per_tick = [f"deals per tick: `{BY_NEGOTIATIONS}`", f"`{BY_STEPS}`"]

    def cells(setting: Setting) -> list[str]:
        usual, timed = measures[setting], measures[replace(setting, unit=BY_STEPS)]
        return [*compared(usual["to deal"], timed["to deal"]), formatted(timed["dealt"])]

    rows = []
    for each in by_size():
        case = f"{each.states}, {each.discount_rate}, {each.exploration_end}"
        units = each, replace(each, unit=BY_STEPS)
        deals = [formatted(measures[setting]["deals"]) for setting in units]
        rows.append([case, f"{each.sellers} : {each.buyers}", *cells(each), *deals])
    table(["states, γ, lowest ε", "sellers : buyers", *heads, *per_tick], rows)
    rows = []
    for each in by_decay():
        case, ticks = f"{each.states}, {each.discount_rate}", f"{EACH * each.longer:,}"
        rows.append([case, f"{each.exploration_decay}", ticks, *cells(each)])
    table(["states, γ", "decay", "ticks", *heads], rows)


def print_means(settings: Sequence[Group], names: dict[str, str], measures: Measures) -> None:
    """Print the means of some measures: a row per setting, which its fields begin."""
    rows = []
    for setting in settings:
        fields = [str(value) for value in vars(setting).values()]
        rows.append([*fields, *(formatted(measures[setting][name]) for name in names)])
    heads = [name.replace("_", " ") for name in vars(settings[0])]
    table([*heads, *names.values()], rows)


def main() -> None:
    """Run all settings over all processors, and print all tables."""
    markets = [*by_size(), *by_decay()]
    timed = [replace(setting, unit=BY_STEPS) for setting in markets]
    measures = measure([*markets, *timed, *STRATEGIES, *FROZEN])
    print_rounds(measures)
    names = {"efficiency": "efficiency", "to deal": "rounds to a deal", "dealt": "deals"}
    print_means(FROZEN[-1:], names, measures)
    names |= {"own": "coins per tick", "own dealt": "deals, without exploring"}
    names |= {"best": "coins per tick of a best response", "best dealt": "its deals"}
    print_means(FROZEN[:-1], names, measures)
    names = {
        "early": "α, first hundredth",
        "late": "α, last tenth",
        "efficiency": "efficiency",
        "price": "price",
    }
    print_means(STRATEGIES, names, measures)


STRATEGIES = (Smith(LEARNED), Smith(LEARNED, exploration_decay=0.001), Smith(CHANCE))
FROZEN = [Frozen(LEARNED), Frozen(LEARNED, "opener-aware"), Frozen(CHANCE)]
CASES = (
    ("opener-aware", 0.9, 0.01),
    ("opener-aware", 0.99, 0.01),
    ("opener-aware", 0.9, 0.1),
    ("published", 0.9, 0.01),
)
KINDS = (("opener-aware", 0.9), ("opener-aware", 0.99), ("published", 0.9))
DECAYS = ((0.01, 1), (0.002, 1), (0.001, 1), (0.0005, 1), (0.00025, 1), (0.002, 10), (0.0001, 10))

if __name__ == "__main__":
    run(main)
