"""Memory: a table with one plays as its strategy does, in every position it can reach."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Position, play_out
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.registry import strategy
from tests.support.game import roles, scenarios, seeds

SPECS = (
    "micro",
    "tit-for-tat",
    "tit-for-tat:delta=3",
    "random-tit-for-tat:delta=2,accept=time,time=0.5",
    "averaged-tit-for-tat:gamma=1",
    "averaged-tit-for-tat:gamma=3",
)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=15)
@given(
    scenario=scenarios(largest=5, rounds=6), role=roles, states=st.sampled_from(States), seed=seeds
)
def test_a_table_plays_as_its_strategy(
    spec: str, scenario: Scenario, role: Role, states: States, seed: int
) -> None:
    held, scenario = strategy(spec), replace(scenario, states=states)
    policy, rng = held.remembering(scenario, role), np.random.default_rng(seed)
    assert policy is not None

    def choose(position: Position) -> int:
        legal = position.legal
        if position.role is not role:  # makes offers as long as it can
            return int(rng.choice([a for a in legal if a < scenario.accept] or legal))
        assert policy.support(position) == list(held.support(position))
        return int(rng.choice(held.support(position)))

    for opener in Role:
        play_out(scenario, opener, choose)


@pytest.mark.parametrize(
    ("spec", "scenario", "has_one"),
    [
        ("micro", "legacy", True),
        ("tit-for-tat", "fine", True),
        ("tit-for-tat", "legacy", False),
        ("tit-for-tat:delta=2", "fine", False),
        ("random-tit-for-tat:largest=1000", "fine", False),
        ("boulware:accept=combi", "original", False),
    ],
)
def test_only_a_table_that_is_soon_made(spec: str, scenario: str, has_one: bool) -> None:
    held, game = strategy(spec), Scenario.of(scenario)
    for role in Role:
        assert (held.remembering(game, role) is not None) == has_one
        assert held.tabulated(game, role) is None  # solvers do not read a memory
