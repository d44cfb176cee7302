"""Training with hidden limits: one table per limit, which is trained when that limit is drawn."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.ancestry import ancestry
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.learning.rewind import RewindableTraining, SeatChange
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.game import compiled
from tests.support.hidden import HIDDEN
from tests.support.trainings import same_training

every_game = pytest.mark.parametrize("name", HIDDEN)
PAIRS: dict[str, tuple[str | None, str | None, str]] = {
    "q-learning": (None, None, "published"),
    "expected updates": (None, None, "exploring-starts"),
    "curriculum": (None, None, "reverse-curriculum"),
    "other learners": ("learned:sarsa", "learned:wolf-phc", "annealing"),
    "one against a strategy": ("boulware", None, "published"),
    "one that computes": (None, "learned:cfr:counts_as=10", "published"),
}
"""The seller, the buyer and the recipe; None is Q-learning."""


def begun(name: str, pair: str = "q-learning", backend: Backend = PLAIN) -> ConcurrentTraining:
    seller, buyer, recipe = PAIRS[pair]
    scenario = HIDDEN[name]
    if "computes" in pair:
        scenario = replace(scenario, states=States.OPENER_AWARE)
    parameters = replace(RECIPES[recipe](scenario), cycles=6, episodes=20)
    one, other = map(_occupant, (seller, buyer))
    return ConcurrentTraining(scenario, parameters, 4, seller=one, buyer=other, backend=backend)


def _occupant(spec: str | None) -> Occupant | None:
    if spec is None:
        return None
    return learner(spec) if spec.startswith("learned:") else STRATEGIES[spec]


@every_game
def test_the_table_of_a_limit_changes_only_when_it_is_drawn(name: str) -> None:
    training, learned = begun(name), set()
    for _ in range(120):
        before, role = training.q_tables, training.learner(training.cycle)
        training.run_episodes(1)
        assert training.last_negotiation
        assert role is not None
        rows = np.argwhere((training.q_tables != before).any(axis=2))
        drawn = training.last_negotiation.scenario.limit_index(role)
        for learns, row in rows.tolist():
            assert (learns, row // training.scenario.n_states) == (role, drawn)
            learned.add((role, drawn))
    expected = 0 if HIDDEN[name].zopa is None else 2
    assert len(learned) >= expected


@every_game
def test_limits_are_drawn_by_their_weights(name: str) -> None:
    scenario, n = HIDDEN[name], 4000
    schedule = schedule_of(Parameters(), scenario, None, 0, n, seed=9)
    assert schedule.limit_pairs is not None
    for role, limits in zip(Role, scenario.limits, strict=True):
        chances = limits.chances if limits else np.ones(1)
        shares = np.bincount(schedule.limit_pairs[:, role], minlength=len(chances)) / n
        assert (shares[chances == 0] == 0).all()
        assert (abs(shares - chances) <= 4 * np.sqrt(chances * (1 - chances) / n)).all()
    joint = np.corrcoef(schedule.limit_pairs.T.astype(float))[0, 1] if all(scenario.limits) else 0.0
    assert abs(joint) < 4 / np.sqrt(n)


@every_game
def test_rewards_are_those_of_the_limits(name: str) -> None:
    training, sums = begun(name), np.zeros(2)
    for _ in range(20):
        training.run_episodes(1)
        last = training.last_negotiation
        assert last
        if last.outcome.price is not None:
            sums += [last.scenario.reward(role, last.outcome.price) for role in Role]
            assert all(last.outcome.price in last.scenario.acceptable_range(role) for role in Role)
    np.testing.assert_allclose(training.statistics.mean_rewards(training.scenario)[0], sums / 20)


@every_game
@pytest.mark.parametrize("recipe", ["exploring-starts", "reverse-curriculum", "annealing"])
def test_a_random_start_is_an_offer_within_the_limit(name: str, recipe: str) -> None:
    scenario = HIDDEN[name]
    parameters = replace(RECIPES[recipe](scenario), cycles=4, episodes=20, curriculum_shift_every=1)
    training, later = ConcurrentTraining(scenario, parameters, 2), 0
    for _ in range(80):
        training.run_episodes(1)
        talk = training.last_negotiation
        assert talk
        for turn in talk.turns:
            if turn.price is not None:
                assert turn.price in talk.scenario.acceptable_range(turn.role)
        later += talk.turns[0].round > 0
    assert later


@pytest.mark.parametrize("recipe", ["exploring-starts", "reverse-curriculum"])
def test_recipes_learn_a_mean_over_the_limits(recipe: str) -> None:
    """With the learning rate 1 they would learn from the last opponent's limit alone."""
    scenario = replace(HIDDEN["hidden"], states=States.OPENER_AWARE)
    found = []
    usual = RECIPES[recipe](scenario)
    for parameters in (usual, replace(usual, learning_rate=1.0)):
        training = ConcurrentTraining(scenario, parameters, 1, backend=compiled())
        training.run()
        result = nash_conv_of(training)
        assert result
        found.append(result.total)
    assert found[0] < 0.7 * found[1]


