"""The timeline of a session, and its snapshots as JSON."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.as_json import as_json
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.sessions.timeline import RunTimeline, TableCopies
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
        assert not copy[:].flags.writeable
        assert np.array_equal(copy[:], training.q_table(role))


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
    assert not values[:].any(), "another learner begins untrained"


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
    timeline, drawn = RunTimeline(Run(HIDDEN["hidden"], Parameters(), 6)), set()
    play = Exhibition(timeline)
    for n in range(10):
        timeline.run_episodes(1)
        for opener, begun in product(Role, (0, 3 + n % 2)):
            talk = play.by_plans(opener, begun)
            assert talk == play.by_plans(opener, begun), "the same again until the plans change"
            assert talk.turns[0].round == begun // 2
            drawn.add(talk.scenario.indices)
            for turn in talk.turns:
                assert turn.price is None or turn.price in talk.scenario.acceptable_range(turn.role)
    assert len(drawn) > 10


def trained(scenario: Scenario, strategies: Specs = (None, None), cycles: int = 1) -> Snapshot:
    session = new_session(scenario, Parameters(), 7, strategies)
    session.handle(Play(100 * cycles))
    session.idle()
    return session.snapshot


def read_back(snapshot: Snapshot) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(as_json(snapshot)))
    return values


def test_they_say_how_far_the_training_is_and_the_best_entries_of_the_tables() -> None:
    snapshot = trained(Scenario.original(), cycles=3)
    values, table, scenario = read_back(snapshot), snapshot.q_tables[Role.BUYER], snapshot.scenario
    assert snapshot.nash_conv
    assert (values["seed"], values["cycle"], values["negotiations"]) == (7, 3, 300)
    assert Scenario.from_dict(values["scenario"]) == scenario
    assert values["nash_conv"]["total"] == snapshot.nash_conv.total
    assert values["totals"]["negotiations"] == 300
    assert values["players"] == {"seller": "learned", "buyer": "learned"}
    assert table is not None
    labels = [scenario.state_label(state) for state in range(len(table))]
    tried = [plan for plan in values["plans"]["buyer"] if plan["does"] != ["untried"]]
    assert tried
    for plan in tried:
        state = labels.index(plan["state"])
        legal = list(scenario.legal_actions(state, Role.BUYER))
        assert plan["value"] == table[state, legal].max()


def test_the_negotiation_is_told_turn_by_turn() -> None:
    snapshot = trained(Scenario.of("legacy"), ("boulware", "conceder"))
    assert snapshot.negotiation
    transcript = snapshot.negotiation.transcript
    told = read_back(snapshot)["negotiation"]
    assert [turn["price"] for turn in told["turns"]] == [turn.price for turn in transcript.turns]
    assert told["deal"] == transcript.outcome.price
    labels = [plan["state"] for plan in read_back(snapshot)["plans"]["seller"]]
    assert len(labels) == len(set(labels)), "opener's and responder's"
    assert told["turns"][-1]["does"] == "accept"
    assert sum(told["shares"].values()) == pytest.approx(1)


def test_hidden_limits_are_told_with_what_was_reached() -> None:
    snapshot = trained(Scenario.of("hidden"), cycles=3)
    assert snapshot.negotiation
    values, game = read_back(snapshot), snapshot.negotiation.transcript.scenario
    assert values["negotiation"]["limits"] == {str(role): game.limit(role) for role in Role}
    assert [plan["limit"] for plan in values["plans"]["seller"]] == [0, 1, 2, 3, 4]
    plan = values["plans"]["buyer"][game.limit_index(Role.BUYER)]["plan"]
    reward = game.width * plan[0]["value"]
    assert plan[0]["state"] == "s"
    assert 0 <= reward <= game.limit(Role.BUYER)
    assert [each["cycle"] for each in values["reached"]] == [1, 2, 3]
    assert all(0 < each["efficiency"] <= 1 for each in values["reached"])
    assert not {"reached", "ceiling"} & read_back(trained(Scenario.original())).keys()
