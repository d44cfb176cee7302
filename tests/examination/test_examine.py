"""Whole examinations: of strategies, learners and programs, their text, tables and cassettes."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.players.program import ProgramPlayer
from negotiation_tui.solvers.payoffs import first_best
from tests.examination.test_marks import TABLES
from tests.support.bots import bot
from tests.support.cli import Captured, status_of

EXACT = 1e-12


@pytest.mark.parametrize("scenario", ["original", "hidden"])
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("spec", TABLES)
def test_marks_of_a_strategy_are_those_of_its_table(spec: str, role: Role, scenario: str) -> None:
    (marks,) = nt.examine(spec, scenario, role).marks
    game = Scenario.of(scenario)
    found, possible = marks.exploitability, first_best(game)
    reply = nt.best_response_to(spec, role.other, game)
    assert found
    assert found.earned == pytest.approx(np.mean(reply.values) / possible, abs=EXACT)
    assert found.least == pytest.approx(found.most, abs=EXACT)
    assert found.left.error == 0
    for each in marks.regrets:
        pair = (spec, each.opponent) if role is Role.SELLER else (each.opponent, spec)
        distance = nt.nash_conv(game, *pair)
        assert each.regret.mean == pytest.approx(distance.exploitability[role], abs=1e-9)
        assert each.regret.error == pytest.approx(0, abs=1e-9)
    assert bool(marks.disclosures) is game.hidden


def test_a_program_that_answers_by_odds_is_judged_exactly(tmp_path: Path) -> None:
    (marks,) = nt.examine(bot(tmp_path, "by odds"), role="seller", ask=4).marks
    assert marks.exploitability
    assert marks.answered
    assert marks.table
    assert marks.exploitability.least == pytest.approx(marks.exploitability.most, abs=EXACT)
    table = nt.best_response_to(marks.table, "buyer")
    assert marks.exploitability.earned == pytest.approx(np.mean(table.values), abs=EXACT)
    assert (marks.answered.asked, marks.answered.reachable) == (46, 46)


def test_a_program_whose_answers_differ_has_no_exploitability(tmp_path: Path) -> None:
    examination = nt.examine(bot(tmp_path, "plays otherwise"), role="buyer")
    (marks,) = examination.marks
    assert marks.answered
    assert not marks.answered.consistency.consistent
    assert marks.exploitability is None
    assert next(each.opponent for each in marks.regrets) == "hardliner"
    assert "it answers differently" in str(examination)


def test_a_cassette_repeats_the_examination_to_the_bit(tmp_path: Path) -> None:
    cassette = str(tmp_path / "bot.cassette")
    live = nt.examine(bot(tmp_path, "draws"), seed=3, ask=4, cassette=cassette)
    (tmp_path / "bot.py").unlink()
    again = nt.examine(cassette)
    assert again.to_dict() == live.to_dict()
    assert str(again) == str(live)


def test_the_table_of_a_program_is_saved_and_plays(tmp_path: Path) -> None:
    path = str(tmp_path / "bot.npz")
    examination = nt.examine(bot(tmp_path, "holds out"), "hidden", ask=2)
    examination.save(path)
    played = nt.test(examination.setup.scenario, path, "conceder")
    hard = nt.test(examination.setup.scenario, "hardliner", "conceder")
    assert played.totals.agreements_buyer == hard.totals.agreements_buyer > 0


def test_the_table_of_a_strategy_is_saved_with_the_states_of_its_answers(tmp_path: Path) -> None:
    path = str(tmp_path / "boulware.npz")
    examination = nt.examine("boulware")
    examination.save(path)
    game = examination.setup.scenario
    assert nt.nash_conv(game, path, "linear").total == pytest.approx(
        nt.nash_conv(game, "boulware", "linear").total, abs=EXACT
    )


def test_a_learner_is_trained_with_itself_first() -> None:
    (marks,) = nt.examine("learned", role="seller").marks
    assert marks.table
    assert marks.answered is None


def test_a_player_that_remembers_offers_is_judged_without_a_table(tmp_path: Path) -> None:
    examination = nt.examine("tit-for-tat", role="buyer")
    (marks,) = examination.marks
    assert marks.table is None
    assert marks.exploitability
    with pytest.raises(nt.BadInputError, match="got a player that remembers offers"):
        examination.save(str(tmp_path / "none.npz"))


def test_the_command_prints_the_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player: ProgramPlayer = bot(tmp_path, "holds out")
    assert main(["examine", player.spec, "--ask", "4", "--role", "seller"]) == 0
    text = capsys.readouterr().out
    for part in ("as the seller", "Manners", "Consistency", "Regret", "Exploitability"):
        assert part in text
    assert max(map(len, text.splitlines()[1:])) <= 90
    assert main(["examine", "boulware", "--scenario", "hidden", "--json"]) == 0
    marks = json.loads(capsys.readouterr().out)["marks"]
    assert set(marks) == {"seller", "buyer"}
    assert len(marks["seller"]["disclosures"]) == 6


SLOW = """import time
from negotiation_tui import Strategy

class Slow(Strategy):
    name, summary, source = "slow", "it thinks", "a test"
    depends_on = frozenset({"history"})

    def support(self, position):
        time.sleep(0.01)
        return [position.legal[0]]
"""


def test_the_time_bounds_every_player(capsys: Captured, tmp_path: Path) -> None:
    Path("slow.py").write_text(SLOW)
    assert status_of("examine", "slow.py", "--scenario", "hidden", "--minutes", "0.005") == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "slow.py: its marks were not known after --minutes 0.005" in err
    assert status_of("examine", bot(tmp_path, "holds out").spec, "--minutes", "0") == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "the time was over before the seller's decisions were asked; more --minutes" in err


@pytest.mark.parametrize(
    ("rule", "scenario", "ahead"),
    [
        ("holds out", "original", (204, 620)),
        ("by odds", "original", (204, 620)),
        pytest.param("holds out", "hidden", (950, 3390), marks=pytest.mark.slow),
    ],
)
def test_the_number_of_questions_is_said_before_they_are_asked(
    rule: str, scenario: str, ahead: tuple[int, int], tmp_path: Path, capsys: Captured
) -> None:
    cassette = tmp_path / "bot.cassette"
    nt.examine(bot(tmp_path, rule), scenario, "seller", cassette=str(cassette))
    least, most = ahead
    assert capsys.readouterr().err.startswith(f"about {least:,} to {most:,} questions, in at most")
    asked = sum(line.startswith(("> ask", "> turn")) for line in cassette.open())
    expected = least if rule == "by odds" else most
    assert 0.9 * expected <= asked <= 1.1 * expected


@pytest.mark.slow
def test_the_time_left_is_said_after_ten_answers(tmp_path: Path, capsys: Captured) -> None:
    player = bot(tmp_path, "holds out")
    file = tmp_path / "bot.py"
    slow = "import time; time.sleep(0.02); asked = globals().get('asked', 0) + 1"
    text = file.read_text().replace("        low, high", f"        {slow}\n        low, high")
    file.write_text(text.replace("print(answer", "asked > 14 and sys.exit(3); print(answer"))
    with pytest.raises(nt.BadInputError, match="3 failures in a row"):
        nt.examine(player, "hidden")
    assert re.search(r"^about \d+ (s|min) left$", capsys.readouterr().err, re.MULTILINE)
