"""Hyperparameters and recipes: what they allow, say and reach."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, PriceRange, Role, Scenario, States
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters, whole_games
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.schedules import epsilons, starts
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import ORIGINAL, compiled, scenarios


def after(episode: int) -> float:
    return 0.1 + 0.9 * math.exp(-0.001 * episode)


def test_the_first_episode_of_a_cycle_is_explored_with_the_agents_last_epsilon() -> None:
    first = epsilons(Parameters(), 0, 5000)[::100]
    assert first == pytest.approx([1, 1] + [after(99)] * 48)
    assert round(after(99), 4) == 0.9152
    alone = epsilons(Parameters(), 0, 500, first_cycles=[0])[::100]
    assert alone == pytest.approx([1] + [after(99)] * 4)
    later = epsilons(Parameters(), 300, 500, first_cycles=[0, 4])[::100]
    assert later == pytest.approx([after(99), 1])
    # ε of many cycles is kept for the next call, without the start values of first cycles
    first, later = epsilons(Parameters(), 0, 1000), epsilons(Parameters(), 1000, 2000)
    assert (first[[0, 100]] == 1).all()
    assert (later[::100] == first[200]).all()
    assert np.array_equal(first[200:], later[200:])


@given(
    st.builds(Parameters, episodes=st.integers(1, 20), exploration_restarts=st.booleans()),
    st.lists(st.integers(0, 60), min_size=3, max_size=3),
)
def test_any_part_of_the_schedule(parameters: Parameters, cuts: list[int]) -> None:
    first, middle, last = sorted(cuts)
    whole = epsilons(parameters, 0, 60)
    assert np.array_equal(epsilons(parameters, first, middle), whole[first:middle])
    assert np.array_equal(epsilons(parameters, middle, last), whole[middle:last])


NO_NUMBERS = [math.nan, math.inf, -math.inf, True, "0.5", None]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("learning_rate", [0, -0.1, 1.01, *NO_NUMBERS]),
        ("discount_rate", [-0.01, 1.5, *NO_NUMBERS]),
        ("exploration_start", [-1, 2, *NO_NUMBERS]),
        ("exploration_end", [-1, 2, *NO_NUMBERS]),
        ("exploration_decay", [-0.001, 1e7, *NO_NUMBERS]),
        ("cycles", [0, -1, 1.5, 10**9 + 1, True, "3"]),
        ("episodes", [0, -1, 1.5, 10**9 + 1, True, "3"]),
    ],
)
def test_out_of_range(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(BadInputError, match=f"^{name}: expected "):
            Parameters(**{name: value})
    with pytest.raises(BadInputError, match=f"parameter: expected .*{name}, .*, got 'alpha'$"):
        Parameters.from_dict({"alpha": 0.1})


def test_the_ends_of_the_ranges_are_allowed() -> None:
    low = Parameters(1e-9, 0, 0, 0, 0, cycles=1, episodes=1)
    high = Parameters(1, 1, 1, 1, 1_000_000, cycles=10**9, episodes=10**9)
    assert np.isfinite(epsilons(low, 0, 10)).all()
    assert np.isfinite(epsilons(high, 10**17, 10**17 + 10)).all()


def test_normalized_rows_have_the_sum_1_and_relative_ones_1_at_their_best() -> None:
    q = np.array([[0.2, 0.6], [0.0, 0.0], [-0.5, 1.5]])
    assert Values.NORMALIZED.of(q).tolist() == [[0.2 / 0.8, 0.6 / 0.8], [0.0, 0.0], [-0.25, 0.75]]
    assert Values.NORMALIZED.of(q[0]).tolist() == [0.2 / 0.8, 0.6 / 0.8]
    assert q[0, 1] == 0.6
    q = np.array([[0.2, 0.4], [0.0, 0.0], [-0.5, -0.25]])
    assert Values.RELATIVE.of(q).tolist() == [[0.5, 1.0], [0.0, 0.0], [-0.5, -0.25]]
    assert Values.RAW.of(q).tolist() == q.tolist()


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


GAMES = {
    "original": ORIGINAL,
    "two prices": Scenario("x", (0, 10), 6, PriceRange(0, 10), PriceRange(0, 10)),
    "no zone": Scenario("x", (1, 2, 3, 4), 3, PriceRange(3, 4), PriceRange(1, 2)),
    "the seller opens": replace(ORIGINAL, opener=Opener.SELLER),
    # A reservation value that can be offered is accepted and rejected at random.
    "one round": Scenario("x", (1, 2, 3, 4), 1, PriceRange(1, 4), PriceRange(1, 4)),
    "ranges": Scenario("x", tuple(range(9)), 4, PriceRange(2, 8), PriceRange(0, 6)),
    "gaps": Scenario("x", (1, 2, 5, 6, 12), 5, PriceRange(2, 12), PriceRange(1, 6)),
}


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *((name, seed) for name in GAMES for seed in range(2)),
        pytest.param("fine", 0, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("recipe", CURRICULA)
def test_a_curriculum_solves_the_game(recipe: str, name: str, seed: int) -> None:
    scenario = seated(GAMES[name] if name in GAMES else Scenario.of(name))
    assert distance(scenario, recipe, seed) <= 0.001
    if name == "original":
        assert distance(scenario, recipe, seed, 1.0) <= 0.001, "with another discount"


@pytest.mark.parametrize("recipe", ["published", "corrected", *CURRICULA])
@pytest.mark.parametrize("seed", range(3))
def test_states_without_a_seat_are_never_solved(recipe: str, seed: int) -> None:
    assert distance(ORIGINAL, recipe, seed, 1.0) > 0.05
    if recipe == "published":
        assert distance(seated(ORIGINAL), recipe, seed, 1.0) > 0.05


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
    assert RECIPES["reverse-curriculum"](ORIGINAL).cycles == 120, "as its page says"


@pytest.mark.parametrize("recipe", CURRICULA)
def test_players_without_a_table_train_as_corrected_with_as_many_cycles(recipe: str) -> None:
    curriculum, corrected = (RECIPES[each](ORIGINAL) for each in (recipe, "corrected"))
    as_many = replace(corrected, cycles=curriculum.cycles, episodes=curriculum.episodes)
    assert whole_games(curriculum) == as_many


@given(scenarios())
def test_where_a_curriculum_starts(scenario: Scenario) -> None:
    plies = 2 * scenario.rounds
    everywhere, backwards = (RECIPES[recipe](scenario) for recipe in CURRICULA)
    assert (starts(everywhere, plies, 0, everywhere.total) == [0, plies]).all()
    windows = starts(backwards, plies, 0, backwards.total)
    assert len(windows) == backwards.cycles
    first, width = windows.T
    assert (first[0], width[0]) == (plies - 1, 1), "the last decision of all"
    assert first[-1] == 0, "the opening"
    assert set(np.diff(first)) <= {-1, 0}
    assert (first + width <= plies).all()
    assert (width >= 1).all()