def learned_later() -> ConcurrentTraining:
    return begun("hidden", "one against a strategy")


def between_learners() -> ConcurrentTraining:
    return begun("narrowed", "expected updates")


@pytest.mark.parametrize("begin", [learned_later, between_learners])
def test_an_earlier_episode_is_what_it_was(begin: Callable[[], ConcurrentTraining]) -> None:
    course = RewindableTraining(begin)
    course.run_episodes(50)
    course.change(SeatChange(Role.SELLER, LEARNERS["q-learning"]))
    course.run_episodes(40)
    for episode in (0, 1, 20, 49, 50, 67, 90):
        direct = begin()
        direct.run_episodes(min(episode, 50))
        if episode >= 50:
            direct.seat(Role.SELLER, LEARNERS["q-learning"])
            direct.run_episodes(episode - 50)
        assert same_training(course.training_at(episode), direct)
        back = course.training_at(episode)
        course.advance(back, 90 - episode)
        assert same_training(back, course.training)


@pytest.mark.parametrize("pair", ["q-learning", "expected updates", "one against a strategy"])
def test_the_reasons_for_a_value_are_negotiations_of_its_limit(pair: str) -> None:
    course = RewindableTraining(lambda: begun("hidden", pair))
    course.run_episodes(120)
    training = course.training
    limits = schedule_of(training.parameters, training.scenario, None, 0, 120, seed=4).limit_pairs
    assert limits is not None
    table, n_states = training.q_table(Role.BUYER), training.scenario.n_states
    entries = [(row, action) for row, action in np.argwhere(table).tolist() if row >= n_states]
    assert entries
    for row, action in entries[::9]:
        limit, state = divmod(row, n_states)
        found = ancestry(course, 120, Role.BUYER, state, action, limit)
        assert found.value == table[row, action]
        assert found.total == pytest.approx(found.value)
        assert {limits[source.episode, Role.BUYER] for source in found.sources} == {limit}


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_single_limit_is_a_known_one(recipe: str, backend: Backend) -> None:
    known = Scenario.from_dict({"prices": 4, "rounds": 3, "seller": {"min": 2}})
    hidden = Scenario.from_dict({"prices": 4, "rounds": 3, "seller": {"limits": [2]}})
    parameters = replace(RECIPES[recipe](known), cycles=5, episodes=30)
    one, other = (
        ConcurrentTraining(each, parameters, 8, backend=backend) for each in (known, hidden)
    )
    one.run()
    other.run()
    np.testing.assert_allclose(one.q_tables, other.q_tables, atol=1e-12)
    np.testing.assert_array_equal(one.statistics.counts, other.statistics.counts[:, :6])


def test_a_larger_number_of_limits_on_one_side_leaves_no_room_unused() -> None:
    training = begun("one side")
    training.run()
    n_states = training.scenario.n_states
    assert training.q_table(Role.SELLER).shape[0] == 3 * n_states
    assert training.q_table(Role.BUYER).shape[0] == n_states
    assert training.q_tables.shape[1] == 3 * n_states


def test_an_opener_is_told_to_a_learner_that_is_aware_of_it() -> None:
    scenario = replace(HIDDEN["one side"], states=States.OPENER_AWARE, opener=Opener.BUYER)
    training = ConcurrentTraining(scenario, Parameters(cycles=10, episodes=30), 1)
    training.run()
    size = scenario.n_prices * scenario.rounds
    seller = training.q_table(Role.SELLER).reshape(3, scenario.n_states, -1)
    buyer = training.q_table(Role.BUYER)
    assert not seller[:, : 1 + size].any(), "the seller never opens"
    assert not buyer[1 + size :].any(), "the buyer always does"
    assert seller.any(axis=(1, 2)).all()
