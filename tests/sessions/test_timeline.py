"""The timeline of a session, and its snapshots as JSON."""

import json
from itertools import product
from typing import Any

import numpy as np
import pytest

from negotiation_tui import STRATEGIES, Opener, Role, Scenario
from negotiation_tui.learning import nash_conv_series
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.as_json import as_json
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.side_by_side_session import SideBySideSession
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.sessions.timeline import RunTimeline, TableCopies
from negotiation_tui.sessions.training_session import Exhibition
from tests.support.game import some
from tests.support.recorded import HIDDEN as LOPSIDED
from tests.support.trainings import new_session

ORIGINAL = Scenario.original()
PARAMETERS = Parameters(cycles=6, episodes=50)


def test_tables_and_policies_are_copied_again_only_after_they_changed() -> None:
    training = ConcurrentTraining(ORIGINAL, PARAMETERS, 3, seller=WolfPhc("alternate"))
    copies = TableCopies(training)
    begun = [copies.of(role)[0] for role in Role]
    training.run(1)
    (seller, policy), (buyer, none) = now = [copies.of(role) for role in Role]
    assert seller is not begun[0]
    assert buyer is begun[1], "the seller was trained"
    for role, (copy, _) in zip(Role, now, strict=True):
        assert copies.of(role)[0] is copy
        assert copy is not None
        assert not copy[:].flags.writeable
        assert np.array_equal(copy[:], training.q_table(role))
    assert none is None, "greedy by the values"
    _, untouched = training.known(Role.SELLER)
    assert np.array_equal(some(policy).probabilities, some(untouched).probabilities)
    training.run(1)
    for again, kept in zip(copies.of(Role.SELLER), (seller, policy), strict=True):
        assert again is kept, "the buyer was trained"
    assert copies.of(Role.BUYER)[0] is not buyer
    training.seat(Role.SELLER, None)
    values, policy = copies.of(Role.SELLER)
    assert policy is None
    assert values is not None
    assert not values[:].any(), "another learner begins untrained"


def test_the_table_of_a_best_responder_follows_its_opponent_from_cycle_to_cycle() -> None:
    training = new_session(ORIGINAL, PARAMETERS, 11, (None, "best-response"))
    first = some(training.snapshot.policies[Role.BUYER])
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
    timeline, drawn = RunTimeline(Run(HIDDEN, Parameters(), 6)), set()
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
    assert (values["seed"], values["cycle"], values["negotiations"]) == (7, 3, 300)
    assert Scenario.from_dict(values["scenario"]) == scenario
    assert values["nash_conv"]["total"] == some(snapshot.nash_conv).total
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
    transcript = some(snapshot.negotiation).transcript
    told = read_back(snapshot)["negotiation"]
    assert [turn["price"] for turn in told["turns"]] == [turn.price for turn in transcript.turns]
    assert told["deal"] == transcript.outcome.price
    labels = [plan["state"] for plan in read_back(snapshot)["plans"]["seller"]]
    assert len(labels) == len(set(labels)), "opener's and responder's"
    assert told["turns"][-1]["does"] == "accept"
    assert sum(told["shares"].values()) == pytest.approx(1)


def test_hidden_limits_are_told_with_what_was_reached() -> None:
    snapshot = trained(Scenario.of("hidden"), cycles=3)
    values, game = read_back(snapshot), some(snapshot.negotiation).transcript.scenario
    assert values["negotiation"]["limits"] == {str(role): game.limit(role) for role in Role}
    assert [plan["limit"] for plan in values["plans"]["seller"]] == [0, 1, 2, 3, 4]
    plan = values["plans"]["buyer"][game.limit_index(Role.BUYER)]["plan"]
    reward = game.width * plan[0]["value"]
    assert plan[0]["state"] == "s"
    assert 0 <= reward <= game.limit(Role.BUYER)
    assert [each["cycle"] for each in values["reached"]] == [1, 2, 3]
    assert all(0 < each["efficiency"] <= 1 for each in values["reached"])
    assert not {"reached", "ceiling"} & read_back(trained(Scenario.original())).keys()


HIDDEN = Scenario.of("hidden")
SHORT = Parameters(cycles=4, episodes=10)

CHANGES = do.SetOpener(Opener.BUYER), do.TakeSeat(Role.SELLER, "boulware")


def test_learners_of_a_large_game_are_judged_at_the_ends_of_some_cycles_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    assert session.snapshot.nash_conv is None
    session.handle(do.PlayCycle())
    session.idle()
    found = session.snapshot.nash_conv
    assert found
    assert session.snapshot.nash_convs == ((1, found.total),)
    session.handle(do.Play())
    session.idle()
    assert session.snapshot.nash_conv is None
    session.handle(do.GoTo(10))
    past = some(session.snapshot.past)[0]
    assert (past.nash_convs, past.nash_conv) == (((1, found.total),), None)
    at_once = new_session(HIDDEN, SHORT, 1)
    assert [*at_once.training()]
    at_once.idle()
    assert [cycle for cycle, _ in at_once.snapshot.nash_convs] == [4]
    assert at_once.snapshot.nash_conv is not None


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_judges_a_small_game_again(
    change: do.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(LOPSIDED, SHORT, 1)  # in a symmetric game either opener gives one sum
    session.handle(do.PlayCycle())
    session.idle()
    before = some(session.snapshot.nash_conv)
    session.handle(change)
    session.idle()
    assert abs(some(session.snapshot.nash_conv).total - before.total) > 0.01
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)
    session = new_session(HIDDEN, SHORT, 1)
    session.handle(do.PlayCycle())
    session.handle(change)
    session.idle()
    assert session.snapshot.nash_conv is None, "a large game waits for its series"


def test_what_is_reached_comes_with_every_judged_cycle_and_the_ceiling_at_any_moment() -> None:
    pytest.importorskip("scipy")
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    begun = session.snapshot
    assert begun.ceiling == pytest.approx(0.952, abs=5e-4)
    assert begun.ceiling_with_waits == pytest.approx(0.958, abs=5e-4)
    session.handle(do.Play(40))
    snapshot = session.snapshot
    assert [each.cycle for each in snapshot.reached] == [1, 2, 3, 4]
    assert [(each.cycle, each.most) for each in snapshot.reached] == [*snapshot.nash_convs]
    assert all(each.least == each.most for each in snapshot.reached)
    session.handle(do.GoTo(25))
    past = some(session.snapshot.past)[0]
    assert past.reached == snapshot.reached[:2]
    assert (past.ceiling, past.ceiling_with_waits) == (begun.ceiling, begun.ceiling_with_waits)


def test_two_sessions_side_by_side_are_both_evaluated() -> None:
    original = Scenario.original()
    both = SideBySideSession(*(new_session(original, SHORT, seed) for seed in (1, 2)))
    assert [each.nash_conv for each in both.snapshot] == [None, None]
    both.idle()
    assert all(each.nash_conv for each in both.snapshot)
