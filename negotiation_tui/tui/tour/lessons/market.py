"""A lesson on a market in which one side is shorter: theory, and what learners do."""

import numpy as np

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.market.agents import two_populations
from negotiation_tui.market.economics import competitive_range, mean_price
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.tour_session import Task
from negotiation_tui.tui.tour.lesson import MARKET, lesson

_SCENARIO = Scenario.original()
COST, VALUE = 1, 5
FEW_BUYERS, FEW_SELLERS = (6, 2), (2, 6)  # the numbers of sellers and buyers
SAMPLED_SEEDS = range(6)
_SIDES = "the sellers", "the buyers", "both the same"
CHOICES = "at the competitive price", "between it and the middle", "in the middle or beyond"


def new_market(counts: tuple[int, int], seed: int) -> MarketSimulation:
    """Return a market of learners with some sellers and buyers, not begun."""
    rng = population_generator(seed)
    agents = two_populations(_SCENARIO, counts, (LEARNED, LEARNED), (COST, VALUE), {}, rng)
    return MarketSimulation(_SCENARIO, agents, RunLength.of("negotiations=2000"), seed)


def work() -> Task:
    """Compute the competitive price, and the learners' mean prices in the last tenth."""
    means = []
    for n, counts in enumerate((FEW_BUYERS, FEW_SELLERS)):
        prices = []
        for seed in SAMPLED_SEEDS:
            simulation = new_market(counts, seed)
            simulation.run()
            late = simulation.sold[-max(1, len(simulation.sold) // 10) :].sum(axis=0)
            price = mean_price(_SCENARIO.prices, late)
            prices.append(float("nan") if price is None else price)
            yield (n + (seed + 1) / len(SAMPLED_SEEDS)) / 2
        means.append(float(np.mean(prices)))
    few_buyers, few_sellers = means
    competitive = sum(competitive_range([COST] * FEW_BUYERS[0], [VALUE] * FEW_BUYERS[1])) / 2
    middle = (COST + VALUE) / 2
    near = abs(few_buyers - competitive) < 1 / 2
    between = min(competitive, middle) < few_buyers < max(competitive, middle)
    return {
        "competitive": f"{competitive:g}",
        "gains": _SIDES[2 if competitive == middle else int(competitive < middle)],
        "learned": CHOICES[0 if near else 1 if between else 2],
        "price": f"{few_buyers:.2f}",
        "swapped": f"{few_sellers:.2f}",
        "moves": "up" if few_sellers > few_buyers else "down",
    }


LESSON = lesson(
    {"SIDES": _SIDES, "CHOICES": CHOICES},
    lambda: MarketSession(lambda: new_market(FEW_BUYERS, 0)),
    work,
    """
market | A market | see what scarcity does to the price, in theory and among learners
- say room
6 sellers, 2 buyers, all of them learners. Each sale costs a seller 1 and is worth 5 to a buyer.
In each tick partners are drawn by lot; the sellers without one wait.
- guess gains: SIDES
In a textbook market the price settles where as many want to sell as want to buy (the competitive
price). Which side gains all, with 6 sellers and 2 buyers?
→ The competitive price is {competitive}: at any higher price sellers without a buyer would ask a
little less. So the shorter side gains all.
- do finished prices
Press {run}: the market trades to its end, and the chart shows its prices.
- ask learned: CHOICES
These sellers cannot undercut each other, because partners are drawn by lot. Where is the mean price
of 6 such markets in their last tenth? (The middle is 3.)
→ At {price}. With partners drawn by lot nobody can turn to another seller at once, so scarcity
shows far less than in the textbook.
- ask moves: up | down
Now 2 sellers and 6 buyers. The price goes …
→ From {price} to {swapped}, with the same learners, because now sellers are short. You have seen it
all: the bar, the deadline, tables, guesses, and many at once.
""",
    screen=MARKET,
    pace="flat",
)
