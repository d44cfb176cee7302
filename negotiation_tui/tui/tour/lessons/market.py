"""A market in which one side is shorter: theory, and what learners do."""

from collections.abc import Generator

import numpy as np

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.market.agents import Agent, two_populations
from negotiation_tui.market.economics import competitive_range, mean_price
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.tour_session import Work
from negotiation_tui.tui.market.model import PRICES, ROOM
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say, part
from negotiation_tui.tui.tour.screens import MARKET

SCENARIO = Scenario.original()
COST, VALUE = SCENARIO.prices[0], SCENARIO.prices[-1]
MANY, FEW = 6, 2
LIMIT = RunLength.of("negotiations=2000")
SEEDS = range(6)
SIDES = "the sellers", "the buyers", "both the same"
CHOICES = "at the competitive price", "between it and the middle", "in the middle or beyond"


def market(counts: tuple[int, int], seed: int) -> MarketSimulation:
    """Return a market of learners with some sellers and buyers, not begun."""
    rng = population_generator(seed)
    agents: list[Agent] = two_populations(
        SCENARIO, counts, (LEARNED, LEARNED), (COST, VALUE), {}, rng
    )
    return MarketSimulation(SCENARIO, agents, LIMIT, seed)


def session() -> MarketSession:
    """Return the market with few buyers."""
    return MarketSession(lambda: market((MANY, FEW), 0))


def late_price(counts: tuple[int, int]) -> Generator[float, None, float]:
    """Trade in the market of each seed; return the mean price of their last tenth."""
    prices = []
    for seed in SEEDS:
        simulation = market(counts, seed)
        simulation.run()
        sold = simulation.sold
        late = sold[-max(1, len(sold) // 10) :].sum(axis=0)
        price = mean_price(SCENARIO.prices, late)
        prices.append(float("nan") if price is None else price)
        yield (seed + 1) / len(SEEDS)
    return float(np.mean(prices))


def work() -> Work:
    """Compute the competitive price, and the learners' prices with few buyers and few sellers."""
    few_buyers = yield from part(late_price((MANY, FEW)), 0.0, 0.5)
    few_sellers = yield from part(late_price((FEW, MANY)), 0.5, 1.0)
    competitive = sum(competitive_range([COST] * MANY, [VALUE] * FEW)) / 2
    middle = (COST + VALUE) / 2
    gains = VALUE - competitive, competitive - COST
    winner = 1 if gains[0] > gains[1] else 0 if gains[0] < gains[1] else 2
    near = abs(few_buyers - competitive) < (SCENARIO.prices[1] - SCENARIO.prices[0]) / 2
    between = min(competitive, middle) < few_buyers < max(competitive, middle)
    return {
        "cost": f"{COST}",
        "value": f"{VALUE}",
        "many": f"{MANY}",
        "few": f"{FEW}",
        "competitive": f"{competitive:g}",
        "middle": f"{middle:g}",
        "gains": SIDES[winner],
        "learned": CHOICES[0 if near else 1 if between else 2],
        "price": f"{few_buyers:.2f}",
        "swapped": f"{few_sellers:.2f}",
        "moves": "up" if few_sellers > few_buyers else "down",
        "markets": f"{len(SEEDS)}",
    }


LESSON = Lesson(
    name="market",
    title="A market",
    goal="see what scarcity does to the price, in theory and among learners",
    session=session,
    work=work,
    steps=(
        Say(
            "{many} sellers, {few} buyers, all of them learners. Each sale costs a seller {cost}"
            " and is worth {value} to a buyer. In each tick partners are drawn by lot; the sellers"
            " without one wait.",
            ROOM,
        ),
        Ask(
            "In a textbook market the price settles where as many want to sell as want to buy (the"
            " competitive price). Who gains all, with {many} sellers and {few} buyers?",
            SIDES,
            "gains",
            "The competitive price is {competitive}: at any higher price sellers without a buyer"
            " would ask a little less. So the shorter side gains all.",
        ),
        Do(
            "Press {run}: the market trades to its end, and the chart shows its prices.",
            lambda model: model.latest.finished,
            PRICES,
        ),
        Ask(
            "These sellers cannot undercut each other: partners are drawn by lot. Where is the mean"
            " price of {markets} such markets in their last tenth? (The middle is {middle}.)",
            CHOICES,
            "learned",
            "At {price}. With partners drawn by lot nobody can turn to another seller at once, so"
            " scarcity shows far less than in the textbook.",
        ),
        Ask(
            "Now {few} sellers and {many} buyers. The price goes …",
            ("up", "down"),
            "moves",
            "From {price} to {swapped}: the same learners, the other side short. You have seen it"
            " all: the bar, the deadline, tables, guesses, and many at once.",
        ),
    ),
    screen=MARKET,
    pace="flat",
)
