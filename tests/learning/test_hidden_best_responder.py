"""A best responder opposite a learner with hidden limits: it answers the learner's tables."""

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.rewind import RewindableTraining, SeatChange
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.rational import BeliefResponder, playing
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.hidden import HIDDEN

BEST, BOULWARE = STRATEGIES["best-response"], STRATEGIES["boulware"]
SCENARIO = Scenario.with_hidden_limits()
CYCLES = Parameters(episodes=10)


def begun(buyer: Occupant | None = None, scenario: Scenario = SCENARIO) -> ConcurrentTraining:
    return ConcurrentTraining(scenario, CYCLES, 5, seller=BEST, buyer=buyer)


def equal(one: ConcurrentTraining, other: ConcurrentTraining) -> bool:
    return (
        np.array_equal(one.q_tables, other.q_tables)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and one.last_negotiation == other.last_negotiation
    )


@pytest.mark.parametrize("scenario", HIDDEN.values(), ids=HIDDEN)
def test_each_cycle_it_answers_what_the_learner_knows_then(scenario: Scenario) -> None:
    """Against a training in which its answer is put in the seat by hand before each cycle."""
    by_itself, by_hand = (begun(learner("learned:sarsa"), scenario) for _ in range(2))
    by_itself.run(4)
    for _ in range(4):
        policy = by_hand.players.learners[Role.BUYER].policy
        found = best_response(scenario, Role.SELLER, policy, CYCLES.discount_rate)
        answer = playing(found)
        assert isinstance(answer, BeliefResponder)
        by_hand.seat(Role.SELLER, answer)
        by_hand.run(1)
    assert equal(by_itself, by_hand)
    assert by_itself.q_tables.any() == (scenario.zopa is not None)


def test_seats_change_on_the_way() -> None:
    training = RewindableTraining(lambda: begun(BOULWARE))
    training.run_episodes(3)
    training.change(SeatChange(Role.BUYER, Q_LEARNING))
    training.run_episodes(14)
    training.change(SeatChange(Role.SELLER, BOULWARE))
    training.run_episodes(3)
    training.change(SeatChange(Role.SELLER, BEST))
    training.run_episodes(5)
    past = training.training_at(13)
    training.advance(past, 12)
    assert equal(past, training.training)


def test_what_it_cannot_do_is_said_in_a_line() -> None:
    with pytest.raises(BadInputError, match="700 rows in the tables of its limits, got 11,132 in"):
        begun(scenario=Scenario.bazaar())
    training = begun(BOULWARE, Scenario.bazaar())
    with pytest.raises(BadInputError, match="use fewer limits, prices or rounds"):
        training.seat(Role.BUYER, Q_LEARNING)
    assert training.strategy(Role.BUYER) == BOULWARE
    with pytest.raises(BadInputError, match="expected a strategy with a table, got one that dep"):
        ConcurrentTraining(SCENARIO, Parameters(expected_updates=True), seller=BEST)
    with pytest.raises(BadInputError, match="got best-response, which responds too"):
        begun(BEST)
    with pytest.raises(BadInputError, match="got micro, which depends on the whole history"):
        begun(STRATEGIES["micro"])
