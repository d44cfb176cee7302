"""Sessions go on: while a program thinks, and after a command that cannot be carried out."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui import STRATEGIES, BadInputError, Opener, Role, Scenario, strategy
from negotiation_tui.game.negotiation import IllegalActionError, Player, Transcript
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.session import SessionThread, attempt
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import tabulable, tabulate
from negotiation_tui.strategies.matchup import ready_players
from tests.sessions.test_market_session import market
from tests.support.game import RandomPlayer, roles, scenarios, seeds, some
from tests.support.programs import SILENT, TALKER
from tests.support.trainings import new_session, wait_until
from tests.support.user_strategies import patient

ORIGINAL = Scenario.original()
PARAMETERS = Parameters(cycles=2, episodes=6)


def new(seller: str, opener: Opener = Opener.BUYER) -> TrainingSession:
    return new_session(ORIGINAL, PARAMETERS, 5, (seller, None), opener)


@contextmanager
def served(session: TrainingSession) -> Iterator[SessionThread]:
    thread = SessionThread(session)
    yield thread
    begun = time.monotonic()
    thread.close()
    assert time.monotonic() - begun < 1  # the program was not waited for
    assert thread.failure is None


def published(thread: SessionThread, wanted: Callable[[Snapshot], object]) -> Snapshot:
    wait_until(lambda: wanted(thread.latest))
    snapshot: Snapshot = thread.latest
    return snapshot


@pytest.mark.parametrize("command", [do.PlayOn(), do.Play(), do.PlayCycle()])
def test_a_session_ends_while_a_program_thinks(command: do.Command) -> None:
    with served(new(SILENT)) as thread:
        thread.send(command)
        assert published(thread, lambda now: now.thinking).thinking == (Role.SELLER, 0)


def test_a_run_is_halted_while_a_program_thinks_and_other_commands_keep_their_order() -> None:
    with served(new(SILENT)) as thread:
        thread.send(do.PlayOn())
        published(thread, lambda now: now.thinking and now.status.handled == 1)
        thread.send(do.Halt())
        published(thread, lambda now: now.thinking and now.status.handled == 2)
        thread.send(do.SetOpener(Opener.SELLER))
        thread.send(do.PlayOn(4.0))
        thread.send(do.Halt())
        waiting = published(thread, lambda now: now.thinking == (Role.SELLER, 1))
        assert (waiting.status.handled, waiting.opener) == (2, Opener.BUYER)


def test_a_command_ends_a_cycle_of_a_program_early() -> None:
    with served(new(TALKER)) as thread:
        thread.send(do.PlayCycle())
        thread.send(do.Save())
        now = published(thread, lambda now: now.status.handled == 2)
        assert now.negotiations < PARAMETERS.episodes
        thread.send(do.PlayCycle())
        cycle = published(thread, lambda now: now.status.handled == 3)
        assert cycle.negotiations == PARAMETERS.episodes


def test_the_move_of_a_person_is_shown_before_the_answer() -> None:
    with served(new(SILENT, Opener.SELLER)) as thread:
        thread.send(do.Sit(Role.BUYER))
        published(thread, lambda now: now.negotiation)
        thread.send(do.Act(0))
        now = published(thread, lambda now: now.thinking)
        assert str(some(now.negotiation).transcript) == "seller: 4 1"
        assert (now.status.handled, now.thinking) == (1, (Role.SELLER, 0))


def test_a_person_who_sits_before_there_is_a_screen_need_not_wait_for_the_opening() -> None:
    session = new(TALKER, Opener.SELLER)
    session.handle(do.Sit(Role.BUYER))
    assert session.snapshot.score
    assert session.snapshot.negotiation is None
    with served(session) as thread:
        now = published(thread, lambda now: now.negotiation)
        assert str(some(now.negotiation).transcript) == "seller: 4"


def test_answers_are_counted_by_state() -> None:
    session = new(TALKER)
    session.handle(do.PlayCycle())
    answers, table = session.snapshot.answers
    found = some(answers)
    assert table is None
    accepted = found.halves[0, :, found.scenario.accept].nonzero()[0].tolist()
    assert {found.scenario.state_label(row)[-1] for row in accepted} == {"1"}
    session.handle(do.TakeSeats(((Role.SELLER, "tit-for-tat"),)))
    assert not some(session.snapshot.answers[0]).halves.any()


def test_a_program_that_does_not_start_ends_the_session_and_other_refusals_are_notices() -> None:
    session = new(f"cmd:{sys.executable} -c pass")
    session.report(OSError("no room"))
    assert "no room" in session.snapshot.status.notice
    with pytest.raises(BadInputError, match="expected ready"):
        attempt(session, session.handle, do.Play())


HIDDEN = Scenario.of("hidden")
opponents = st.sampled_from([*sorted(STRATEGIES), "boulware:accept=combi"])


def opponent_of(scenario: Scenario, role: Role, words: str) -> Player:
    """Return the player of a spec as a session does: a table if it has one."""
    opponent = strategy(words)
    if words == "best-response":  # to the learner's policy in the person's seat
        untrained = untrained_policy(scenario, role.other)
        pair = (opponent, untrained) if role is Role.SELLER else (untrained, opponent)
        return ready_players(scenario, *pair)[role]
    return tabulate(scenario, role, opponent) if tabulable(scenario, opponent) else opponent


def play(seat: HumanPlayer, role: Role, opener: Role, you: Player, seed: int) -> Transcript:
    rng, transcript = np.random.default_rng(seed), seat.new_negotiation(opener)
    while (position := transcript.position) is not None:
        assert position.role is role
        transcript = seat.answered(transcript.followed_by(int(you.act(position, rng))))
    return transcript


@given(
    scenario=scenarios(6, 4) | st.just(HIDDEN), role=roles, words=opponents, seed=seeds,
    data=st.data(),
)  # fmt: skip
def test_the_score_adds_up(
    scenario: Scenario, role: Role, words: str, seed: int, data: st.DataObject
) -> None:
    """A best response has the hidden limit of its role, and not the other's."""
    opponent = opponent_of(scenario, role.other, words)
    seat = HumanPlayer(scenario, role, opponent, np.random.default_rng(seed))
    openers = data.draw(st.lists(roles, min_size=1, max_size=6))
    played = [play(seat, role, opener, RandomPlayer(), seed) for opener in openers]
    ends = [(each.scenario, each.outcome.price) for each in played]
    rewards = [each.reward(role) for each in played]
    deals = [price for _, price in ends if price is not None]
    possible = sum(game.zopa is not None and len(game.possible_deals) > 0 for game, _ in ends)
    score = seat.score
    assert (score.role, score.negotiations, score.deals) == (role, len(openers), len(deals))
    assert (score.possible, some(score.last).share) == (possible, rewards[-1])
    assert score.wallet == (sum(deals) if role is Role.SELLER else -sum(deals))
    assert score.earned == pytest.approx(sum(rewards))
    if isinstance(opponent, TabularPolicy):
        interim = best_response(scenario, role, opponent, discount_rate=1.0).interim
        best = [interim[each.opener, each.scenario.indices[role]] for each in played]
        assert score.expected == pytest.approx(sum(best))
        assert some(score.last).best == best[-1]
    else:
        assert (score.expected, some(score.last).best) == (None, None)


