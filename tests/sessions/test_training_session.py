"""A training session: its commands, paces, pieces and stops; its snapshots, also as JSON."""

import json
import tracemalloc
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui import STRATEGIES, Opener, Role, Scenario
from negotiation_tui.game.learned import WithPolicy
from negotiation_tui.game.learned_table import LARGE, SparseTable
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.learning import compiling, nash_conv_series
from negotiation_tui.learning.algorithms.wolf_phc import WolfPhc
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import Specs
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions import compiled_code, transcripts
from negotiation_tui.sessions.as_json import as_json
from negotiation_tui.sessions.exhibition import Exhibition
from negotiation_tui.sessions.paced_session import PUBLISH_EVERY
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.snapshot import Negotiation, Seating, Snapshot
from negotiation_tui.sessions.timeline import RunTimeline, TableCopies
from negotiation_tui.sessions.training_session import TrainingSession
from tests.support.game import compiled, own_of, some, values_of
from tests.support.recorded import HIDDEN as LOPSIDED
from tests.support.trainings import new_session, wait_until
from tests.support.user_strategies import STUBBORN, patient

ORIGINAL = Scenario.original()
PARAMETERS = Parameters(cycles=6, episodes=50)
MIDPOINT = "midpoint"


def new(parameters: Parameters = PARAMETERS) -> TrainingSession:
    return new_session(ORIGINAL, parameters, 11)


def snapshot_after(session: TrainingSession, *commands: do.Command) -> Snapshot:
    for command in commands:
        attempt(session, session.handle, command)
    return session.snapshot


def same(one: Snapshot, other: Snapshot) -> bool:
    return (
        (one.negotiations, one.negotiation) == (other.negotiations, other.negotiation)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and all(np.array_equal(table(one, role), table(other, role)) for role in Role)
    )


def table(snapshot: Snapshot, role: Role) -> NDArray[np.float64]:
    return np.asarray(values_of(snapshot.agents[role])[:])


def newest(snapshot: Snapshot) -> Negotiation:
    return some(snapshot.negotiation)


def run_out(session: TrainingSession) -> Snapshot:
    wait_until(lambda: session.step() == 0.0 and not session.running)
    return session.snapshot


def test_play_goes_on_by_so_many_and_to_the_end_of_the_cycle() -> None:
    session = new()
    assert session.snapshot.negotiation is None
    snapshot = snapshot_after(session, do.Play(), do.Play(56))
    assert (snapshot.negotiations, snapshot.status.handled) == (57, 2)
    played = newest(snapshot)
    assert (played.key, played.learners) == ((57, 0), (Role.BUYER,))
    assert played.epsilon == pytest.approx(0.1 + 0.9 * np.exp(-0.005))
    assert [snapshot_after(session, do.PlayCycle()).negotiations for _ in range(2)] == [100, 150]


