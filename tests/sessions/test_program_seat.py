"""A program in a seat of a session: nothing waits for it but the negotiation."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions import transcripts
from negotiation_tui.sessions.replay_session import ReplaySession
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.session import SessionThread, attempt
from negotiation_tui.sessions.side_by_side_session import SideBySideSession, To
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.negotiation.words import said
from tests.support.programs import SILENT, TALKER
from tests.support.trainings import new_session, wait_until

PARAMETERS = Parameters(cycles=2, episodes=6)


def new(seller: str, opener: Opener = Opener.BUYER) -> TrainingSession:
    return new_session(Scenario.original(), PARAMETERS, 5, (seller, None), opener)


@contextmanager
def served(session: TrainingSession | SideBySideSession) -> Iterator[SessionThread]:
    thread = SessionThread(session)
    yield thread
    begun = time.monotonic()
    thread.close()
    assert time.monotonic() - begun < 1  # the program was not waited for
    assert thread.failure is None


def published(thread: SessionThread, wanted: Callable[[Snapshot], object]) -> Snapshot:
    """Wait for a snapshot."""
    wait_until(lambda: wanted(thread.latest))
    snapshot: Snapshot = thread.latest
    return snapshot


@pytest.mark.parametrize("command", [do.Run(), do.Play(), do.PlayCycle(), do.Sit(Role.BUYER)])
def test_a_session_ends_while_a_program_thinks(command: do.Command) -> None:
    opener = Opener.SELLER if isinstance(command, do.Sit) else Opener.BUYER
    with served(new(SILENT, opener)) as thread:
        thread.send(command)
        if isinstance(command, do.Sit):
            published(thread, lambda now: now.negotiation)
            thread.send(do.Act(0))
        assert published(thread, lambda now: now.thinking).thinking == (Role.SELLER, 0)


def test_a_run_is_halted_while_a_program_thinks_and_other_commands_keep_their_order() -> None:
    with served(new(SILENT)) as thread:
        thread.send(do.Run())
        published(thread, lambda now: now.thinking and now.handled == 1)
        thread.send(do.Halt())
        published(thread, lambda now: now.thinking and now.handled == 2)
        thread.send(do.SetOpener(Opener.SELLER))
        thread.send(do.Run(4.0))
        thread.send(do.Halt())
        waiting = published(thread, lambda now: now.thinking == (Role.SELLER, 1))
        assert (waiting.handled, waiting.opener) == (2, Opener.BUYER)


def test_a_command_ends_a_cycle_of_a_program_early() -> None:
    with served(new(TALKER)) as thread:
        thread.send(do.PlayCycle())
        thread.send(do.Save())
        now = published(thread, lambda now: now.handled == 2)
        assert now.negotiations < PARAMETERS.episodes
        thread.send(do.PlayCycle())
        assert published(thread, lambda now: now.handled == 3).negotiations == PARAMETERS.episodes


def test_the_move_of_a_person_is_shown_before_the_answer() -> None:
    with served(new(SILENT, Opener.SELLER)) as thread:
        thread.send(do.Sit(Role.BUYER))
        published(thread, lambda now: now.negotiation)
        thread.send(do.Act(0))
        now = published(thread, lambda now: now.thinking)
        assert now.negotiation
        assert str(now.negotiation.transcript) == "seller: 4 1"
        assert now.handled == 1


def test_a_person_who_sits_before_there_is_a_screen_need_not_wait_for_the_opening() -> None:
    session = new(TALKER, Opener.SELLER)
    session.handle(do.Sit(Role.BUYER))
    assert session.snapshot.score
    assert session.snapshot.negotiation is None
    with served(session) as thread:
        now = published(thread, lambda now: now.negotiation)
        assert now.negotiation
        assert str(now.negotiation.transcript) == "seller: 4"


def test_one_of_two_sessions_thinks() -> None:
    with served(SideBySideSession(new(SILENT), new(TALKER))) as thread:
        thread.send(To(0, do.Play()))
        wait_until(lambda: thread.latest[0].thinking)
        assert thread.latest[1].thinking is None


def test_answers_are_counted_by_state() -> None:
    session = new(TALKER)
    session.handle(do.PlayCycle())
    found, table = session.snapshot.answers
    assert table is None
    assert found is not None
    accepted = found.halves[0, :, found.scenario.accept].nonzero()[0].tolist()
    assert {found.scenario.state_label(row)[-1] for row in accepted} == {"1"}
    session.handle(do.TakeSeat(Role.SELLER, "tit-for-tat"))
    now = session.snapshot.answers[0]
    assert now is not None
    assert not now.halves.any()


def test_a_program_that_does_not_start_ends_the_session() -> None:
    session = new(f"cmd:{sys.executable} -c pass")
    with pytest.raises(BadInputError, match="expected ready"):
        attempt(session, session.handle, do.Play())


def test_any_other_refusal_before_the_first_negotiation_is_a_notice() -> None:
    session = new(TALKER)
    session.report(OSError("no room"))
    assert "no room" in session.snapshot.notice


def test_a_replay_counts_the_same_answers_without_the_program(tmp_path: Path) -> None:
    session = record_to(new(TALKER), tmp_path / "talks.jsonl")
    for _ in range(4):
        session.handle(do.Play())
    replay = ReplaySession(transcripts.read(tmp_path / "talks.jsonl"))
    for moment, same in ((4, True), (2, False), (4, True)):
        replay.handle(do.GoTo(moment))
        found, played = replay.snapshot.answers[0], session.snapshot.answers[0]
        assert found is not None
        assert played is not None
        assert (found.halves == played.halves).all() == same
    assert replay.snapshot.negotiation
    assert said(replay.snapshot.negotiation.transcript) == (Role.SELLER, "Done.")
