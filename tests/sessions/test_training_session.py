"""A training session: its commands, snapshots, paces, pieces and stops."""

import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui import STRATEGIES, Opener, Role, Scenario
from negotiation_tui.game.learned_table import LARGE, SparseTable
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions import training_session, transcripts
from negotiation_tui.sessions.commands import GoTo, Play, PlayCycle
from negotiation_tui.sessions.session import SessionThread, attempt
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from tests.support.game import compiled, some
from tests.support.trainings import new_session, wait_until
from tests.support.user_strategies import STUBBORN, patient

PARAMETERS = Parameters(cycles=6, episodes=50)
MIDPOINT = "midpoint"


def new(parameters: Parameters = PARAMETERS) -> TrainingSession:
    return new_session(Scenario.original(), parameters, 11)


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
    q_table = snapshot.q_tables[role]
    assert q_table is not None
    return np.asarray(q_table[:])


def newest(snapshot: Snapshot) -> Negotiation:
    return some(snapshot.negotiation)


def run_out(session: TrainingSession) -> Snapshot:
    wait_until(lambda: session.step() == 0.0 and not session.running)
    return session.snapshot


def test_play_goes_on_by_so_many_and_to_the_end_of_the_cycle() -> None:
    session = new()
    assert session.snapshot.negotiation is None
    snapshot = snapshot_after(session, do.Play(), do.Play(56))
    assert (snapshot.negotiations, snapshot.handled) == (57, 2)
    played = newest(snapshot)
    assert (played.number, played.cycle, played.episode) == (57, 1, 6)
    assert (played.learner, played.test) == (Role.BUYER, False)
    assert played.epsilon == pytest.approx(0.1 + 0.9 * np.exp(-0.005))
    assert [snapshot_after(session, do.PlayCycle()).negotiations for _ in range(2)] == [100, 150]


