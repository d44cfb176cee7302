"""Looking back: any moment of a training, and the negotiations that an entry comes from."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, Role, Scenario, States, strategy
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
    NewOpener,
    NewSetting,
    RewindableTraining,
    SeatChange,
)
from negotiation_tui.players.resolve import player_from_spec
from tests.support.game import ORIGINAL, compiled, scenarios, seeds
from tests.support.hidden import HIDDEN
from tests.support.trainings import same_training

LARGE = Scenario.from_dict({"prices": 200, "rounds": 20})
SPECS = (
    *("learned", "boulware", "random", "micro", "tit-for-tat", "best-response", "learned:sarsa"),
    *("learned:wolf-phc", "learned:boltzmann", "learned:hysteretic", "learned:q-lambda"),
)
VALUES = {
    "learning_rate": (0.05, 0.5, 1.0),
    "discount_rate": (0.5, 0.9, 1.0),
    "expected_updates": (True, False),
    "exploration_start": (0.3, 1.0),
    "exploration_end": (0.0, 0.5),
    "exploration_decay": (0.0, 0.01, 0.3),
    "delta_win": (0.2,),
    "temperature": (0.3, 5.0),
    "decrease": (0.5,),
    "trace_decay": (0.0, 1.0),
}

changes = st.one_of(
    st.builds(
        lambda role, spec: SeatChange(role, player_from_spec(spec)),
        st.sampled_from(Role),
        st.sampled_from(SPECS),
    ),
    st.builds(NewOpener, st.sampled_from(Opener)),
    st.builds(NewSetting, st.just("cycles"), st.integers(15, 30)),
    *(st.builds(NewSetting, st.just(n), st.sampled_from(values)) for n, values in VALUES.items()),
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


def epsilons_of(course: dict[int, tuple[str, float]], **options: Any) -> list[float]:
    """Return ε of 40 games in cycles of 10, with a change of a setting before some of them."""
    training = RewindableTraining(partial(begun, **options))
    found = []
    for game in range(40):
        if game in course:
            training.change(NewSetting(*course[game]))
        assert training.training.next_epsilon == training.training_at(game).next_epsilon
        training.run_episodes(1)
        found.append(training.training.epsilon)
    return found


def test_exploration_goes_on() -> None:
    once: dict[str, Any] = {"exploration_restarts": False, "exploration_decay": 0.1}
    usual = epsilons_of({}, **once)
    slower = epsilons_of({25: ("exploration_decay", 0.01)}, **once)
    assert slower[:26] == [*usual[:25], slower[25]]
    assert slower[25] == pytest.approx(usual[25]), "not lifted to the curve of the new decay"
    assert slower[39] == pytest.approx(0.1 + (usual[25] - 0.1) * np.exp(-0.01 * 14))
    typed = epsilons_of({25: ("exploration_start", 0.7)}, **once)
    assert typed[25] == 0.7
    assert typed[26] == pytest.approx(0.1 + 0.6 * np.exp(-0.1))
    assert epsilons_of({25: ("learning_rate", 0.3)}, **once) == usual


def test_a_typed_start_holds_on() -> None:
    usual = epsilons_of({}, exploration_decay=0.1)
    typed = epsilons_of({25: ("exploration_start", 0.7)}, exploration_decay=0.1)
    assert typed[:25] == usual[:25]
    falls = 0.1 + 0.6 * np.exp(-0.1 * np.arange(6))
    assert typed[25:31] == pytest.approx(falls), "the first game of a cycle follows the last"
    assert typed[31:] == pytest.approx(0.1 + 0.6 * np.exp(-0.1 * np.arange(9)))
    first = epsilons_of({5: ("exploration_end", 0.5)}, exploration_decay=0.1)
    assert first[5] == pytest.approx(usual[5])
    assert first[10] == 1.0, "the first game of the buyer begins anew"


@pytest.mark.parametrize("spec", ["best-response", "learned:fictitious-play", "learned:wolf-phc"])
def test_a_setting_holds_in_long_cycles(spec: str) -> None:
    """Beyond the distance of kept states, also opposite a player that answers or computes."""
    game = replace(Scenario.from_dict({"prices": 3, "rounds": 3}), states=States.OPENER_AWARE)
    parameters = Parameters(cycles=2, episodes=5000)
    player = player_from_spec(spec)
    course = RewindableTraining(lambda: ConcurrentTraining(game, parameters, 7, buyer=player))
    course.run_episodes(1300)
    course.change(NewSetting("discount_rate", 0.3))
    course.run_episodes(1300)
    if spec == "learned:wolf-phc":
        course.change(NewSetting("delta_lose", 0.5))
    course.run_episodes(1300)
    for moment in (1300, 2100, 2600, 3100):
        then = course.training_at(moment)
        course.advance(then, 3900 - moment)
        assert equal(then, course.training)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("learning_rate", 2.0, "learning_rate: expected"),
        ("delta_win", 2.0, "delta_win: expected"),
        ("cooling", 0.5, "setting: expected learning_rate, "),
        ("temperature", 0.5, "setting: expected learning_rate, "),
        ("expected_updates", True, "expected a strategy with a table"),
    ],
)
def test_a_refused_setting_changes_none(name: str, value: object, said: str) -> None:
    players: dict[str, Any] = {"seller": WolfPhc(), "buyer": strategy("tit-for-tat")}
    course = RewindableTraining(lambda: ConcurrentTraining(ORIGINAL, Parameters(), 7, **players))
    with pytest.raises(BadInputError, match=said):
        course.change(NewSetting(name, value))
    assert course.changes == []
    assert equal(course.training, course.training_at(0))


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
    rewindable.run_episodes(35)
    rewindable.change(NewSetting("learning_rate", 0.4))
    rewindable.change(NewSetting("discount_rate", 0.7))
    rewindable.run_episodes(30)
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