def test_nothing_is_counted_before_the_end() -> None:
    opponent = opponent_of(ORIGINAL, Role.SELLER, "hardliner")
    seat = HumanPlayer(ORIGINAL, Role.BUYER, opponent, np.random.default_rng(0))
    transcript = seat.new_negotiation(Role.SELLER)
    assert [turn.role for turn in transcript.turns] == [Role.SELLER]
    begun = seat.new_negotiation(Role.BUYER)
    assert begun.turns == ()
    with pytest.raises(IllegalActionError):
        seat.answered(begun.followed_by(ORIGINAL.accept))
    assert (seat.score.negotiations, seat.score.last) == (0, None)


@pytest.mark.parametrize("role", Role)
def test_limits_are_drawn_alike_whatever_the_moves(role: Role) -> None:
    opponent, drawn = tabulate(HIDDEN, role.other, strategy("boulware")), []
    for you in (RandomPlayer(), strategy("midpoint")):
        seat = HumanPlayer(HIDDEN, role, opponent, np.random.default_rng(3))
        played = [play(seat, role, opener, you, 1) for opener in [*Role] * 4]
        drawn.append([transcript.scenario.indices for transcript in played])
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) > 3


FAILING = 'raise OSError("no answer")'


def training(
    scenario: Scenario = ORIGINAL, seller: str | None = None, seed: int = 7
) -> TrainingSession:
    return new_session(scenario, Parameters(), seed, (seller, None))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "working"
    place.mkdir()
    monkeypatch.chdir(place)
    yield place
    os.chdir(tmp_path)


