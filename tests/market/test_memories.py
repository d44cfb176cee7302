"""In one market, agents with memories of every kind play as their strategies say."""

from collections import Counter

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.traders import scenario_for
from negotiation_tui.strategies.registry import strategy

SPECS = (
    "learned",
    "micro",
    "tit-for-tat",
    "midpoint",
    "random-tit-for-tat:accept=time,time=0.7",
    "averaged-tit-for-tat",
    "tit-for-tat:delta=2",
    "linear",
)


@pytest.mark.parametrize("opener", ["alternate", "seller", "buyer"])
def test_every_action_is_one_of_the_strategy(opener: str) -> None:
    game = Scenario.from_dict({"prices": 6, "rounds": 6, "opener": opener})
    agents = [
        Agent(f"{role}-{n}", role, worth - n % 2 if role else n % 2, spec)
        for role, worth in ((Role.SELLER, 1), (Role.BUYER, 6))
        for n, spec in enumerate(SPECS)
    ]
    market = MarketSimulation(game, agents, RunLength("negotiations", 10_000), 5)
    played: Counter[str] = Counter()
    for _ in range(60):
        met = market.watch()
        for at in range(len(met)):
            pair = [market.side(role)[met.of(role)[at]] for role in Role]
            transcript = met.transcript(at, game)
            for n, turn in enumerate(transcript.turns):
                agent = pair[turn.role]
                if agent.strategy == "learned":
                    continue
                own = scenario_for(game, agent)
                position = Transcript(own, transcript.opener, transcript.turns[:n]).position
                held = strategy(agent.strategy).in_seat(own, agent.role)
                assert position is not None
                assert turn.action in held.support(position), (agent, position)
                played[agent.strategy] += 1
    assert min(played[spec] for spec in SPECS[1:]) > 300


@pytest.mark.parametrize(
    ("spec", "noted"), [("learned", False), ("linear", False), ("micro", True)]
)
def test_offers_are_noted_only_where_a_strategy_heeds_them(spec: str, noted: bool) -> None:
    agents = [Agent("a", Role.SELLER, 1, spec), Agent("b", Role.BUYER, 5, "learned")]
    market = MarketSimulation(Scenario.original(), agents, RunLength("negotiations", 50), 0)
    market.run()
    assert np.any(market._offers or 0) == noted


def test_what_heeds_more_than_a_memory_cannot_trade() -> None:
    agents = [
        Agent("a", Role.SELLER, 1, "micro"),
        Agent("b", Role.BUYER, 5, "tit-for-tat:accept=combi"),
    ]
    with pytest.raises(BadInputError, match="has a table, got tit-for-tat:accept=combi"):
        MarketSimulation(Scenario.original(), agents, RunLength("negotiations", 1), 0)