PIECES: dict[str, tuple[do.Command, ...]] = {
    "uneven": (do.Play(1), do.Play(48), do.PlayCycle(), do.Play(100), do.Play(150)),
    "with a test between": (do.Play(70), do.Test(), do.SetOpener(Opener.ALTERNATE), do.Play(230)),
    "a run halted": (do.Run(), do.Halt(), do.PlayCycle(), do.Run()),
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_in_any_pieces_it_is_the_same_run(pieces: tuple[do.Command, ...]) -> None:
    session = new()
    snapshot_after(session, *pieces)
    snapshot = run_out(session)
    training = ConcurrentTraining(Scenario.original(), PARAMETERS, 11)
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
    assert [negotiation.number for negotiation in played] == [301, 302, 303, 304]
    assert [negotiation.transcript.opener for negotiation in played] == [*Role, *Role]
    for negotiation in played:
        assert (negotiation.test, negotiation.learner) == (True, None)
        for turn in negotiation.transcript.turns:
            row = table(learned, turn.role)[turn.state]
            legal = learned.scenario.legal_actions(turn.state, turn.role)
            assert row[turn.action] == max(row[action] for action in legal)
    assert session.snapshot.negotiations == 300
    assert np.array_equal(table(session.snapshot, Role.SELLER), table(learned, Role.SELLER))


def test_a_seat_too_large_for_a_table_stays_as_it_is() -> None:
    huge, midpoint = Scenario.from_dict({"prices": 1000, "rounds": 1000}), STRATEGIES[MIDPOINT]
    session = new_session(huge, PARAMETERS, 11, (MIDPOINT, MIDPOINT))
    refused = snapshot_after(session, do.TakeSeat(Role.SELLER, None))
    assert "too large" in refused.notice
    assert (refused.strategies, refused.q_tables) == ((MIDPOINT, MIDPOINT), (None, None))
    played = newest(snapshot_after(session, do.Play())).transcript
    assert played == negotiate(huge, midpoint, midpoint, Role.SELLER)
    assert snapshot_after(session, do.Save()).notice.startswith("nothing to save")


def test_the_opener_can_be_changed() -> None:
    session = new()
    for opener in (Opener.SELLER, Opener.BUYER):
        assert snapshot_after(session, do.SetOpener(opener)).opener is opener
        played = [newest(snapshot_after(session, do.Play())).transcript.opener for _ in range(3)]
        assert played == [opener.role()] * 3


def test_a_test_changes_nothing_that_is_learned() -> None:
    session = new()
    before, after = snapshot_after(session, do.Play(130)), snapshot_after(session, do.Test())
    assert same(before, after)
    left_over = int(before.statistics.wallets[-1, Role.SELLER])
    seen = [(test.rule, test.totals.negotiations, test.left_over) for test in after.tests]
    assert seen == [("corrected", 1000, 0), ("as-published", 1000, left_over)]


def test_restart_gives_the_same_run_again() -> None:
    session = new()
    first = snapshot_after(session, do.Play(130), do.Test())
    again = snapshot_after(session, do.Run(), do.Restart())
    assert (again.negotiations, again.negotiation, again.tests) == (0, None, ())
    assert (again.notice, again.notices, again.handled) == ("restarted with seed 11", 1, 4)
    assert not session.running
    assert not table(again, Role.SELLER).any()
    second = snapshot_after(session, do.Play(100), do.Play(30), do.Test())
    assert newest(second).number > newest(first).number, "it is told from the one before"
    number = newest(first).number
    assert same(first, replace(second, negotiation=replace(newest(second), number=number)))
    assert second.tests == first.tests


def test_a_snapshot_is_for_ever() -> None:
    session = new()
    kept = snapshot_after(session, do.Play(20))
    arrays = [table(kept, Role.SELLER), table(kept, Role.BUYER), kept.statistics.counts]
    copies = [array.copy() for array in arrays]
    for command in (do.Play(60), do.Run(), do.Restart()):
        snapshot_after(session, command, do.Play(3))
        assert not same(run_out(session), kept)
    assert all(map(np.array_equal, arrays, copies))
    assert [array.flags.writeable for array in arrays] == [False] * 3


def test_a_thread_carries_out_commands_in_order_until_closed() -> None:
    commands = (do.Play(3), do.PlayCycle(), do.Test(), do.SetOpener(Opener.BUYER), do.Play(2))
    thread = SessionThread(new())
    for command in commands:
        thread.send(command)
    wait_until(lambda: thread.latest.handled == 5)
    assert same(thread.latest, snapshot_after(new(), *commands))
    thread.close()
    thread.send(do.Play())
    time.sleep(0.02)
    assert (thread.latest.handled, thread.failure) == (5, None)


def test_a_thread_that_fails_says_so() -> None:
    thread = SessionThread(new())
    thread.send(do.TakeSeat(Role.SELLER, 3))  # type: ignore[arg-type]
    wait_until(lambda: thread.failure is not None)
    assert isinstance(thread.failure, AttributeError)
    thread.send(do.Play())
    thread.close()
    assert thread.latest.negotiations == 0


@pytest.mark.parametrize(("cycles", "seconds", "begins"), [(6, 60.0, False), (10**6, 0.0, True)])
def test_it_begins_to_compile_only_for_long_work(
    cycles: int, seconds: float, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(training_session, "seconds_to_compile", lambda *_: seconds)
    compiler = SimpleNamespace(done=None, begin=lambda: begun.append(1))
    monkeypatch.setattr(training_session, "BackgroundCompiler", lambda _: compiler)
    session = new(Parameters(cycles=cycles, episodes=200))
    for command in (do.Play(1), do.Play(20)):
        snapshot_after(session, command)
    assert not begun, "single negotiations say nothing of the speed"
    snapshot_after(session, do.PlayCycle())
    assert bool(begun) is begins


def test_an_earlier_moment_is_what_was_published_then() -> None:
    session = new()
    commands = do.Play(37), do.TakeSeat(Role.BUYER, MIDPOINT), do.Play(40), do.PlayCycle()
    published = [snapshot_after(session, command) for command in commands]
    session.idle()
    played = session.snapshot
    for then in published[1:]:
        past, before = some(snapshot_after(session, do.GoTo(then.negotiations)).past)
        assert some(before).negotiations == then.negotiations - 1
        assert same(past, then)
        assert (past.strategies, past.opener) == (then.strategies, then.opener)
        assert past.nash_convs == then.nash_convs
        assert [words for _, words in past.course.changes] == ["the buyer plays midpoint"]
        assert (past.course.now, [*past.course.stops]) == (past.negotiations, [*range(0, 301, 50)])
    assert same(session.snapshot, played), "the training stays as far as it is"


def test_what_static_strategies_play_is_no_training() -> None:
    static = new_session(Scenario.original(), PARAMETERS, 11, (MIDPOINT, MIDPOINT))
    played, seated = (
        snapshot_after(static, c) for c in (do.Play(20), do.TakeSeat(Role.BUYER, None))
    )
    assert (played.negotiations, seated.negotiations) == (20, 0)
    session = new()
    learned = snapshot_after(session, do.Play(120))
    for role in Role:
        snapshot_after(session, do.TakeSeat(role, MIDPOINT))
    shown = snapshot_after(session, do.Play(1000))
    assert (newest(shown).test, newest(shown).number) == (True, 1120)
    assert (shown.negotiations, shown.finished) == (120, False)
    assert shown.statistics.total == learned.statistics.total
    for role in Role:
        snapshot_after(session, do.TakeSeat(role, None))
    straight = snapshot_after(new(), do.Play(130))
    again = snapshot_after(session, do.Play(10))
    assert same(replace(again, negotiation=straight.negotiation), straight)


def test_more_cycles_also_after_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session = new()
    last = snapshot_after(session, do.Play(300))
    longer = snapshot_after(session, do.Play(10), do.Extend(4))
    assert (longer.finished, longer.parameters.cycles) == (False, 10)
    assert longer.notice == "4 cycles more: 10 cycles in all"
    then = snapshot_after(session, do.Play(150))
    snapshot_after(session, do.Save((last, then)))
    (saved,), (recording,) = tmp_path.glob("*.npz"), tmp_path.glob("*.jsonl")
    lines = transcripts.read(recording)
    assert lines.parameters == PARAMETERS, "those of the beginning"
    assert (lines.damage, [line.parameters.cycles for line in lines.entries]) == ("", [6, 10])
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
    session.handle(do.Run())
    while session.running:
        assert session.step() == 0.0
        batches += 1
    assert (session.snapshot.negotiations, session.snapshot.per_second) == (20_000, None)
    assert 1 < batches < 2_000


def test_a_run_that_is_ahead_of_its_pace_rests() -> None:
    session, begun = new(), time.perf_counter()
    session.handle(do.Run(100.0))
    while time.perf_counter() < begun + 0.2:
        session.step()
    assert 0 < session.played <= 100 * (time.perf_counter() - begun)
    session.handle(do.Run(1e-9))
    assert session.step() > 0, "seconds to rest, for nothing is due"


def test_a_slow_run_plays_one_at_a_time_also_if_it_lags_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it obeys between two negotiations."""
    monkeypatch.chdir(tmp_path)
    slow = patient(f"__import__('time').sleep(0.02); {STUBBORN}", '["history"]')
    session, before = new_session(Scenario.original(), PARAMETERS, 11, (slow, slow)), 0
    session.handle(do.Run(1000.0))
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
        session.handle(PlayCycle())
        now = session.snapshot
        present, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert first.q_tables[0] is not now.q_tables[0]
    assert present < 5 * tables


def test_the_past_of_large_tables_is_equal_to_the_bit() -> None:
    moment, session, again = 160, TrainingSession(RUN), TrainingSession(RUN)
    session.handle(Play(200))
    session.handle(GoTo(moment))
    again.handle(Play(moment))
    then = some(session.snapshot.past)[0]
    fast = ConcurrentTraining(RUN.scenario, RUN.parameters, RUN.seed, backend=compiled())
    fast.run_episodes(moment)
    for role in Role:
        table, played = then.q_tables[role], again.snapshot.q_tables[role]
        assert isinstance(table, SparseTable)
        assert isinstance(played, SparseTable)
        assert table[:].any()
        assert table[:].tobytes() == played[:].tobytes() == fast.q_table(role).tobytes()