def sent(thread: SessionThread, *commands: object) -> Snapshot:
    handled = thread.latest.status.handled + len(commands)
    for command in commands:
        thread.send(command)
    wait_until(lambda: thread.failure is not None or thread.latest.status.handled >= handled)
    assert thread.failure is None
    snapshot: Snapshot = thread.latest
    return snapshot


@pytest.mark.parametrize("name", ["é€" * 150, "../a/b\\c:d", ".."])
def test_any_name_of_a_scenario_can_be_saved(folder: Path, name: str) -> None:
    seed = 7 if os.name == "nt" else 10**100  # Windows allows 260 characters for a whole path
    thread = SessionThread(training(replace(ORIGINAL, name=name), seed=seed))
    for number in (1, 2):
        notice = sent(thread, do.Play(), do.Save()).status.notice
        assert notice.startswith("saved tables to ")
        path = folder / notice.removeprefix("saved tables to ")
        assert path.parent == folder
        assert load_tables(path).scenario.name == name
        assert len(list(folder.iterdir())) == number
    thread.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows asks for rights to make a link")
def test_a_save_never_writes_through_a_link(folder: Path) -> None:
    target, room = folder.parent / "target", MarketSession(lambda: market("steps=100"))
    sessions: dict[str, TrainingSession | MarketSession] = {
        "original-seed7-after0": training(), "market-original-seed3-tick0": room
    }  # fmt: skip
    for name, session in sessions.items():
        (folder / f"{name}.npz").symlink_to(target)
        thread = SessionThread(session)
        assert f"{name}-2.npz" in sent(thread, do.Save()).status.notice
        thread.close()
        assert not target.exists()
        assert (folder / f"{name}.npz").is_symlink()
        assert (folder / f"{name}-2.npz").stat().st_size


@pytest.mark.skipif(os.name == "nt", reason="keeps a working directory")
def test_without_a_working_directory_nothing_is_saved_and_nothing_lost(folder: Path) -> None:
    thread = SessionThread(training())
    folder.rmdir()
    assert "No such file or directory" in sent(thread, do.Play(9), do.Save()).status.notice
    assert sent(thread, do.Play(9)).negotiations == 18
    thread.close()


@pytest.mark.parametrize("command", [do.Restart(), do.TakeSeats(((Role.BUYER, "own.py"),))])
def test_a_strategy_whose_file_is_gone(folder: Path, command: do.Command) -> None:
    thread = SessionThread(training(seller=patient()))
    before = sent(thread, do.Play(9))
    Path("own.py").unlink()
    assert before.negotiation is not None
    asked = sent(thread, do.WhatIf(before, before.negotiation, 0, 1))
    assert asked.replies.what_if  # the strategy that sits answers
    assert not asked.status.notice
    after = sent(thread, command)
    assert "own.py" in after.status.notice
    assert (after.seating.strategies, after.negotiations) == (before.seating.strategies, 9)
    assert sent(thread, do.Play(9)).negotiations == 18
    thread.close()


def test_a_strategy_that_fails_ends_the_run_and_can_be_replaced(folder: Path) -> None:
    thread = SessionThread(training(seller=patient(FAILING, depends_on='["history"]')))
    assert sent(thread, do.PlayOn()).negotiations == 0
    wait_until(lambda: "no answer" in thread.latest.status.notice)
    after = sent(thread, do.TakeSeats(((Role.SELLER, "linear"),)), do.Play(9))
    assert (after.negotiations, after.status.per_second) == (9, None)
    thread.close()


def test_a_recording_that_cannot_go_on_ends_with_a_notice(folder: Path) -> None:
    path = folder / "r.jsonl"
    thread = SessionThread(record_to(training(), path))
    sent(thread, do.Play())
    kept = path.rename(folder / "kept.jsonl")
    path.mkdir()
    assert "the recording ends here" in sent(thread, do.Play()).status.notice
    assert sent(thread, do.Play(), do.Play()).negotiations == 4
    thread.close()
    assert len(read(kept).games) == 1
