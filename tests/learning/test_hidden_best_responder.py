"""A best responder opposite a learner, with known or hidden limits: it answers its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.rewind import RewindableTraining, SeatChange
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.rational import BeliefResponder, playing
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.game import roles, scenarios, seeds
from tests.support.hidden import HIDDEN

BEST, BOULWARE = STRATEGIES["best-response"], STRATEGIES["boulware"]
SCENARIO = Scenario.with_hidden_limits()
CYCLES = Parameters(episodes=10)


@dataclass(frozen=True)
class Plays(Strategy):
    """A policy as a strategy."""

    name: ClassVar[str] = "plays"
    summary: ClassVar[str] = "a policy"
    source: ClassVar[str] = "here"
    policy: TabularPolicy

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"time", "opener"})

    def support(self, position: Position) -> Sequence[int]:
        row = position.standing_offer_index
        if position.standing_offer is not None:
            row += int(self.policy.rows(position.time, position.opened)[0])
        held: list[int] = self.policy.actions[row, : self.policy.n_actions[row]].tolist()
        return held


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


@settings(max_examples=20)
@given(
    scenarios(largest=5, rounds=4), roles, seeds, st.floats(0, 1), st.integers(1, 30),
    st.sampled_from(["learned:q-learning", "learned:sarsa"]),
)  # fmt: skip
@example(Scenario.original(), Role.SELLER, 3, 0.9, 20, "learned:sarsa")
def test_each_cycle_it_answers_what_the_other_knows_then(
    scenario: Scenario, role: Role, seed: int, rate: float, episodes: int, spec: str
) -> None:
    """Against a training in which its policy is put in the seat by hand before each cycle."""
    parameters = Parameters(episodes=episodes, discount_rate=rate)
    by_itself, by_hand = (
        ConcurrentTraining(scenario, parameters, seed, seller=learner(spec), buyer=learner(spec))
        for _ in range(2)
    )
    by_itself.seat(role, BEST)
    for _ in range(6):
        other = by_hand.policy(role.other)
        assert isinstance(other, TabularPolicy)
        policy = best_response(scenario, role, other, rate).policy
        assert policy
        by_hand.seat(role, Plays(policy))
        by_hand.run(1)
    by_itself.run(6)
    assert np.array_equal(by_itself.q_table(role.other), by_hand.q_table(role.other))
    assert np.array_equal(by_itself.statistics.counts, by_hand.statistics.counts)
    assert by_itself.last_negotiation == by_hand.last_negotiation


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
