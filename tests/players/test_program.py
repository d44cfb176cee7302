"""A program in a seat: the dialogue of `haggle 1`, answers that are refused, and failures."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.program import ProgramPlayer, from_spec

SCRIPT = """import sys
log = open({log!r}, "a", encoding="utf-8")
for line in sys.stdin:
    print(">", line.strip(), file=log, flush=True)
    word = line.split()[0]
    for answer in {answers!r}.get(word, []):
        print(answer, flush=True)
    if word == "quit":
        break
"""


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
    """Return the lines that a program read until its end."""
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


def test_a_second_refused_answer_walks_away(program: Make) -> None:
    player, log = program(turn=["move offer 9"], refused=["move walk away"])
    transcript = nt.negotiate("original", "hardliner", player, "seller")
    assert transcript.outcome.price is None
    assert transcript.turns[-1].failed
    manners = player.seat(Role.BUYER).manners
    assert (manners.refused, manners.walked, manners.failures) == (2, 1, 0)
    lines = heard(player, log)
    expected = "expected one of the prices, accept or walk"
    assert f"> refused move offer 9: {expected}; one more try" in lines
    assert f"> refused move walk away: {expected}" in lines
    assert "> end failure buyer round 1 reward 0" in lines


def test_odds_are_drawn_by_the_seed(program: Make) -> None:
    player, _ = program(turn=["odds offer 2 0.5 offer 4 0.5"])
    position = Position(Scenario.original(), Role.SELLER, opened=True)
    rng = np.random.default_rng(1)
    drawn = [int(player.act(position, rng)) for _ in range(40)]
    rng = np.random.default_rng(1)
    assert drawn == [1 if rng.random() < 0.5 else 3 for _ in range(40)]
    assert {*drawn} == {1, 3}


def test_a_crash_is_a_walk_away_and_the_program_is_started_again(tmp_path: Path) -> None:
    file = tmp_path / "bot.sh"
    file.write_text("read _\necho ready\nread _; read _; read _; read _\nexit 3\n")
    player = from_spec(f"cmd:sh {file}")
    for _ in range(5):
        transcript = nt.negotiate("original", "hardliner", player, "seller")
        assert transcript.outcome.price is None
        assert transcript.turns[-1].failed
    assert transcript.turns[-1].said.startswith("[the seat is empty: it was started 4 times")
    assert "it ended with 3" in transcript.turns[-1].said


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:", "expected a program that can be run, got none"),
        ("cmd:./no-such-bot", "expected a program that can be run, got './no-such-bot'"),
        ("cmd:'", "cannot be split into words"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(spec: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        from_spec(spec)


def test_a_program_that_says_nothing_at_the_start_is_refused() -> None:
    with pytest.raises(BadInputError, match="expected ready after haggle 1, got none: it ended"):
        nt.negotiate("original", "cmd:true", "midpoint")
