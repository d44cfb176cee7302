"""The facts of a snapshot: plain values that say what the screen shows."""

import json
from typing import Any

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.as_json import as_json
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.snapshot import Snapshot
from tests.support.trainings import new_session


def trained(scenario: Scenario, strategies: Specs = (None, None), cycles: int = 1) -> Snapshot:
    session = new_session(scenario, Parameters(), 7, strategies)
    session.handle(Play(100 * cycles))
    session.idle()
    return session.snapshot


def read_back(snapshot: Snapshot) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(as_json(snapshot)))
    return values


def test_they_say_how_far_the_training_is() -> None:
    snapshot = trained(Scenario.original(), cycles=3)
    values = read_back(snapshot)
    assert snapshot.nash_conv
    assert (values["seed"], values["cycle"], values["negotiations"]) == (7, 3, 300)
    assert Scenario.from_dict(values["scenario"]) == snapshot.scenario
    assert values["nash_conv"]["total"] == snapshot.nash_conv.total
    assert values["totals"]["negotiations"] == 300
    assert values["players"] == {"seller": "learned", "buyer": "learned"}


def test_the_plans_are_the_best_entries_of_the_tables() -> None:
    snapshot = trained(Scenario.original(), cycles=3)
    table = snapshot.q_tables[Role.BUYER]
    assert table is not None
    labels = [snapshot.scenario.state_label(state) for state in range(len(table))]
    plans = read_back(snapshot)["plans"]["buyer"]
    tried = [plan for plan in plans if plan["does"] != ["untried"]]
    assert tried
    for plan in tried:
        state = labels.index(plan["state"])
        legal = list(snapshot.scenario.legal_actions(state, Role.BUYER))
        assert plan["value"] == table[state, legal].max()


def test_the_negotiation_is_told_turn_by_turn() -> None:
    snapshot = trained(Scenario.legacy(), ("boulware", "conceder"))
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
    snapshot = trained(Scenario.with_hidden_limits(), cycles=3)
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
