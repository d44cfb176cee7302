"""Rewinding: any earlier episode is what it was, to the bit, and the present is not disturbed."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import rewind
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.rewind import (
    Change,
    MoreCycles,
    NewOpener,
    RewindableTraining,
    SeatChange,
)
from negotiation_tui.strategies.registry import strategy
from tests.support.game import compiled, scenarios, seeds
from tests.support.trainings import same_training

ORIGINAL = Scenario.original()
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
    """Train in steps, each with a change after it if it is possible."""
    rewindable = RewindableTraining(begin)
    for episodes, change in course:
        rewindable.run_episodes(episodes)
        try:
            if change:
                rewindable.change(change)
        except BadInputError:  # the other seat does not allow it
            pass
    return rewindable


def fresh(rewindable: RewindableTraining, training: ConcurrentTraining, episode: int) -> None:
    """Train a new training as the other one was, up to an episode."""
    for before, change in rewindable.changes:
        if before <= episode:
            training.run_episodes(before - training.episode)
            change.apply(training)
    training.run_episodes(episode - training.episode)


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
@given(scenarios(largest=5, rounds=3), seeds, steps, st.floats(0, 1), st.integers(1, 30))
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
    fresh(rewindable, again, episode)
    assert equal(then, again)
    rewindable.advance(then, rewindable.training.episode - episode)
    assert equal(then, rewindable.training)
    for training in (then, rewindable.training, undisturbed.training):
        training.run_episodes(further)
    assert equal(then, rewindable.training)
    assert equal(undisturbed.training, rewindable.training)


def test_mixed_plans_of_a_cycle_ago_come_back() -> None:
    def begin() -> ConcurrentTraining:
        parameters = Parameters(episodes=10, cycles=20)
        return ConcurrentTraining(ORIGINAL, parameters, 7, seller=learner("learned:wolf-phc"))

    rewindable, again = RewindableTraining(begin), begin()
    rewindable.run_episodes(120)
    then = rewindable.training_at(75)
    again.run_episodes(75)
    for _ in range(3):
        assert equal(then, again)
        then.run_episodes(7)
        again.run_episodes(7)


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


def test_the_series_of_nash_conv_is_cut() -> None:
    def begin() -> ConcurrentTraining:
        training = begun()
        training.nash_convs = NashConvSeries()
        return training

    rewindable = RewindableTraining(begin)
    rewindable.run_episodes(120)
    then, training = rewindable.training_at(75), begin()
    training.run_episodes(75)
    assert then.nash_convs
    assert training.nash_convs
    assert len(then.nash_convs.values) == 7
    assert then.nash_convs.values == training.nash_convs.values


@pytest.mark.parametrize(
    ("scenario", "episodes"),
    [
        (Scenario.from_dict({"prices": 2, "rounds": 1}), 20_000),
        (Scenario.fine(), 4_000),
        pytest.param(LARGE, 400, marks=pytest.mark.slow),
    ],
)
def test_memory_has_a_bound(scenario: Scenario, episodes: int) -> None:
    begin = partial(
        ConcurrentTraining, scenario, Parameters(episodes=4, cycles=10**6), backend=compiled()
    )
    rewindable = RewindableTraining(begin)
    rewindable.run_episodes(episodes)
    assert rewindable.size <= rewind.MOST_BYTES
    training = begin()
    training.run_episodes(episodes * 2 // 3)
    assert equal(rewindable.training_at(training.episode), training)


def test_an_episode_that_was_not_played() -> None:
    rewindable = RewindableTraining(begun)
    rewindable.run_episodes(10)
    for episode in (-1, 11):
        with pytest.raises(ValueError, match="expected 0 to 10"):
            rewindable.training_at(episode)


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
