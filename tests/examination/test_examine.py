"""Whole examinations: of strategies, learners and programs, their text, tables and cassettes."""

import json
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.game.scenario import ScenarioLike
from negotiation_tui.players.program import ProgramPlayer
from negotiation_tui.solvers.payoffs import first_best
from tests.examination.test_marks import TABLES
from tests.support.bots import bot

EXACT = 1e-12


COSTLY = {"prices": 5, "rounds": 3, "delta": [0.9, 0.5]}
LATE = {"name": "late", "prices": 4, "rounds": 3, "seller": {"limits": [1, 2]}, "delta": [0.9, 0.5]}


@pytest.mark.parametrize(
    "scenario",
    ["original", "hidden", LATE, pytest.param("impatience", marks=pytest.mark.slow)],
    ids=str,
)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("spec", TABLES)
def test_marks_of_a_strategy_are_those_of_its_table(
    spec: str, role: Role, scenario: ScenarioLike
) -> None:
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
    assert bool(marks.disclosures) is bool(game.limits[role])


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


def test_real_play_is_judged_with_time_costs(tmp_path: Path) -> None:
    """A player whose answers off any path differ plays as one whose answers do not."""
    against = "hardliner", "linear", "conceder"  # who draw nothing
    (known,), (played,) = (
        nt.examine(bot(tmp_path, rule), COSTLY, "seller", ask=2, against=against).marks
        for rule in ("names prices", "names prices in play")
    )
    assert played.exploitability is None
    for one, other in zip(known.regrets, played.regrets, strict=True):
        assert other.regret.mean == pytest.approx(one.regret.mean)


@pytest.mark.parametrize("scenario", ["original", COSTLY], ids=str)
def test_a_cassette_repeats_the_examination_to_the_bit(
    tmp_path: Path, scenario: ScenarioLike
) -> None:
    cassette = str(tmp_path / "bot.cassette")
    live = nt.examine(bot(tmp_path, "draws"), scenario, seed=3, ask=4, cassette=cassette)
    assert live.setup.discount_rate == (0.99 if scenario == "original" else 1)
    assert (" other-delta " in Path(cassette).read_text()) == (scenario == COSTLY)
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
