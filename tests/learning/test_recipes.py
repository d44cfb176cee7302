"""Recipes of training parameters: valid for any scenario, and how near equilibrium each leads."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given

from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.schedules import starts
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import compiled, scenarios

ORIGINAL = Scenario.original()
CURRICULA = ["exploring-starts", "reverse-curriculum"]


def seated(scenario: Scenario) -> Scenario:
    return replace(scenario, states=States.OPENER_AWARE)


def distance(
    scenario: Scenario, recipe: str, seed: int, rate: float | None = None, **changes: Any
) -> float:
    """NashConv after a whole training, with the learner's own discount or another."""
    parameters = replace(RECIPES[recipe](scenario), **changes)
    training = ConcurrentTraining(scenario, parameters, seed, backend=compiled())
    training.run()
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    discount = parameters.discount_rate if rate is None else rate
    return nash_conv(scenario, seller, buyer, discount).total


@pytest.mark.parametrize("rate", [1.0, None])
@pytest.mark.parametrize("recipe", CURRICULA)
@pytest.mark.parametrize("seed", range(3))
def test_original_is_solved(recipe: str, seed: int, rate: float | None) -> None:
    assert distance(seated(ORIGINAL), recipe, seed, rate) <= 0.001


@pytest.mark.slow
@pytest.mark.parametrize("recipe", CURRICULA)
def test_fine_is_solved(recipe: str) -> None:
    assert distance(seated(Scenario.fine()), recipe, 0) <= 0.001


@pytest.mark.parametrize("recipe", ["published", "corrected", *CURRICULA])
@pytest.mark.parametrize("seed", range(3))
def test_states_without_a_seat_are_never_solved(recipe: str, seed: int) -> None:
    assert distance(ORIGINAL, recipe, seed, 1.0) > 0.05
    if recipe == "published":
        assert distance(seated(ORIGINAL), recipe, seed, 1.0) > 0.05


OTHERS = {
    "two prices": Scenario("x", (0, 10), 6, PriceRange(0, 10), PriceRange(0, 10)),
    "no zone": Scenario("x", (1, 2, 3, 4), 3, PriceRange(3, 4), PriceRange(1, 2)),
    "the seller opens": replace(ORIGINAL, opener=Opener.SELLER),
}
TOSS_UPS = {
    "one round": Scenario("x", (1, 2, 3, 4), 1, PriceRange(1, 4), PriceRange(1, 4)),
    "ranges": Scenario("x", tuple(range(9)), 4, PriceRange(2, 8), PriceRange(0, 6)),
    "gaps": Scenario("x", (1, 2, 5, 6, 12), 5, PriceRange(2, 12), PriceRange(1, 6)),
}


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("recipe", CURRICULA)
def test_other_games_are_solved(recipe: str, name: str) -> None:
    assert distance(seated(OTHERS[name]), recipe, 1) <= 0.001


@pytest.mark.parametrize("name", TOSS_UPS)
@pytest.mark.parametrize("recipe", CURRICULA)
def test_games_with_indifferent_answers_are_solved(recipe: str, name: str) -> None:
    """A reservation value that can be offered is accepted and rejected at random."""
    assert max(distance(seated(TOSS_UPS[name]), recipe, seed) for seed in range(2)) <= 0.001


@pytest.mark.parametrize("recipe", RECIPES)
@given(scenario=scenarios())
@example(Scenario.from_dict({"prices": 2, "rounds": 1000}))
@example(Scenario.from_dict({"prices": 1000, "rounds": 9}))
@example(Scenario.from_dict({"prices": 1000, "rounds": 1}))
def test_parameters_are_valid_for_any_scenario(recipe: str, scenario: Scenario) -> None:
    parameters = RECIPES[recipe](scenario)
    assert Parameters.from_dict(parameters.to_dict()) == parameters
    assert parameters.learning_rate > 0


def test_published_is_the_default() -> None:
    assert RECIPES["published"](ORIGINAL) == Parameters()
    corrected = RECIPES["corrected"](ORIGINAL)
    assert corrected == Parameters(exploration_restarts=False)


@given(scenarios())
def test_the_curriculum_comes_from_the_deadline_to_the_opening(scenario: Scenario) -> None:
    parameters, plies = RECIPES["reverse-curriculum"](scenario), 2 * scenario.rounds
    windows = starts(parameters, plies, 0, parameters.total)
    assert len(windows) == parameters.cycles
    first, width = windows.T
    assert (first[0], width[0]) == (plies - 1, 1), "the last decision of all"
    assert first[-1] == 0, "the opening"
    assert set(np.diff(first)) <= {-1, 0}
    assert (first + width <= plies).all()
    assert (width >= 1).all()


@given(scenarios())
def test_exploring_starts_are_everywhere_all_the_time(scenario: Scenario) -> None:
    parameters, plies = RECIPES["exploring-starts"](scenario), 2 * scenario.rounds
    windows = starts(parameters, plies, 0, parameters.total)
    assert (windows == [0, plies]).all()
