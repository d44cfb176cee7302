"""A program in a seat: the dialogue of `haggle 1`, answers that are refused, and failures."""

import gc
import pickle
import sys
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Position, Role, Scenario
from negotiation_tui.contest.contest import SHADES
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.game.negotiation import Spoken, negotiate
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players import haggle
from negotiation_tui.players.program import ProgramPlayer, Seat, from_spec
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.child_process import ChildError
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from tests.support.cli import refused
from tests.support.game import Script, some

SCRIPT = """import sys
log = open({log!r}, "a", encoding="utf-8")
for line in sys.stdin:
    print(">", line.strip(), file=log, flush=True)
    word = line.split()[0]
    for answer in {answers!r}.get(word, []):
        sys.stdout.write(answer + "\\n")
        sys.stdout.flush()
    if word == "quit":
        break
"""


NOTHING = f"cmd:{sys.executable} -c pass"  # it says nothing
Make = Callable[..., tuple[ProgramPlayer, Path]]


@pytest.fixture
def program(tmp_path: Path) -> Make:
    """Return a function from answers, by the first word of a question, to a player and its log."""

    def make(**answers: list[str]) -> tuple[ProgramPlayer, Path]:
        log, file = tmp_path / "log", tmp_path / "bot.py"
        file.write_text(SCRIPT.format(log=str(log), answers={"haggle": ["ready 1"], **answers}))
        return from_spec(f"cmd:{sys.executable} {file}"), log

    return make


def heard(player: ProgramPlayer, log: Path) -> list[str]:
    for seat in player.seats.values():
        seat.close()
    return log.read_text(encoding="utf-8").splitlines()


def test_the_dialogue_of_a_negotiation(program: Make) -> None:
    player, log = program(turn=["say I paid more.", "move offer 5"])
    transcript = nt.negotiate("original", player, "conceder", "seller")
    assert transcript.turns[0].said == "I paid more."
    lines = heard(player, log)
    game = "prices 1,2,3,4,5 rounds 5 range 1,5 worth 0 other-worth 5 width 5 discount 0.99"
    assert lines[0] == "> haggle 1"
    assert lines[1].startswith("> seed ")
    assert lines[2] == f"> game role seller {game} seconds 30"
    assert lines[3] == "> negotiation 1"
    assert lines[4] == "> turn round 1 opener seller range 1,5 worth 0 standing - offers -"
    assert lines[-2] == "> end deal 5 buyer round 5 reward 1"
    assert lines[-1] == "> quit"


def test_the_table_tells_hidden_limits_and_how_they_are_drawn(program: Make) -> None:
    player, log = program(turn=["move walk"])
    nt.negotiate("hidden", "hardliner", player, "seller", limits=(0, 4))
    lines = heard(player, log)
    assert lines[2] == (
        "> game role buyer prices 0,1,2,3,4,5 rounds 5 range 0,5 worth - other-worth - width 5"
        " discount 0.99 seconds 30 worths 1:1,2:1,3:1,4:1,5:1 other-worths 0:1,1:1,2:1,3:1,4:1"
    )
    assert lines[4] == "> turn round 1 opener seller range 0,4 worth 4 standing 5 offers 5"


@pytest.mark.parametrize("talk", [True, False])
def test_words_are_heard_before_the_next_question_and_before_the_end(
    program: Make, talk: bool
) -> None:
    player, log = program(turn=["say Hm.", "move offer 4"])
    game = replace(Scenario.original(), talk=talk)
    other = Script(Spoken(4, "Five\0,\n; one more try"), Spoken(game.accept, "x" * 501))
    transcript = negotiate(game, other, player, Role.SELLER)
    told = ["> heard Five\\u0000, ; one more try", f"> heard {'x' * 499}…"] if talk else []
    lines = heard(player, log)[3:-1]
    assert [line for line in lines if line in told] == told
    assert [line for line in lines if line not in told] == [
        "> negotiation 1",
        "> turn round 1 opener seller range 1,5 worth 5 standing 5 offers 5",
        "> end deal 4 seller round 2 reward 0.2",
    ]
    if talk:
        assert [line.split()[1] for line in lines] == [
            "negotiation",
            *["heard", "turn"],
            "heard",
            "end",
        ]
    assert ("said" in transcript.to_dict()) == talk


def test_the_reason_for_a_failure_is_not_heard(program: Make) -> None:
    player, log = program(turn=["move offer 4"])
    game = replace(Scenario.original(), talk=True)
    other = Script(Spoken(0, "[it ended with 3]", failed=True), Spoken(game.accept))
    negotiate(game, other, player, Role.SELLER)
    assert not any("heard" in line for line in heard(player, log))


