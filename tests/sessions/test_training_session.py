"""The trainer told what to do step by step, and its thread."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.session_thread import SessionThread
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.registry import STRATEGIES

PARAMETERS = Parameters(cycles=6, episodes=50)
LONG = Parameters(episodes=10**8)
MIDPOINT = "midpoint"


def new(parameters: Parameters = PARAMETERS) -> TrainingSession:
    return TrainingSession(Scenario.original(), parameters, 11)


def told(trainer: TrainingSession, *commands: do.Command) -> Snapshot:
    for command in commands:
        trainer.handle(command)
    return trainer.snapshot


def same(one: Snapshot, other: Snapshot) -> bool:
    """Whether two snapshots show the same training to the bit."""
    return (
        (one.negotiations, one.negotiation) == (other.negotiations, other.negotiation)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and all(np.array_equal(table(one, role), table(other, role)) for role in Role)
    )


def table(snapshot: Snapshot, role: Role) -> NDArray[np.float64]:
    held = snapshot.q_tables[role]
    assert held is not None
    return held


def newest(snapshot: Snapshot) -> Negotiation:
    assert snapshot.negotiation is not None
    return snapshot.negotiation


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


def run_out(trainer: TrainingSession) -> Snapshot:
    wait_until(lambda: trainer.step() == 0.0 and not trainer.running)
    return trainer.snapshot


def test_play_goes_on_by_so_many_and_to_the_end_of_the_cycle() -> None:
    trainer = new()
    assert trainer.snapshot.negotiation is None
    snapshot = told(trainer, do.Play(), do.Play(56))
    assert (snapshot.negotiations, snapshot.handled) == (57, 2)
    played = newest(snapshot)
    assert (played.number, played.cycle, played.episode) == (57, 1, 6)
    assert (played.learner, played.test) == (Role.BUYER, False)
    assert played.epsilon == pytest.approx(0.1 + 0.9 * np.exp(-0.005))
    assert [told(trainer, do.PlayCycle()).negotiations for _ in range(2)] == [100, 150]


def test_a_run_works_until_it_is_halted() -> None:
    trainer = new(LONG)
    assert (trainer.running, trainer.step(), trainer.snapshot.negotiations) == (False, 0.0, 0)
    told(trainer, do.Run())
    while trainer.snapshot.negotiations < 100:
        assert (trainer.running, trainer.step()) == (True, 0.0)
    snapshot = told(trainer, do.Halt())
    assert (trainer.running, trainer.step(), snapshot.per_second) == (False, 0.0, None)
    assert trainer.snapshot is snapshot


def test_a_paced_run_keeps_its_pace() -> None:
    trainer, begun = new(LONG), time.perf_counter()
    trainer.handle(do.Run(200.0))
    wait_until(lambda: trainer.step() >= 0 and time.perf_counter() > begun + 0.3)
    most = 200 * (time.perf_counter() - begun)
    assert 0.3 * most <= told(trainer, do.Halt()).negotiations <= most


PIECES: dict[str, tuple[do.Command, ...]] = {
    "one by one": (do.Play(),) * 300,
    "uneven": (do.Play(1), do.Play(48), do.PlayCycle(), do.Play(100), do.Play(150)),
    "more than there is": (do.Play(1000),),
    "with a test between": (do.Play(70), do.Test(), do.SetOpener(Opener.ALTERNATE), do.Play(230)),
    "a run": (do.Play(3), do.Run()),
    "a run halted": (do.Run(), do.Halt(), do.PlayCycle(), do.Run()),
}


@pytest.mark.parametrize("pieces", PIECES.values(), ids=PIECES)
def test_in_any_pieces_it_is_the_same_run(pieces: tuple[do.Command, ...]) -> None:
    trainer = new()
    told(trainer, *pieces)
    snapshot = run_out(trainer)
    training = ConcurrentTraining(Scenario.original(), PARAMETERS, 11)
    training.run()
    assert (snapshot.finished, snapshot.negotiations) == (True, 300)
    assert np.array_equal(snapshot.statistics.counts, training.statistics.counts)
    assert np.array_equal([table(snapshot, role) for role in Role], training.q_tables)
    assert newest(snapshot).transcript == training.last_negotiation


def test_after_the_last_cycle_it_plays_what_was_learned() -> None:
    trainer = new()
    learned = told(trainer, do.Play(300))
    assert (learned.finished, newest(learned).test) == (True, False)
    played = [newest(told(trainer, do.Play())) for _ in range(4)]
    assert [negotiation.number for negotiation in played] == [301, 302, 303, 304]
    assert [negotiation.transcript.opener for negotiation in played] == [*Role, *Role]
    for negotiation in played:
        assert (negotiation.test, negotiation.learner) == (True, None)
        for turn in negotiation.transcript.turns:
            row = table(learned, turn.role)[turn.state]
            legal = learned.scenario.legal_actions(turn.state, turn.role)
            assert row[turn.action] == max(row[action] for action in legal)
    assert trainer.snapshot.negotiations == 300
    assert np.array_equal(table(trainer.snapshot, Role.SELLER), table(learned, Role.SELLER))


def test_a_seat_taken_in_the_middle_keeps_its_table() -> None:
    trainer = new()
    before = told(trainer, do.Play(120))
    taken = told(trainer, do.TakeSeat(Role.BUYER, MIDPOINT), do.Play(80))
    assert taken.strategies == (None, MIDPOINT)
    assert np.array_equal(table(taken, Role.BUYER), table(before, Role.BUYER))
    assert not np.array_equal(table(taken, Role.SELLER), table(before, Role.SELLER))
    back = told(trainer, do.TakeSeat(Role.BUYER, None), do.Play(100))
    assert back.strategies == (None, None)
    assert not np.array_equal(table(back, Role.BUYER), table(taken, Role.BUYER))


def test_a_seat_too_large_for_a_table_stays_as_it_is() -> None:
    huge, midpoint = Scenario.from_dict({"prices": 1000, "rounds": 1000}), STRATEGIES[MIDPOINT]
    trainer = TrainingSession(huge, PARAMETERS, 11, (MIDPOINT, MIDPOINT))
    refused = told(trainer, do.TakeSeat(Role.SELLER, None))
    assert "too large" in refused.notice
    assert (refused.strategies, refused.q_tables) == ((MIDPOINT, MIDPOINT), (None, None))
    played = newest(told(trainer, do.Play())).transcript
    assert played == negotiate(huge, midpoint, midpoint, Role.SELLER)
    assert told(trainer, do.Save()).notice.startswith("nothing to save")


@pytest.mark.parametrize("opener", [Opener.SELLER, Opener.BUYER])
def test_the_opener_can_be_changed(opener: Opener) -> None:
    trainer = new()
    assert told(trainer, do.SetOpener(opener)).opener is opener
    played = [newest(told(trainer, do.Play())).transcript.opener for _ in range(4)]
    assert played == [opener.role()] * 4


def test_a_test_changes_nothing_that_is_learned() -> None:
    trainer = new()
    before, after = told(trainer, do.Play(130)), told(trainer, do.Test())
    assert same(before, after)
    left_over = int(before.statistics.wallets[-1, Role.SELLER])
    seen = [(test.rule, test.totals.negotiations, test.left_over) for test in after.tests]
    assert seen == [("corrected", 1000, 0), ("as-published", 1000, left_over)]


def test_save_never_overwrites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trainer, written = new(), dict[str, bytes]()
    for commands in ([do.Play(9), do.Save()], [do.Save()], [do.Play(1), do.Save()]):
        name = told(trainer, *commands).notice.removeprefix("saved tables to ")
        written[name] = (tmp_path / name).read_bytes()
        assert np.array_equal(load_tables(name).q_tables[0], table(trainer.snapshot, Role.SELLER))
    assert len(written) == 3
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == written


def test_restart_gives_the_same_run_again() -> None:
    trainer = new()
    first = told(trainer, do.Play(130), do.Test())
    again = told(trainer, do.Run(), do.Restart())
    assert (again.negotiations, again.negotiation, again.tests) == (0, None, ())
    assert not trainer.running
    assert not table(again, Role.SELLER).any()
    second = told(trainer, do.Play(100), do.Play(30), do.Test())
    assert newest(second).number > newest(first).number, "it is told from the one before"
    number = newest(first).number
    assert same(first, replace(second, negotiation=replace(newest(second), number=number)))
    assert second.tests == first.tests


@pytest.mark.parametrize("command", [do.Play(60), do.Run(), do.Restart()])
def test_a_snapshot_is_for_ever(command: do.Command) -> None:
    trainer = new()
    kept = told(trainer, do.Play(20))
    arrays = [table(kept, Role.SELLER), table(kept, Role.BUYER), kept.statistics.counts]
    copies = [array.copy() for array in arrays]
    told(trainer, command, do.Play(3))
    assert not same(run_out(trainer), kept)
    assert all(map(np.array_equal, arrays, copies))
    assert [array.flags.writeable for array in arrays] == [False] * 3


def test_a_thread_carries_out_commands_in_order_until_closed() -> None:
    commands = (do.Play(3), do.PlayCycle(), do.Test(), do.SetOpener(Opener.BUYER), do.Play(2))
    thread = SessionThread(new())
    for command in commands:
        thread.send(command)
    wait_until(lambda: thread.latest.handled == 5)
    assert same(thread.latest, told(new(), *commands))
    thread.close()
    thread.send(do.Play())
    time.sleep(0.05)
    assert (thread.latest.handled, thread.failure) == (5, None)


def test_a_thread_runs_on_and_still_hears() -> None:
    thread = SessionThread(new(LONG))
    thread.send(do.Run())
    wait_until(lambda: thread.latest.negotiations > 1000)
    thread.send(do.Halt())
    wait_until(lambda: thread.latest.handled == 2)
    halted = thread.latest
    time.sleep(0.05)
    assert thread.latest.negotiations == halted.negotiations
    assert thread.failure is None
    thread.close()


def test_a_thread_that_fails_says_so() -> None:
    thread = SessionThread(new())
    thread.send(do.TakeSeat(Role.SELLER, 3))  # type: ignore[arg-type]
    wait_until(lambda: thread.failure is not None)
    assert isinstance(thread.failure, AttributeError)
    thread.send(do.Play())
    thread.close()
    assert thread.latest.negotiations == 0
