"""What docs/findings.md says of time as a budget, with a few seeds."""

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import population
from negotiation_tui.market.headless import warm
from negotiation_tui.market.ledger import ALL_ROUNDS, DEAL_ROUNDS, NEGOTIATIONS
from negotiation_tui.market.limit import BY_NEGOTIATIONS, BY_STEPS, Limit
from negotiation_tui.market.simulation import MarketSimulation

SEEDS, EACH = 3, 50_000


def room(unit: str, agents: int, seed: int, decay: float) -> MarketSimulation:
    """As docs/market_findings.py has it."""
    engine = warm()
    if engine is None:
        pytest.skip("needs numba")
    rng = np.random.default_rng(0)
    learning = {"discount_rate": 0.9, "exploration_end": 0.01, "exploration_decay": decay}
    people = [
        *population(Role.SELLER, "seller", agents, 0, rng, learning=learning),
        *population(Role.BUYER, "buyer", agents, 5, rng, learning=learning),
    ]
    scenario = Scenario.from_dict({"prices": 5, "rounds": 5, "states": "opener-aware"})
    amount = EACH * 2 if unit == BY_STEPS else EACH * agents
    one = MarketSimulation(scenario, people, Limit(unit, amount), seed, engine=engine)
    one.run()
    return one


def rounds_to_a_deal(unit: str, decay: float) -> float:
    totals = np.zeros(2)
    for seed in range(SEEDS):
        one = room(unit, 10, seed, decay)
        late = slice(-len(one.history) // 10, None)
        deals = one.sold[late].sum()
        assert one.history[late, DEAL_ROUNDS].sum() <= one.history[late, ALL_ROUNDS].sum()
        assert deals <= one.history[late, NEGOTIATIONS].sum()
        totals += one.history[late, DEAL_ROUNDS].sum(), deals
    return float(totals[0] / totals[1])


def test_where_exploration_fades_fast_deals_close_earlier_if_time_is_the_budget() -> None:
    usual, timed = (rounds_to_a_deal(unit, 0.002) for unit in (BY_NEGOTIATIONS, BY_STEPS))
    assert timed < usual - 0.2


def test_where_it_fades_slowly_they_close_as_early_without() -> None:
    usual, timed = (rounds_to_a_deal(unit, 0.00025) for unit in (BY_NEGOTIATIONS, BY_STEPS))
    assert usual < rounds_to_a_deal(BY_NEGOTIATIONS, 0.002) - 0.2
    assert abs(usual - timed) < 0.2
