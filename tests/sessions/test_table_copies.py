"""Copies of Q-tables: read-only, and one object as long as the table is the same."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.timeline import TableCopies
from negotiation_tui.strategies.registry import STRATEGIES


def test_a_table_is_copied_again_only_after_it_changed() -> None:
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=2, episodes=50), 3)
    copies = TableCopies(training)
    begun = copies.values
    training.run(1)
    seller, buyer = copies.values
    assert seller is not begun[0]
    assert buyer is begun[1], "the seller was trained"
    assert copies.values == (seller, buyer)
    assert copies.policies == (None, None), "greedy by the values"
    for role, copy in zip(Role, (seller, buyer), strict=True):
        assert copy is not None
        assert not copy.flags.writeable
        assert np.array_equal(copy, training.q_table(role))


def test_without_a_learner_there_is_none() -> None:
    seats = STRATEGIES["midpoint"], STRATEGIES["boulware"]
    training = ConcurrentTraining(Scenario.original(), None, 3, seller=seats[0], buyer=seats[1])
    assert TableCopies(training).values == (None, None)


def test_a_policy_is_shared_while_it_is_the_same_and_goes_with_its_learner() -> None:
    training = ConcurrentTraining(
        Scenario.original(), Parameters(cycles=2, episodes=50), 3, seller=WolfPhc("alternate")
    )
    copies = TableCopies(training)
    training.run(1)
    values, policy = copies.values[0], copies.policies[0]
    assert policy is not None
    _, untouched = training.occupants.known(Role.SELLER)
    assert untouched is not None
    assert np.array_equal(policy.probabilities, untouched.probabilities)
    training.run(1)
    assert (copies.values[0], copies.policies[0]) == (values, policy), "the buyer was trained"
    training.seat(Role.SELLER, None)
    assert copies.policies == (None, None)
    assert copies.values[0] is not None
    assert not copies.values[0].any(), "another learner begins untrained"
