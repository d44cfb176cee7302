"""What snapshots of a timeline share: read-only tables, one object as long as they are equal."""

from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.exhibition import Exhibition
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.sessions.timeline import TableCopies
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.hidden import HIDDEN

ORIGINAL = Scenario.original()
PARAMETERS = Parameters(cycles=6, episodes=50)


def test_a_table_is_copied_again_only_after_it_changed() -> None:
    training = ConcurrentTraining(ORIGINAL, PARAMETERS, 3)
    copies = TableCopies(training)
    begun = [copies.of(role)[0] for role in Role]
    training.run(1)
    (seller, _), (buyer, _) = now = [copies.of(role) for role in Role]
    assert seller is not begun[0]
    assert buyer is begun[1], "the seller was trained"
    for role, (copy, policy) in zip(Role, now, strict=True):
        assert copies.of(role)[0] is copy
        assert policy is None, "greedy by the values"
        assert copy is not None
        assert not copy.flags.writeable
        assert np.array_equal(copy, training.q_table(role))


def test_without_a_learner_there_is_none() -> None:
    seats = STRATEGIES["midpoint"], STRATEGIES["boulware"]
    training = ConcurrentTraining(ORIGINAL, None, 3, seller=seats[0], buyer=seats[1])
    assert TableCopies(training).of(Role.SELLER) == (None, None)


def test_a_policy_is_shared_while_it_is_the_same_and_goes_with_its_learner() -> None:
    training = ConcurrentTraining(ORIGINAL, PARAMETERS, 3, seller=WolfPhc("alternate"))
    copies = TableCopies(training)
    training.run(1)
    values, policy = copies.of(Role.SELLER)
    assert policy is not None
    _, untouched = training.players.known(Role.SELLER)
    assert untouched is not None
    assert np.array_equal(policy.probabilities, untouched.probabilities)
    training.run(1)
    for again, kept in zip(copies.of(Role.SELLER), (values, policy), strict=True):
        assert again is kept, "the buyer was trained"
    training.seat(Role.SELLER, None)
    values, policy = copies.of(Role.SELLER)
    assert policy is None
    assert values is not None
    assert not values.any(), "another learner begins untrained"


def session(seller: str | None, buyer: str | None) -> TrainingSession:
    return TrainingSession(ORIGINAL, PARAMETERS, 11, (seller, buyer))


def test_a_strategy_with_a_table_publishes_it_and_a_learner_has_none() -> None:
    training = session("boulware", None)
    table = strategy("boulware").tabulated(ORIGINAL, Role.SELLER)
    assert training.snapshot.policies == (table, None)
    training.handle(do.PlayCycle())
    assert training.snapshot.policies == (table, None)
    training.handle(do.TakeSeat(Role.SELLER, None))
    assert training.snapshot.policies == (None, None)
    assert session("tit-for-tat", None).snapshot.policies == (None, None), "it has no table"


def test_the_table_of_a_best_responder_follows_its_opponent_from_cycle_to_cycle() -> None:
    training = session(None, "best-response")
    first = training.snapshot.policies[Role.BUYER]
    assert first is not None
    training.handle(do.Play())
    assert training.snapshot.policies[Role.BUYER] is first
    training.handle(do.PlayCycle())
    assert training.snapshot.policies[Role.BUYER] is not first


def test_specs_that_are_not_built_in_stay_on_the_list() -> None:
    seats = Seating().occupied(Role.SELLER, "mine.py").occupied(Role.BUYER, "boulware:beta=0.5")
    for role, spec in ((Role.BUYER, "table.npz"), (Role.SELLER, None), (Role.BUYER, "midpoint")):
        seats = seats.occupied(role, spec)
    assert seats.strategies == (None, "midpoint")
    assert seats.given == ("mine.py", "table.npz")


def test_a_snapshot_has_defaults_and_is_compared_by_identity() -> None:
    bare = Snapshot(scenario=ORIGINAL)
    assert bare.strategies == bare.q_tables == (None, None)
    assert len(bare.statistics.counts) == 0
    assert bare != replace(bare)


@pytest.mark.parametrize("begun", [0, 3, 4])
def test_all_offers_by_plans_are_within_the_limits_that_are_drawn(begun: int) -> None:
    training, drawn = ConcurrentTraining(HIDDEN["hidden"], seed=6), set()
    play = Exhibition(training.scenario, training)
    for _ in range(10):
        training.run_episodes(1)
        for opener in Role:
            talk = play.by_plans(opener, begun)
            assert talk == play.by_plans(opener, begun), "the same again until the plans change"
            assert talk.turns[0].round == begun // 2
            drawn.add(talk.scenario.indices)
            for turn in talk.turns:
                assert turn.price is None or turn.price in talk.scenario.acceptable_range(turn.role)
    assert len(drawn) > 10
