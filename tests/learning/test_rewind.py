"""Looking back: any moment of a training, and the negotiations that an entry comes from."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, Role, Scenario, strategy
from negotiation_tui.learning import ancestry as tracing
from negotiation_tui.learning import rewind
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.algorithms.sarsa import Sarsa
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.ancestry import Entry, ancestry
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.rewind import (
    Change,
    MoreCycles,
    NewOpener,
    RewindableTraining,
    SeatChange,
)
from tests.support.game import ORIGINAL, compiled, scenarios, seeds
from tests.support.hidden import HIDDEN
from tests.support.trainings import same_training

LARGE = Scenario.from_dict({"prices": 200, "rounds": 20})
SPECS = (None, "boulware", "random", "micro", "tit-for-tat", "best-response")

changes = st.one_of(
    st.builds(
        lambda role, spec: SeatChange(role, strategy(spec) if spec else Q_LEARNING),
        st.sampled_from(Role),
        st.sampled_from(SPECS),
    ),
    st.builds(NewOpener, st.sampled_from(Opener)),
    st.builds(MoreCycles, st.integers(1, 3)),
)
steps = st.lists(st.tuples(st.integers(0, 60), st.none() | changes), max_size=6)


def begun(scenario: Scenario = ORIGINAL, seed: int = 7, **options: object) -> ConcurrentTraining:
    parameters = Parameters.from_dict({"episodes": 10, "cycles": 20} | options)
    return ConcurrentTraining(scenario, parameters, seed)


def trained(
    begin: Callable[[], ConcurrentTraining], course: list[tuple[int, Change | None]]
) -> RewindableTraining:
    rewindable = RewindableTraining(begin)
    for episodes, change in course:
        rewindable.run_episodes(episodes)
        try:
            if change:
                rewindable.change(change)
        except BadInputError:  # the other seat does not allow it
            pass
    return rewindable


def equal(one: ConcurrentTraining, other: ConcurrentTraining) -> bool:
    return (
        same_training(one, other)
        and one.episode == other.episode
        and one.parameters == other.parameters
        and one.scenario == other.scenario
        and one.epsilon == other.epsilon
        and all(one.strategy(role) == other.strategy(role) for role in Role)
        and np.array_equal(one.statistics.last_cycle, other.statistics.last_cycle)
    )


@settings(max_examples=15)
@given(
    scenarios(largest=5, rounds=3) | st.just(HIDDEN["narrowed"]),
    seeds,
    steps,
    st.floats(0, 1),
    st.integers(1, 30),
)
def test_any_moment_of_any_course_is_a_fresh_run(
    scenario: Scenario,
    seed: int,
    course: list[tuple[int, Change | None]],
    share: float,
    further: int,
) -> None:
    begin = partial(begun, scenario, seed)
    rewindable, undisturbed = trained(begin, course), trained(begin, course)
    episode = int(share * rewindable.training.episode)
    then, again = rewindable.training_at(episode), begin()
    for before, change in rewindable.changes:
        if before <= episode:
            again.run_episodes(before - again.episode)
            change.apply(again)
    again.run_episodes(episode - again.episode)
    assert equal(then, again)
    rewindable.advance(then, rewindable.training.episode - episode)
    assert equal(then, rewindable.training)
    for training in (then, rewindable.training, undisturbed.training):
        training.run_episodes(further)
    assert equal(then, rewindable.training)
    assert equal(undisturbed.training, rewindable.training)


def test_from_a_kept_state_little_is_computed_again() -> None:
    rewindable = RewindableTraining(partial(begun, episodes=100))
    rewindable.run_episodes(1000)
    played: list[int] = []
    advance = RewindableTraining.advance

    class Counting(RewindableTraining):
        def advance(self, training: ConcurrentTraining, episodes: int) -> None:
            played.append(episodes)
            advance(self, training, episodes)

    rewindable.__class__ = Counting
    rewindable.training_at(950)
    assert played == [50]
    for episode in (-1, 1001):
        with pytest.raises(ValueError, match="expected 0 to 1,000"):
            rewindable.training_at(episode)


@pytest.mark.parametrize(
    ("scenario", "episodes"),
    [
        (Scenario.from_dict({"prices": 2, "rounds": 1}), 20_000),
        (Scenario.of("fine"), 4_000),
        pytest.param(LARGE, 400, marks=pytest.mark.slow),
    ],
)
def test_memory_has_a_bound(scenario: Scenario, episodes: int) -> None:
    begin = partial(
        ConcurrentTraining, scenario, Parameters(episodes=4, cycles=10**6), backend=compiled()
    )
    rewindable = RewindableTraining(begin)
    rewindable.run_episodes(episodes)
    assert rewindable.size <= rewind.KEPT_BYTES
    training = begin()
    training.run_episodes(episodes * 2 // 3)
    assert equal(rewindable.training_at(training.episode), training)


def test_statistics_keep_rows_of_many_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negotiation_tui.learning.statistics.MOST_ROWS", 8)
    rewindable, training = RewindableTraining(partial(begun, cycles=100)), begun(cycles=100)
    rewindable.run_episodes(300)
    training.run_episodes(171)
    then = rewindable.training_at(171).statistics
    assert then.period == rewindable.training.statistics.period == 4
    assert then.total == training.statistics.total
    assert np.array_equal(then.last_cycle, training.statistics.last_cycle)
    whole = 171 // 10 // then.period
    assert np.array_equal(then.counts[:whole], rewindable.training.statistics.counts[:whole])


def trace_whole_table(rewindable: RewindableTraining) -> None:
    """Trace entries of both Q-tables; compare with the values that the training has."""
    training = rewindable.training
    for role in Role:
        table = training.q_table(role)
        states, actions = np.nonzero(table)
        for state, action in list(zip(states.tolist(), actions.tolist(), strict=True))[::9]:
            found = ancestry(rewindable, Entry(role, state, action, training.episode))
            assert found.value == table[state, action]
            assert abs(found.total - found.value) < 1e-12


@settings(max_examples=5, deadline=None)
@given(
    st.sampled_from(tuple(RECIPES)),
    st.sampled_from(("published", "opener-aware")),
    st.integers(0, 2**32),
    st.sampled_from((0.0, 0.5)),
    st.sampled_from((1.0, (0.9, 0.6))),
)
def test_parts_sum_to_the_entry(
    recipe: str, states: str, seed: int, initial_value: float, delta: object
) -> None:
    table = {"prices": 3, "rounds": 3, "states": states, "delta": delta}
    scenario = Scenario.from_dict(table)
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


def test_the_oldest_of_many_negotiations_are_one_part(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(tracing, "MAX_EPISODES", 40)
    rewindable = RewindableTraining(partial(ConcurrentTraining, ORIGINAL, seed=4))
    rewindable.run_episodes(600)
    found = ancestry(rewindable, Entry(Role.SELLER, 0, 4, 540))
    assert found.since == 500
    assert found.initial > 0
    assert all(500 <= source.episode < 540 for source in found.sources)
    assert found.value == rewindable.training_at(540).q_table(Role.SELLER)[0, 4]
    assert abs(found.total - found.value) < 1e-12


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
    found = ancestry(rewindable, Entry(Role.SELLER, state, action, 125))
    assert found.value == table[state, action]
    assert min(source.episode for source in found.sources) >= 65
