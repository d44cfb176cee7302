"""Reach and values of actions against sums over all histories."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import Role, Scenario, States, TabularPolicy
from negotiation_tui.solvers.reach import (
    as_policy,
    decision_rows,
    joint_reach,
    legal_decisions,
    opponents_reach,
    own_reach,
)
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import roles, scenarios, seeds
from tests.support.histories import Decision, Histories
from tests.support.mixed import random_policy

Game = tuple[Scenario, Role, list[TabularPolicy]]


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A tiny game, a role, and two policies; the other's may remember its last offer."""
    scenario = replace(draw(scenarios(3, 3)), states=States.OPENER_AWARE)
    role, rng = draw(roles), np.random.default_rng(draw(seeds))
    tables = [random_policy(scenario, each, rng) for each in Role]
    if draw(st.booleans()):
        table = Midpoint().tabulated(scenario, role.other)
        assert table
        assert table.remembers_own_offer
        tables[role.other] = table
    return scenario, role, tables


few = settings(max_examples=20)


@few
@given(games())
def test_reach_is_the_sum_over_all_paths(game: Game) -> None:
    scenario, role, tables = game
    own, others, both = (defaultdict[Decision, float](float) for _ in range(3))
    for decision, mine, theirs, _ in Histories(scenario, tables).decisions(role):
        own[decision] += mine
        both[decision] += mine * theirs
        others[decision] += theirs
    made, heard = (len(scenario.offers(each)) for each in (role, role.other))
    policy = tables[role].probabilities[decision_rows(scenario)]
    found = own_reach(scenario, role, policy)[..., 0, 0]
    found_others = opponents_reach(scenario, role, tables[role.other])[0]
    found_both = joint_reach(policy, tables[role.other])[0]
    for part, n, offer in own:
        assert found_both[part, n, offer] == pytest.approx(both[part, n, offer], abs=1e-12)
        free = n if part else max(n - 1, 0)  # offers heard before the standing one
        assert found[part, n] == pytest.approx(own[part, n, offer] / heard**free)
        expected = others[part, n, offer] / made**n
        assert found_others[part, n, offer] == pytest.approx(expected, abs=1e-12)


@few
@given(games())
def test_a_policy_comes_back_from_its_decisions(game: Game) -> None:
    scenario, role, _ = game
    policy = random_policy(scenario, role, np.random.default_rng(0))
    decisions = policy.probabilities[decision_rows(scenario)]
    again = as_policy(scenario, role, decisions).probabilities[decision_rows(scenario)]
    np.testing.assert_allclose(again, decisions, atol=1e-15)
    assert ((decisions > 0) <= legal_decisions(scenario, role)).all()
