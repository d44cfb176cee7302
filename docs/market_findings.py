"""Make the market figures of docs/findings.md: `python docs/market_findings.py`.

Runs markets of learners with SEEDS seeds on all processors, and prints tables with 95 % intervals.
Takes about ten minutes of processor time.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent, Distribution, population
from negotiation_tui.market.engine import PLAIN_ENGINE
from negotiation_tui.market.headless import warm
from negotiation_tui.market.ledger import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.market.limit import BY_NEGOTIATIONS, BY_STEPS, Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.summary import competitive_price
from negotiation_tui.runtime.process_pool import run_jobs

SEEDS = 24
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
        LEARNED,
        exploration_end=setting.exploration_end,
        discount_rate=setting.discount_rate,
        exploration_decay=setting.exploration_decay,
    )
    pairs = min(setting.sellers, setting.buyers)
    # By steps, rounds take time: at two rounds each this gives about as many negotiations.
    amount = each * 2 if setting.unit == BY_STEPS else each * pairs
    engine = warm() or PLAIN_ENGINE
    return MarketSimulation(scenario, agents, Limit(setting.unit, amount), seed, engine=engine)


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
    engine = warm() or PLAIN_ENGINE
    market = MarketSimulation(
        scenario, agents, Limit(BY_NEGOTIATIONS, negotiations), seed, engine=engine
    )
    market.run()
    sold, price = market.sold, competitive_price(market)
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


def interval(values: Iterable[float]) -> tuple[float, float]:
    """Return the mean over seeds and half the width of its 95 % confidence interval."""
    numbers: NDArray[np.float64] = np.array(list(values))
    # Student's t for 23 degrees of freedom.
    return float(numbers.mean()), float(2.07 * numbers.std(ddof=1) / np.sqrt(len(numbers)))


def run_job(job: tuple[Setting | Smith, int]) -> dict[str, float]:
    """Run one setting with one seed, in a worker process."""
    setting, seed = job
    return late_of(setting, seed) if isinstance(setting, Setting) else converged(setting, seed)


Measures = dict[Setting | Smith, dict[str, list[float]]]


def measure(settings: list[Setting | Smith]) -> Measures:
    """Return every measure of every setting, one entry per seed."""
    settings = list(dict.fromkeys(settings))
    jobs = [(setting, seed) for setting in settings for seed in range(SEEDS)]
    done = dict(run_jobs(run_job, jobs, os.cpu_count() or 1))
    rows = [[done[at + k] for k in range(SEEDS)] for at in range(0, len(jobs), SEEDS)]
    return {
        setting: {name: [row[name] for row in part] for name in part[0]}
        for setting, part in zip(settings, rows, strict=True)
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


def closing(states: str, discount_rate: float, end: float) -> list[Setting]:
    """Return settings with both budgets and several sizes."""
    return [
        Setting(unit, *sides, states, end, discount_rate)
        for sides in SIDES
        for unit in (BY_NEGOTIATIONS, BY_STEPS)
    ]


def print_closing(states: str, discount_rate: float, end: float, measures: Measures) -> None:
    """Print the results of `closing` with these arguments."""
    print(f"{states} states, γ = {discount_rate}, ε to {end}\n")
    names = {
        "to deal": "rounds to a deal",
        "rounds": "rounds to any end",
        "dealt": "deals per negotiation",
        "deals": "deals per tick and pair",
        "surplus": "surplus per tick and pair",
        "price": "price",
    }
    table(
        ["sellers : buyers", "budget", *names.values()],
        [
            [f"{s.sellers} : {s.buyers}", s.unit, *(formatted(measures[s][name]) for name in names)]
            for s in closing(states, discount_rate, end)
        ],
    )


def fading(states: str, discount_rate: float) -> list[Setting]:
    """Return ten agents per side, for each decay and length: by negotiations, then by steps."""
    return [
        Setting(unit, *SIDES[1], states, 0.01, discount_rate, decay, longer)
        for unit in (BY_NEGOTIATIONS, BY_STEPS)
        for decay, longer in DECAYS
    ]


def print_fading(measures: Measures) -> None:
    """Print the rounds to a deal with both budgets, and the share of negotiations with a deal."""
    heads = ["decay", "ticks"]
    columns = [[f"{decay}" for decay, _ in DECAYS], [f"{EACH * by:,}" for _, by in DECAYS]]
    for states, rate in KINDS:
        heads += [
            f"{states}, γ = {rate}: `{BY_NEGOTIATIONS}`",
            f"`{BY_STEPS}`",
            f"deals: `{BY_STEPS}`",
        ]
        settings = fading(states, rate)
        usual, timed = settings[: len(DECAYS)], settings[len(DECAYS) :]
        for part, name in ((usual, "to deal"), (timed, "to deal"), (timed, "dealt")):
            columns.append([formatted(measures[setting][name]) for setting in part])
    table(heads, [list(row) for row in zip(*columns, strict=True)])


def main() -> None:
    """Run all settings at once over all processors, and print all tables."""
    strategies = [Smith(LEARNED), Smith(LEARNED, exploration_decay=0.001), Smith(CHANCE)]
    sizes = [setting for case in CASES for setting in closing(*case)]
    decays = [setting for kind in KINDS for setting in fading(*kind)]
    measures = measure([*sizes, *decays, *strategies])
    for case in CASES:
        print_closing(*case, measures)
    print_fading(measures)
    names = {
        "early": "α, first hundredth",
        "late": "α, last tenth",
        "efficiency": "efficiency",
        "price": "price",
    }
    table(
        ["strategy", "decay", *names.values()],
        [
            [
                setting.strategy,
                f"{setting.exploration_decay}",
                *(formatted(measures[setting][name]) for name in names),
            ]
            for setting in strategies
        ],
    )


CASES = (
    ("opener-aware", 0.9, 0.01),
    ("opener-aware", 0.99, 0.01),
    ("opener-aware", 0.9, 0.1),
    ("published", 0.9, 0.01),
)
KINDS = (("opener-aware", 0.9), ("opener-aware", 0.99), ("published", 0.9))
DECAYS = ((0.01, 1), (0.002, 1), (0.001, 1), (0.0005, 1), (0.00025, 1), (0.002, 10), (0.0001, 10))

if __name__ == "__main__":
    main()
