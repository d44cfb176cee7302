"""Agents with memories of every kind play as their strategies say; a market is opened fast."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import roster
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation, population_generator
from negotiation_tui.market.traders import scenario_for
from negotiation_tui.players import user_strategy
from negotiation_tui.strategies import base
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


def test_every_action_is_one_of_the_strategy() -> None:
    game = Scenario.from_dict({"prices": 6, "rounds": 6})
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
                assert turn.role is met.learner(at) or not turn.explored
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


GAME = Scenario.original()


@pytest.mark.parametrize("n", [4, 40])
def test_work_does_not_grow_with_the_entries(
    n: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done, path = Counter[str](), tmp_path / "agents.toml"

    def count(module: object, name: str) -> None:
        called = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: done.update([name]) or called(*given))

    base._cached_table.cache_clear()
    count(roster, "resolve_trusted")
    count(user_strategy, "installed_names")
    kinds = ("learned", "boulware", "learned", "boulware:beta=0.5")
    path.write_text(
        "".join(
            f'[[{role}]]\nname = "{role}{k}"\nstrategy = "{kinds[k % 4]}"\nreservation = {worth}\n'
            for k in range(n)
            for role, worth in (("seller", 1), ("buyer", 4))
        )
    )
    found = roster.from_file(path, GAME, population_generator(0))
    market = MarketSimulation(GAME, found, RunLength("negotiations", 1), 0)
    assert len(market.agents) == 2 * n
    assert done == {"resolve_trusted": 3}
    assert base._cached_table.cache_info().misses == 4