PIECES: dict[str, tuple[do.Command, ...]] = {
    "uneven": (do.Play(1), do.Play(48), do.PlayCycle(), do.Play(100), do.Play(150)),
    "with a test between": (do.Play(70), do.Test(), do.SetOpener(Opener.ALTERNATE), do.Play(230)),
    "a run halted": (do.PlayOn(), do.Halt(), do.PlayCycle(), do.PlayOn()),
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_in_any_pieces_it_is_the_same_run(pieces: tuple[do.Command, ...]) -> None:
    session = new()
    snapshot_after(session, *pieces)
    snapshot = run_out(session)
    training = ConcurrentTraining(ORIGINAL, PARAMETERS, 11)
    training.run()
    assert (snapshot.finished, snapshot.negotiations) == (True, 300)
    assert np.array_equal(snapshot.statistics.counts, training.statistics.counts)
    assert np.array_equal([table(snapshot, role) for role in Role], training.q_tables)
    assert newest(snapshot).transcript == training.last_negotiation


def test_after_the_last_cycle_it_plays_what_was_learned() -> None:
    session = new()
    learned = snapshot_after(session, do.Play(300))
    assert (learned.finished, newest(learned).test) == (True, False)
    played = [newest(snapshot_after(session, do.Play())) for _ in range(4)]
    assert [negotiation.key for negotiation in played] == [(300, n) for n in range(1, 5)]
    assert [negotiation.transcript.opener for negotiation in played] == [*Role, *Role]
    for negotiation in played:
        assert (negotiation.test, negotiation.learners) == (True, ())
        for turn in negotiation.transcript.turns:
            row = table(learned, turn.role)[turn.state]
            legal = learned.scenario.legal_actions(turn.state, turn.role)
            assert row[turn.action] == max(row[action] for action in legal)
    assert session.snapshot.negotiations == 300
    assert np.array_equal(table(session.snapshot, Role.SELLER), table(learned, Role.SELLER))


def test_a_seat_too_large_for_a_table_stays_as_it_is() -> None:
    huge, midpoint = Scenario.from_dict({"prices": 1000, "rounds": 1000}), STRATEGIES[MIDPOINT]
    session = new_session(huge, PARAMETERS, 11, (MIDPOINT, MIDPOINT))
    refused = snapshot_after(session, do.TakeSeats(((Role.SELLER, None),)))
    assert "too large" in refused.status.notice
    assert refused.seating.strategies == (MIDPOINT, MIDPOINT)
    assert all(each.nothing for each in refused.agents)
    played = newest(snapshot_after(session, do.Play())).transcript
    assert played == negotiate(huge, midpoint, midpoint, Role.SELLER)
    assert snapshot_after(session, do.Save()).status.notice.startswith("nothing to save")


def test_a_test_changes_nothing_that_is_learned() -> None:
    session = new()
    before, after = snapshot_after(session, do.Play(130)), snapshot_after(session, do.Test())
    assert same(before, after)
    left_over = int(before.statistics.wallets[-1, Role.SELLER])
    seen = [(test.rule, test.totals.negotiations, test.left_over) for test in after.replies.tests]
    assert seen == [("corrected", 1000, 0), ("as-published", 1000, left_over)]


def test_a_test_of_the_past_is_the_one_that_could_have_been_made_then() -> None:
    then, now = new(), new()
    made = snapshot_after(then, do.Play(100), do.Test()).replies
    past = snapshot_after(now, do.Play(300), do.GoTo(100)).replies.past
    assert past is not None
    assert snapshot_after(now, do.Test(past[0])).replies.tests == made.tests
    assert snapshot_after(now, do.Test()).replies.tests != made.tests


def test_a_snapshot_is_for_ever() -> None:
    session = new()
    kept = snapshot_after(session, do.Play(20))
    counted = kept.statistics
    assert counted.last is not None
    arrays = [table(kept, Role.SELLER), table(kept, Role.BUYER), counted.rows, counted.last]
    copies = [array.copy() for array in arrays]
    for command in (do.Play(60), do.PlayOn(), do.Restart()):
        snapshot_after(session, command, do.Play(3))
        assert not same(run_out(session), kept)
    assert all(map(np.array_equal, arrays, copies))
    assert [array.flags.writeable for array in arrays] == [False] * 4


def test_moments_share_the_rows_of_their_statistics() -> None:
    session = new_session(Scenario.original(), Parameters(cycles=4000, episodes=1), 0)
    first = snapshot_after(session, do.Play(3000))
    second = snapshot_after(session, do.Play(1))
    assert len(second.statistics.counts) == 3001
    assert second.bytes_beyond(first) < first.statistics.rows.nbytes / 5


def test_a_paced_run_rests_until_the_next_snapshot() -> None:
    session = new_session(Scenario.original(), Parameters(cycles=10**6), 0)
    session.handle(do.PlayOn(1000))
    played = session.played
    assert 0.02 < session.step() <= PUBLISH_EVERY
    assert session.played == played, "it plays when a snapshot is due"


@pytest.mark.parametrize(("cycles", "seconds", "begins"), [(6, 60.0, False), (10**6, 0.0, True)])
def test_it_begins_to_compile_only_for_long_work(
    cycles: int, seconds: float, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(compiling, "seconds_to_compile", lambda *_: seconds)
    compiler = SimpleNamespace(done=None, begin=lambda: begun.append(1))
    monkeypatch.setattr(compiled_code, "BackgroundCompiler", lambda _: compiler)
    session = new(Parameters(cycles=cycles, episodes=200))
    for command in (do.Play(1), do.Play(20)):
        snapshot_after(session, command)
    assert not begun, "single negotiations say nothing of the speed"
    snapshot_after(session, do.PlayCycle())
    assert bool(begun) is begins


def test_an_earlier_moment_is_what_was_published_then() -> None:
    session = new()
    commands = do.Play(37), do.TakeSeats(((Role.BUYER, MIDPOINT),)), do.Play(40), do.PlayCycle()
    published = [snapshot_after(session, command) for command in commands]
    session.idle()
    played = session.snapshot
    for then in published[2:]:
        past, before = some(snapshot_after(session, do.GoTo(then.negotiations)).replies.past)
        assert some(before).negotiations == then.negotiations - 1
        assert same(past, then)
        assert (past.seating.strategies, past.opener) == (then.seating.strategies, then.opener)
        assert past.nash_convs == then.nash_convs
        assert [words for _, words in past.course.changes] == ["the buyer plays midpoint"]
        assert (past.course.now, [*past.course.stops]) == (past.negotiations, [*range(0, 301, 50)])
    assert same(session.snapshot, played), "the training stays as far as it is"


def test_what_static_strategies_play_is_no_training() -> None:
    static = new_session(ORIGINAL, PARAMETERS, 11, (MIDPOINT, MIDPOINT))
    played, seated = (
        snapshot_after(static, c) for c in (do.Play(20), do.TakeSeats(((Role.BUYER, None),)))
    )
    assert (played.negotiations, seated.negotiations) == (20, 0)
    session = new()
    learned = snapshot_after(session, do.Play(120))
    for role in Role:
        snapshot_after(session, do.TakeSeats(((role, MIDPOINT),)))
    shown = snapshot_after(session, do.Play(1000))
    assert newest(shown).key == (120, 1000)
    assert (shown.negotiations, shown.finished) == (120, False)
    assert shown.statistics.total == learned.statistics.total
    for role in Role:
        snapshot_after(session, do.TakeSeats(((role, None),)))
    straight = snapshot_after(new(), do.Play(130))
    again = snapshot_after(session, do.Play(10))
    assert same(replace(again, negotiation=straight.negotiation), straight)


def test_more_cycles_also_after_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = new()
    last = snapshot_after(session, do.Play(300))
    longer = snapshot_after(session, do.Play(10), do.Extend(4))
    assert (longer.finished, longer.parameters.cycles) == (False, 10)
    assert longer.status.notice == "4 cycles more: 10 cycles in all"
    then = snapshot_after(session, do.Play(150))
    snapshot_after(session, do.Save((last, then)))
    (saved,), (recording,) = tmp_path.glob("*.npz"), tmp_path.glob("*.jsonl")
    found = transcripts.read(recording)
    assert found.run.parameters == PARAMETERS, "those of the beginning"
    assert (found.episodes, found.run.changes[0][0], len(found.games)) == (450, 300, 2)
    assert load_tables(saved).parameters.cycles == 10
    assert len(load_tables(saved).statistics.counts) == 9
    done = snapshot_after(session, do.Play(1000))
    straight = snapshot_after(new(Parameters(cycles=10, episodes=50)), do.Play(500))
    assert same(replace(done, negotiation=straight.negotiation), straight)
    assert snapshot_after(session, do.Restart()).parameters == PARAMETERS


def test_training_that_would_be_lost_is_counted_until_it_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = new()
    assert session.snapshot.unsaved == 0
    lost = [snapshot_after(session, do.Play(100)).unsaved for _ in range(2)]
    assert 0 < lost[0] < lost[1]
    assert snapshot_after(session, do.Test()).unsaved == lost[1]
    assert snapshot_after(session, do.Save()).unsaved == 0
    assert snapshot_after(session, do.Play(), do.Restart()).unsaved == 0


def test_a_run_goes_to_the_end_in_growing_batches() -> None:
    session, batches = new(Parameters(cycles=200, episodes=100)), 0
    assert (session.running, session.step()) == (False, 0.0)
    session.handle(do.PlayOn())
    while session.running:
        assert session.step() == 0.0
        batches += 1
    assert (session.snapshot.negotiations, session.snapshot.status.per_second) == (20_000, None)
    assert 1 < batches < 2_000


def test_a_slow_run_plays_one_at_a_time_also_if_it_lags_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it obeys between two negotiations."""
    monkeypatch.chdir(tmp_path)
    slow = patient(f"__import__('time').sleep(0.02); {STUBBORN}", '["history"]')
    session, before = new_session(ORIGINAL, PARAMETERS, 11, (slow, slow)), 0
    session.handle(do.PlayOn(1000.0))
    while before < 4:
        session.step()
        assert session.played <= before + 1
        before = session.played


LIMITS = {"limits": [1, 10, 20, 30, 40, 50, 60]}
MANY_LIMITS = Scenario.from_dict({"prices": 61, "rounds": 8, "seller": LIMITS, "buyer": LIMITS})
RUN = Run(MANY_LIMITS, Parameters(cycles=2, episodes=100))


def test_a_session_takes_few_times_the_memory_of_its_tables() -> None:
    """Of lists, and with a copy of all tables per state and snapshot, it would take 20 times."""
    tables = sum(MANY_LIMITS.n_rows(role) * MANY_LIMITS.n_actions * 8 for role in Role)
    assert tables > 8 * LARGE
    tracemalloc.start()
    try:
        session = TrainingSession(RUN)
        first = session.snapshot
        session.handle(do.PlayCycle())
        now = session.snapshot
        present, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert first.agents[0] is not now.agents[0]
    assert present < 5 * tables


@pytest.mark.slow
def test_the_past_of_large_tables_is_equal_to_the_bit() -> None:
    moment, session, again = 160, TrainingSession(RUN), TrainingSession(RUN)
    session.handle(do.Play(200))
    session.handle(do.GoTo(moment))
    again.handle(do.Play(moment))
    then = some(session.snapshot.replies.past)[0]
    fast = ConcurrentTraining(RUN.scenario, RUN.parameters, RUN.seed, backend=compiled())
    fast.run_episodes(moment)
    for role in Role:
        table, played = (values_of(each.agents[role]) for each in (then, again.snapshot))
        assert isinstance(table, SparseTable)
        assert isinstance(played, SparseTable)
        assert table[:].any()
        assert table[:].tobytes() == played[:].tobytes() == fast.q_table(role).tobytes()


def test_tables_and_policies_are_copied_again_only_after_they_changed() -> None:
    training = ConcurrentTraining(ORIGINAL, PARAMETERS, 3, seller=WolfPhc("alternate"))
    copies = TableCopies(training)
    begun = [copies.of(role) for role in Role]
    training.run(1)
    seller, buyer = now = [copies.of(role) for role in Role]
    assert seller is not begun[0]
    assert buyer is begun[1], "the seller was trained"
    for role, copy in zip(Role, now, strict=True):
        assert copies.of(role) is copy
        values = values_of(copy)[:]
        assert not values.flags.writeable
        assert np.array_equal(values, training.q_table(role))
    assert not isinstance(buyer, WithPolicy), "greedy by the values"
    untouched = training.learned(Role.SELLER)
    assert np.array_equal(own_of(seller).probabilities, own_of(untouched).probabilities)
    training.run(1)
    assert copies.of(Role.SELLER) is seller, "the buyer was trained"
    assert copies.of(Role.BUYER) is not buyer
    training.seat(Role.SELLER, None)
    fresh = copies.of(Role.SELLER)
    assert not isinstance(fresh, WithPolicy)
    assert not values_of(fresh)[:].any(), "another learner begins untrained"


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
    session.handle(do.Play(100 * cycles))
    session.idle()
    return session.snapshot


def read_back(snapshot: Snapshot) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(json.dumps(as_json(snapshot)))
    return values


def test_they_say_how_far_the_training_is_and_the_best_entries_of_the_tables() -> None:
    snapshot = trained(ORIGINAL, cycles=3)
    values, table, scenario = (
        read_back(snapshot),
        values_of(snapshot.agents[Role.BUYER]),
        snapshot.scenario,
    )
    assert (values["seed"], values["cycle"], values["negotiations"]) == (7, 3, 300)
    assert Scenario.from_dict(values["scenario"]) == scenario
    assert values["nash_conv"]["total"] == some(snapshot.theory.nash_conv).total
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
    assert not {"reached", "ceiling"} & read_back(trained(ORIGINAL)).keys()


HIDDEN = Scenario.of("hidden")
SHORT = Parameters(cycles=4, episodes=10)

CHANGES = do.SetOpener(Opener.BUYER), do.TakeSeats(((Role.SELLER, "boulware"),))


def test_learners_of_a_large_game_are_judged_at_the_ends_of_some_cycles_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    assert session.snapshot.theory.nash_conv is None
    session.handle(do.PlayCycle())
    session.idle()
    found = session.snapshot.theory.nash_conv
    assert found
    assert session.snapshot.nash_convs == ((1, found.total),)
    session.handle(do.Play())
    session.idle()
    assert session.snapshot.theory.nash_conv is None
    session.handle(do.GoTo(10))
    past = some(session.snapshot.replies.past)[0]
    assert (past.nash_convs, past.theory.nash_conv) == (((1, found.total),), None)
    at_once = new_session(HIDDEN, SHORT, 1)
    assert [*at_once.training()]
    at_once.idle()
    assert [cycle for cycle, _ in at_once.snapshot.nash_convs] == [4]
    assert at_once.snapshot.theory.nash_conv is not None


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_judges_a_small_game_again(
    change: do.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(LOPSIDED, SHORT, 1)  # in a symmetric game either opener gives one sum
    session.handle(do.PlayCycle())
    session.idle()
    before = some(session.snapshot.theory.nash_conv)
    session.handle(change)
    session.idle()
    assert abs(some(session.snapshot.theory.nash_conv).total - before.total) > 0.01
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)
    session = new_session(HIDDEN, SHORT, 1)
    session.handle(do.PlayCycle())
    session.handle(change)
    session.idle()
    assert session.snapshot.theory.nash_conv is None, "a large game waits for its series"


def test_what_is_reached_comes_with_every_judged_cycle_and_the_ceiling_at_any_moment() -> None:
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    begun = session.snapshot
    session.handle(do.Play(40))
    snapshot = session.snapshot
    assert [each.cycle for each in snapshot.reached] == [1, 2, 3, 4]
    assert [(each.cycle, each.most) for each in snapshot.reached] == [*snapshot.nash_convs]
    assert all(each.least == each.most for each in snapshot.reached)
    session.handle(do.GoTo(25))
    past = some(session.snapshot.replies.past)[0]
    assert past.reached == snapshot.reached[:2]
    now, then = begun.theory, past.theory
    assert (then.ceiling, then.ceiling_with_waits) == (now.ceiling, now.ceiling_with_waits)
    pytest.importorskip("scipy")
    assert now.ceiling == pytest.approx(0.952, abs=5e-4)
    assert now.ceiling_with_waits == pytest.approx(0.958, abs=5e-4)
