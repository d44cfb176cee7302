"""Training with hidden limits: one table per limit, which is trained when that limit is drawn."""

from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui import STRATEGIES, BadInputError, Role, Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.ancestry import Entry, ancestry
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.rewind import RewindableTraining
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.players.resolve import as_player
from tests.support.game import some
from tests.support.hidden import HIDDEN

every_game = pytest.mark.parametrize("name", HIDDEN)


def begun(name: str, seller: str = "learned", recipe: str = "published") -> ConcurrentTraining:
    parameters = replace(RECIPES[recipe](HIDDEN[name]), cycles=6, episodes=20)
    return ConcurrentTraining(HIDDEN[name], parameters, 4, seller=as_player(seller))


@every_game
def test_the_table_of_a_limit_changes_only_when_it_is_drawn(name: str) -> None:
    training, learned = begun(name), set()
    for _ in range(120):
        before, role = training.q_tables, training.learner(training.cycle)
        training.run_episodes(1)
        rows = np.argwhere((training.q_tables != before).any(axis=2))
        drawn = some(training.last_negotiation).scenario.limit_index(some(role))
        for learns, row in rows.tolist():
            assert (learns, row // training.scenario.n_states) == (role, drawn)
            learned.add((some(role), drawn))
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
@pytest.mark.parametrize("recipe", ["exploring-starts", "reverse-curriculum", "annealing"])
def test_a_random_start_is_an_offer_within_the_limit(name: str, recipe: str) -> None:
    scenario = HIDDEN[name]
    parameters = replace(RECIPES[recipe](scenario), cycles=4, episodes=20, curriculum_shift_every=1)
    training, later = ConcurrentTraining(scenario, parameters, 2), 0
    for _ in range(80):
        training.run_episodes(1)
        talk = some(training.last_negotiation)
        for turn in talk.turns:
            if turn.price is not None:
                assert turn.price in talk.scenario.acceptable_range(turn.role)
        later += talk.turns[0].round > 0
    assert later


@pytest.mark.parametrize(
    ("seller", "recipe"),
    [("learned", "published"), ("learned", "exploring-starts"), ("boulware", "published")],
)
def test_the_reasons_for_a_value_are_negotiations_of_its_limit(seller: str, recipe: str) -> None:
    course = RewindableTraining(lambda: begun("hidden", seller, recipe))
    course.run_episodes(120)
    training = course.training
    limits = schedule_of(training.parameters, training.scenario, None, 0, 120, seed=4).limit_pairs
    assert limits is not None
    table, n_states = training.q_table(Role.BUYER), training.scenario.n_states
    entries = [(row, action) for row, action in np.argwhere(table).tolist() if row >= n_states]
    assert entries
    for row, action in entries[::9]:
        limit, state = divmod(row, n_states)
        found = ancestry(course, Entry(Role.BUYER, state, action, 120, limit))
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


BEST, BOULWARE = STRATEGIES["best-response"], STRATEGIES["boulware"]
SCENARIO = Scenario.of("hidden")
CYCLES = Parameters(episodes=10)


def against_answers(
    buyer: Occupant | None = None, scenario: Scenario = SCENARIO
) -> ConcurrentTraining:
    return ConcurrentTraining(scenario, CYCLES, 5, seller=BEST, buyer=buyer)


def test_what_it_cannot_do_is_said_in_a_line() -> None:
    with pytest.raises(BadInputError, match="700 rows in the tables of its limits, got 11,132 in"):
        against_answers(scenario=Scenario.of("bazaar"))
    training = against_answers(BOULWARE, Scenario.of("bazaar"))
    with pytest.raises(BadInputError, match="use fewer limits, prices or rounds"):
        training.seat(Role.BUYER, Q_LEARNING)
    assert training.strategy(Role.BUYER) == BOULWARE
    with pytest.raises(BadInputError, match="expected a strategy with a table, got one that dep"):
        ConcurrentTraining(SCENARIO, Parameters(expected_updates=True), seller=BEST)
    with pytest.raises(BadInputError, match="got best-response, which responds too"):
        against_answers(BEST)
    with pytest.raises(BadInputError, match="got micro, which depends on the whole history"):
        against_answers(STRATEGIES["micro"])
