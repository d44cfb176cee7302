"""The negotiations behind an entry of a Q-table."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import ancestry as tracing
from negotiation_tui.learning.ancestry import Advance, ancestry
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.strategies.registry import strategy


def play(training: ConcurrentTraining, episodes: int) -> None:
    training.run_episodes(episodes)


def trace_whole_table(
    new: Callable[[], ConcurrentTraining], until: int, advance: Advance = play
) -> None:
    """Trace the entries of both Q-tables; compare with the values that the training has."""
    training = new()
    for _ in range(until):
        advance(training, 1)
    for role in Role:
        table = training.q_table(role)
        states, actions = np.nonzero(table)
        for state, action in list(zip(states.tolist(), actions.tolist(), strict=True))[::5]:
            found = ancestry(new(), advance, until, role, state, action)
            assert found.value == table[state, action]
            assert abs(found.total - found.value) < 1e-12


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(tuple(RECIPES)),
    st.sampled_from(("published", "opener-aware")),
    st.integers(0, 2**32),
    st.sampled_from((0.0, 0.5)),
)
def test_parts_sum_to_the_entry(recipe: str, states: str, seed: int, initial_value: float) -> None:
    scenario = Scenario.from_dict({"prices": 3, "rounds": 3, "states": states})
    parameters = replace(
        RECIPES[recipe](scenario), cycles=9, episodes=12, initial_value=initial_value
    )
    trace_whole_table(lambda: ConcurrentTraining(scenario, parameters, seed), 100)


def test_what_the_user_changed_on_the_way_is_part_of_the_replay() -> None:
    def advance(training: ConcurrentTraining, episodes: int) -> None:
        for _ in range(episodes):
            if training.episode == 30:
                training.seat(Role.BUYER, strategy("midpoint"))
            if training.episode == 55:
                training.seat(Role.BUYER, None)
                training.opener = Opener.BUYER
            training.run_episodes(1)

    parameters = Parameters(cycles=20, episodes=10, expected_updates=True)
    scenario = Scenario.from_dict({"prices": 3, "rounds": 3})
    trace_whole_table(lambda: ConcurrentTraining(scenario, parameters, 5), 120, advance)


def test_one_update_has_one_source() -> None:
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1})  # to the buyer 1 is worth 1

    def new() -> ConcurrentTraining:
        return ConcurrentTraining(
            scenario, seed=3, seller=strategy("random"), train_agent=Role.BUYER
        )

    training = new()
    while not training.q_table(Role.BUYER).any():
        training.run_episodes(1)
    last = training.episode - 1
    ((state,), (action,)) = np.nonzero(training.q_table(Role.BUYER))
    found = ancestry(new(), play, training.episode, Role.BUYER, int(state), int(action))
    (source,) = found.sources
    assert (source.episode, source.price, source.expected) == (last, 1, False)
    assert source.weight == pytest.approx(0.1)
    assert source.amount == found.value
    assert found.initial == 0


def test_the_initial_value_is_a_part_of_its_own() -> None:
    parameters = Parameters(initial_value=0.5)
    found = ancestry(
        ConcurrentTraining(Scenario.original(), parameters), play, 0, Role.SELLER, 0, 2
    )
    assert (found.value, found.initial, found.sources) == (0.5, 0.5, ())


def test_a_later_start_holds_what_came_before() -> None:
    training = ConcurrentTraining(Scenario.original(), seed=4)
    training.run_episodes(500)
    found = ancestry(training, play, 520, Role.SELLER, 0, 4)
    assert found.since == 500
    assert found.initial > 0
    assert found.value == training.q_table(Role.SELLER)[0, 4]
    assert abs(found.total - found.value) < 1e-12


def test_answers_that_were_only_expected_say_so() -> None:
    scenario = Scenario.from_dict({"prices": 3, "rounds": 2})
    parameters = RECIPES["exploring-starts"](scenario)
    found = [
        ancestry(ConcurrentTraining(scenario, parameters, 1), play, 40, role, 0, action)
        for role in Role
        for action in range(3)
    ]
    assert {source.expected for each in found for source in each.sources} == {True, False}


def test_too_many_negotiations_are_refused() -> None:
    training = ConcurrentTraining(Scenario.original())
    with pytest.raises(BadInputError, match="at most 20,000 negotiations, got 20,001"):
        ancestry(training, play, tracing.MAX_EPISODES + 1, Role.SELLER, 0, 0)


@pytest.mark.slow
def test_memory_stays_within_the_stated_bound() -> None:
    until = tracing.MAX_EPISODES
    training = ConcurrentTraining(
        Scenario.original(), RECIPES["reverse-curriculum"](Scenario.original())
    )
    tracemalloc.start()
    ancestry(training, play, until, Role.SELLER, 0, 4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6
