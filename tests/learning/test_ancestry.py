"""The negotiations behind an entry of a Q-table."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import ancestry as tracing
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.algorithms.sarsa import Sarsa
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.ancestry import ancestry
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.rewind import NewOpener, RewindableTraining, SeatChange
from negotiation_tui.strategies.registry import strategy


def trace_whole_table(rewindable: RewindableTraining) -> None:
    """Trace entries of both Q-tables; compare with the values that the training has."""
    training = rewindable.training
    for role in Role:
        table = training.q_table(role)
        states, actions = np.nonzero(table)
        for state, action in list(zip(states.tolist(), actions.tolist(), strict=True))[::5]:
            found = ancestry(rewindable, training.episode, role, state, action)
            assert found.value == table[state, action]
            assert abs(found.total - found.value) < 1e-12


@settings(max_examples=5, deadline=None)
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
    rewindable = RewindableTraining(lambda: ConcurrentTraining(scenario, parameters, seed))
    rewindable.run_episodes(100)
    trace_whole_table(rewindable)


def test_what_the_user_changed_on_the_way_is_part_of_the_replay() -> None:
    parameters = Parameters(cycles=20, episodes=10, expected_updates=True)
    scenario = Scenario.from_dict({"prices": 3, "rounds": 3})
    rewindable = RewindableTraining(lambda: ConcurrentTraining(scenario, parameters, 5))
    rewindable.run_episodes(30)
    rewindable.change(SeatChange(Role.BUYER, strategy("midpoint")))
    rewindable.run_episodes(25)
    rewindable.change(SeatChange(Role.BUYER, Q_LEARNING))
    rewindable.change(NewOpener(Opener.BUYER))
    rewindable.run_episodes(65)
    rewindable.change(SeatChange(Role.BUYER, strategy("midpoint")))  # after the last episode
    trace_whole_table(rewindable)


def test_one_update_has_one_source() -> None:
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1})  # to the buyer 1 is worth 1
    rewindable = RewindableTraining(
        lambda: ConcurrentTraining(
            scenario, seed=3, seller=strategy("random"), train_agent=Role.BUYER
        )
    )
    training = rewindable.training
    while not training.q_table(Role.BUYER).any():
        rewindable.run_episodes(1)
    ((state,), (action,)) = np.nonzero(training.q_table(Role.BUYER))
    found = ancestry(rewindable, training.episode, Role.BUYER, int(state), int(action))
    (source,) = found.sources
    assert (source.episode, source.price, source.expected) == (training.episode - 1, 1, False)
    assert source.weight == pytest.approx(0.1)
    assert source.amount == found.value
    assert found.initial == 0


def original(parameters: Parameters, seed: int = 0) -> RewindableTraining:
    return RewindableTraining(lambda: ConcurrentTraining(Scenario.original(), parameters, seed))


def test_the_initial_value_is_a_part_of_its_own() -> None:
    found = ancestry(original(Parameters(initial_value=0.5)), 0, Role.SELLER, 0, 2)
    assert (found.value, found.initial, found.sources) == (0.5, 0.5, ())


def test_the_oldest_of_many_negotiations_are_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here of an earlier moment."""
    monkeypatch.setattr(tracing, "MAX_EPISODES", 40)
    rewindable = original(Parameters(), 4)
    rewindable.run_episodes(600)
    found = ancestry(rewindable, 540, Role.SELLER, 0, 4)
    assert found.since == 500
    assert found.initial > 0
    assert all(500 <= source.episode < 540 for source in found.sources)
    assert found.value == rewindable.training_at(540).q_table(Role.SELLER)[0, 4]
    assert abs(found.total - found.value) < 1e-12


@pytest.mark.slow
def test_memory_grows_by_at_most_1_kb_per_negotiation() -> None:
    """So it stays below 20 MB: no more negotiations are traced."""
    assert tracing.MAX_EPISODES <= 20_000
    rewindable, n = original(RECIPES["reverse-curriculum"](Scenario.original())), 2000
    rewindable.run_episodes(n)
    tracemalloc.start()
    ancestry(rewindable, n, Role.SELLER, 0, 4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1000 * n


def test_reasons_begin_where_the_learner_began_also_opposite_one_that_learns_too() -> None:
    scenario, parameters = Scenario.original(), Parameters(cycles=20, episodes=10)
    rewindable = RewindableTraining(lambda: ConcurrentTraining(scenario, parameters, 5))
    rewindable.run_episodes(35)
    rewindable.change(SeatChange(Role.SELLER, Sarsa()))
    rewindable.run_episodes(30)
    rewindable.change(SeatChange(Role.SELLER, QLearning(learning_rate=0.3)))
    rewindable.run_episodes(20)
    trace_whole_table(rewindable)
    rewindable.change(SeatChange(Role.BUYER, WolfPhc()))
    rewindable.run_episodes(40)
    table = rewindable.training.q_table(Role.SELLER)
    state, action = np.argwhere(table)[0].tolist()
    found = ancestry(rewindable, 125, Role.SELLER, state, action)
    assert found.value == table[state, action]
    assert min(source.episode for source in found.sources) >= 65
