"""What snapshots of a timeline share: read-only tables, one object as long as they are equal."""

from itertools import product

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Seating
from negotiation_tui.sessions.timeline import TableCopies
from negotiation_tui.sessions.training_session import Exhibition
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.hidden import HIDDEN
from tests.support.trainings import new_session

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


def test_the_table_of_a_best_responder_follows_its_opponent_from_cycle_to_cycle() -> None:
    training = new_session(ORIGINAL, PARAMETERS, 11, (None, "best-response"))
    first = training.snapshot.policies[Role.BUYER]
    assert first is not None
    training.handle(do.Play())
    assert training.snapshot.policies[Role.BUYER] is first
    training.handle(do.PlayCycle())
    assert training.snapshot.policies[Role.BUYER] is not first
    assert training.snapshot.policies[Role.SELLER] is None, "a learner"
    training.handle(do.TakeSeat(Role.BUYER, "boulware"))
    table = STRATEGIES["boulware"].tabulated(ORIGINAL, Role.BUYER)
    assert training.snapshot.policies == (None, table)
    training.handle(do.TakeSeat(Role.BUYER, "tit-for-tat"))
    assert training.snapshot.policies == (None, None), "it has no table"


def test_specs_that_are_not_built_in_stay_on_the_list() -> None:
    seats = Seating().occupied(Role.SELLER, "mine.py").occupied(Role.BUYER, "boulware:beta=0.5")
    for role, spec in ((Role.BUYER, "table.npz"), (Role.SELLER, None), (Role.BUYER, "midpoint")):
        seats = seats.occupied(role, spec)
    assert seats.strategies == (None, "midpoint")
    assert seats.given == ("mine.py", "table.npz")


def test_all_offers_by_plans_are_within_the_limits_that_are_drawn() -> None:
    training, drawn = ConcurrentTraining(HIDDEN["hidden"], seed=6), set()
    play = Exhibition(training.scenario, training)
    for n in range(10):
        training.run_episodes(1)
        for opener, begun in product(Role, (0, 3 + n % 2)):
            talk = play.by_plans(opener, begun)
            assert talk == play.by_plans(opener, begun), "the same again until the plans change"
            assert talk.turns[0].round == begun // 2
            drawn.add(talk.scenario.indices)
            for turn in talk.turns:
                assert turn.price is None or turn.price in talk.scenario.acceptable_range(turn.role)
    assert len(drawn) > 10