@pytest.mark.parametrize("game", ["impatience", "hidden"])
def test_the_table_tells_time_costs_at_the_end_of_the_rules(program: Make, game: str) -> None:
    player, log = program(turn=["move walk"])
    costly = replace(nt.Scenario.of(game), delta=(0.9, 0.6))
    limits = (0, 4) if costly.hidden else (None, None)
    nt.negotiate(costly, "hardliner", player, "seller", limits=limits)
    lines = heard(player, log)
    assert lines[2].endswith(" delta 0.6 other-delta 0.9")
    assert " discount 1 seconds 30" in lines[2]


@pytest.mark.parametrize("answer", ["move offer 9", "move", "move walk walk", "odds offer 3 2"])
def test_a_refusal_keeps_no_program_alive(program: Make, answer: str) -> None:
    player, _ = program(turn=[answer], refused=[answer])
    nt.negotiate("original", "hardliner", player, "seller")
    seat = weakref.ref(player.seat(Role.BUYER))
    gc.disable()
    try:
        del player
        assert seat() is None
    finally:
        gc.enable()


def test_a_second_refused_answer_walks_away(program: Make) -> None:
    player, log = program(turn=["move offer 9"], refused=["move walk away"])
    transcript = nt.negotiate("original", "hardliner", player, "seller")
    assert transcript.outcome.price is None
    assert transcript.turns[-1].failed
    manners = player.seat(Role.BUYER).manners
    assert (manners.refused, manners.walked, manners.failures) == (2, 1, 0)
    lines = heard(player, log)
    expected = "expected one of the prices, accept or walk"
    assert f"> refused 'move offer 9': {expected}; one more try" in lines
    assert sum(line.startswith("> refused") for line in lines) == 1
    assert "> end failure buyer round 1 reward 0" in lines


@pytest.mark.parametrize("answer", ["move offer 4 ", " move\toffer  4", "odds  offer 4 1 "])
def test_blanks_are_no_words(program: Make, answer: str) -> None:
    player, _ = program(turn=[" say  I am", answer])
    first = nt.negotiate("original", player, "hardliner", "seller").turns[0]
    assert (first.action, first.said) == (3, "I am")
    assert player.seat(Role.SELLER).manners.refused == 0


