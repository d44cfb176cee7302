"""Time costs reach every learner: its own δ, and no other, tells what a deal is worth."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from negotiation_tui import LEARNERS, Position, Role, strategy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm, Occupant
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES
from tests.support.game import game

SMALL = game(3, 2, states="opener-aware", seller={"reservation": 0}, buyer={"reservation": 4})
"""Each deal is worth something to both."""
EXACT = [name for name, each in LEARNERS.items() if isinstance(each, ExactAlgorithm)]
DAILY = {"q-learning", "wolf-phc", "best-response-dynamics"}
"""One learner of each kind: they learn within the episode, after it, or compute."""


def daily(names: Iterable[str]) -> list[Any]:
    return [pytest.param(each, marks=[pytest.mark.slow] * (each not in DAILY)) for each in names]


def alone(name: str, role: Role, delta: tuple[float, float], cycles: int) -> ConcurrentTraining:
    """A training against somebody who plays at random, from random starts."""
    scenario = replace(SMALL, delta=delta)
    seats: dict[Role, Occupant] = {role: LEARNERS[name], role.other: strategy("random")}
    parameters = replace(
        RECIPES["annealing"](scenario),
        cycles=cycles,
        episodes=100,
        discount_rate=1.0,
        exploration_end=1.0,
    )
    return ConcurrentTraining(
        scenario, parameters, 3, seller=seats[Role.SELLER], buyer=seats[Role.BUYER]
    )


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", daily(LEARNERS))
def test_a_learner_counts_its_own_time_costs_alone(name: str, role: Role) -> None:
    learned = []
    for own, other in ((1.0, 1.0), (1.0, 0.5), (0.5, 1.0)):
        course = alone(name, role, (own, other) if role is Role.SELLER else (other, own), 2)
        course.run()
        learned.append(course.q_table(role))
    assert np.array_equal(learned[0], learned[1])
    assert not np.array_equal(learned[0], learned[2])


POLICIES = {"roth-erev", "reinforce", "actor-critic"}
"""Learners that learn no values of actions."""


@pytest.mark.parametrize("name", daily(sorted({*LEARNERS} - {*EXACT} - POLICIES)))
def test_accepting_is_worth_its_share_after_time_costs(name: str) -> None:
    course, role = alone(name, Role.SELLER, (0.7, 0.4), 80), Role.SELLER
    course.run()
    game, values = course.scenario, course.q_table(role)
    for opened, time, price in product((True, False), range(2), game.prices):
        if not (opened and time == 1):
            at = Position(game, role, time, None, price, opened)
            expected = 0.7 ** (at.ply - 1) * price / 4
            assert values[at.state, game.accept] == pytest.approx(expected, rel=0.02), at