class Silent:
    """A program that answers by these lines and then no more."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.close = iter(lines), lambda: None

    def send(self, line: str) -> None:
        """Take no notice."""

    def receive(self, _seconds: float) -> str:
        for line in self.lines:
            return line
        raise ChildError("no answer in time; did it flush its output?")


def test_a_refusal_is_the_reason(program: Make) -> None:
    """A program that has answered is not told to flush its output."""
    said = Silent("ready 1", "move offer 9 ", "Why?")
    seat = Seat(program()[0], Role.SELLER, lambda *_: said)
    answer = seat.ask(Position(Scenario.original(), Role.SELLER, opened=True))
    expected = "expected one of the prices, accept or walk"
    assert answer.why == f"refused 'move offer 9': {expected}; then no answer in time"
    assert (seat.manners.refused, seat.manners.failures) == (1, 1)


def test_odds_are_drawn_by_the_seed(program: Make) -> None:
    player, _ = program(turn=["odds offer 2 0.5 offer 4 0.5"])
    position = Position(Scenario.original(), Role.SELLER, opened=True)
    rng = np.random.default_rng(1)
    drawn = [int(player.act(position, rng)) for _ in range(40)]
    rng = np.random.default_rng(1)
    assert drawn == [1 if rng.random() < 0.5 else 3 for _ in range(40)]
    assert {*drawn} == {1, 3}


def test_a_crash_is_a_walk_away_and_the_program_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    read = "sys.stdin.readline()"
    file.write_text(f"import sys\n{read}\nprint('ready', flush=True)\n{4 * f'{read};'}sys.exit(3)")
    player = from_spec(f"cmd:{sys.executable} -S -E {file}")
    for _ in range(5):
        transcript = nt.negotiate("original", "hardliner", player, "seller")
        assert transcript.outcome.price is None
        assert transcript.turns[-1].failed
    assert transcript.turns[-1].said == "[it ended with 3; the seat is empty after 4 starts]"
    again = nt.negotiate("original", "hardliner", player, "seller")
    assert again.turns[-1].said == transcript.turns[-1].said


@pytest.mark.parametrize(
    "line",
    ["move offer ٤", "move offer 4_0", "odds accept nan", "odds accept 1e400", "odds accept ١"],
)
def test_numbers_are_plain_ones(line: str) -> None:
    position = Position(Scenario.original(), Role.SELLER, 0, 5, 3, True, (5, 3))
    with pytest.raises(haggle.RefusedError, match="expected"):
        haggle.answer_of(line, position)


def test_beliefs_are_chances_of_limits() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert haggle.belief_of("belief 4 1e308 5 1e308", (4, 5)) is None
        assert some(haggle.belief_of("belief 4 1 5 3", (4, 5))).tolist() == [0.25, 0.75]


def test_a_second_answer_to_a_question_is_forgotten(program: Make) -> None:
    player, _ = program(turn=["move offer 5\nmove offer 1"], refused=["move accept"])
    transcript = nt.negotiate("original", player, "conceder", "seller")
    assert {turn.price for turn in transcript.turns[:-1] if turn.role is Role.SELLER} == {5}


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_after_a_failure_at_the_opening_the_negotiation_is_told_again(tmp_path: Path) -> None:
    file, log = tmp_path / "bot.sh", tmp_path / "log"
    file.write_text(
        f"read _; echo ready; read _; read _; read _; [ -e {log} ] || {{ touch {log}; exit; }}\n"
        f"while read -r w; do echo $w >> {log}; echo move walk; done\n"
    )

    class Stubborn:
        def act(self, position: Position, rng: np.random.Generator) -> int:
            return position.legal[0]

    player = from_spec(f"cmd:sh {file}")
    transcript = nt.negotiate("original", player, Stubborn(), "seller")
    assert [turn.failed for turn in transcript.turns] == [True, False, False]
    player.seats[Role.SELLER].close()
    first, second, *_ = log.read_text().splitlines()
    assert first.startswith("turn round 2")
    assert second == "end walk seller round 2 reward 0"


def test_a_copy_in_another_process_has_the_settings(program: Make) -> None:
    player = ProgramPlayer("cmd:true", ("true",), seconds=0.5, discount_rate=0.7)
    assert pickle.loads(pickle.dumps(player)) == player
    assert pickle.loads(pickle.dumps(player)).discount_rate == 0.7


def session(player: ProgramPlayer) -> TrainingSession:
    return TrainingSession(
        Run(Scenario.original(), Parameters(cycles=2, episodes=4), 3, (player.spec, "learned"))
    )


def test_what_was_played_is_shown_again_and_recorded_and_the_program_is_not_asked(
    program: Make, tmp_path: Path
) -> None:
    answers = ["say Too\tmuch.", "odds offer 2 0.5 offer 4 0.5"]
    player, log = program(turn=answers, refused=["move no"])
    play = record_to(session(player), tmp_path / "run.jsonl")
    shown = []
    for _ in range(6):
        play.handle(do.Play(1))
        shown.append(some(play.snapshot.negotiation).transcript.turns)
    before = log.read_text().count("> turn")
    for moment in (3, 6, 1):
        play.handle(do.GoTo(moment))
        then = some(some(play.snapshot.replies.past)[0].negotiation)
        assert then.transcript.turns == shown[moment - 1]
    assert log.read_text().count("> turn") + log.read_text().count("> ask") == before
    play.close()
    (tmp_path / "bot.py").unlink()
    games = read(tmp_path / "run.jsonl").games
    assert [each.played(Scenario.original())[0].transcript.turns for each in games] == shown
    turns = [turn for each in shown for turn in each]
    assert any(turn.said == "Too much." for turn in turns)
    assert any(turn.failed for turn in turns)


def test_a_what_if_is_asked_off_any_path(program: Make) -> None:
    player, log = program(turn=["move offer 5"], ask=["move offer 4"], refused=["move accept"])
    play = session(player)
    play.handle(do.Play(1))
    talk = some(play.snapshot.negotiation)
    at = next(n for n, turn in enumerate(talk.transcript.turns) if turn.role is Role.BUYER)
    asked = len(log.read_text().splitlines())
    play.handle(do.WhatIf(play.snapshot, talk, at, 0))
    lines = log.read_text().splitlines()[asked:]
    assert {line.split()[1] for line in lines} - {"end", "refused"} == {"ask"}
    assert play.snapshot.replies.what_if is not None


def test_a_program_that_says_nothing_ends_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "tournament", NOTHING, "conceder", "--text", "--negotiations", "2")
    assert "expected ready after haggle 1, got none: it ended with 0" in said


def test_long_commands_keep_the_tables_narrow(program: Make) -> None:
    player, _ = program(turn=["move offer 5"], refused=["move accept"])
    command = f"{player.spec} {'x' * 200}"
    contest = StrategyContest.of(Scenario.original(), [command, "conceder"], negotiations=2)
    text = contest.text(contest.rows(), 80, SHADES)
    assert max(map(len, text.splitlines())) <= 110


def test_a_program_is_told_the_discount_of_the_training(program: Make) -> None:
    player, log = program(turn=["move offer 5"], refused=["move accept"])
    nt.train("original", buyer=player.spec, cycles=1, episodes=1, discount_rate=0.5)
    assert "> game role buyer" in log.read_text()
    assert "discount 0.5 " in log.read_text()
