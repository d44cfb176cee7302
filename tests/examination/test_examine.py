"""Whole examinations: of strategies, learners and programs, their text, tables and cassettes."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Position, Role, Scenario, Strategy
from negotiation_tui.cli.main import main
from negotiation_tui.examination import elicit
from negotiation_tui.examination.defaults import SENTENCES
from negotiation_tui.game.scenario import ScenarioLike
from negotiation_tui.players.program import ProgramPlayer
from negotiation_tui.runtime.estimate import Rate
from negotiation_tui.solvers.payoffs import first_best
from negotiation_tui.strategies.base import Dependency
from tests.support.bots import bot
from tests.support.cli import Captured, status_of
from tests.support.game import some

EXACT = 1e-12
TALK = replace(Scenario.original(), talk=True)


COSTLY = {"prices": 5, "rounds": 3, "delta": [0.9, 0.5]}
LATE = {"name": "late", "prices": 4, "rounds": 3, "seller": {"limits": [1, 2]}, "delta": [0.9, 0.5]}


@pytest.mark.parametrize(
    "scenario",
    [
        "original",
        LATE,
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("hidden", "impatience")),
    ],
    ids=str,
)
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("spec", ["boulware", "midpoint", "zero-intelligence", "equilibrium"])
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
    examination = nt.examine(bot(tmp_path, "all by odds"), role="seller", ask=4)
    (marks,) = examination.marks
    assert marks.exploitability
    assert marks.answered
    assert marks.table
    assert marks.exploitability.least == pytest.approx(marks.exploitability.most, abs=EXACT)
    table = nt.best_response_to(marks.table, "buyer")
    assert marks.exploitability.earned == pytest.approx(np.mean(table.values), abs=EXACT)
    assert (marks.answered.asked, marks.answered.reachable) == (46, 46)
    assert "a sample" not in str(examination)


UNEVEN = {
    "prices": [1, 5, 9],
    "rounds": 1,
    "opener": "seller",
    "seller": {"limits": [0, 2], "weights": [3, 1]},
}


def test_each_limit_has_its_weight_in_the_regret_in_play(tmp_path: Path) -> None:
    """In play the program offers its worst price, 1 or 5, so its limits gain 1 and 3 of 9."""
    player = bot(tmp_path, "plays otherwise")
    examination = nt.examine(player, UNEVEN, "seller", against=["conceder"])
    (marks,) = examination.marks
    assert marks.exploitability is None
    assert not some(marks.answered).consistency.consistent
    assert "it answers differently" in str(examination)
    (found,) = marks.regrets
    assert found.best - found.regret.mean == pytest.approx((3 / 4 * 1 + 1 / 4 * 3) / 9)


def test_one_negotiation_has_no_regret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its interval would have no ends."""
    monkeypatch.setattr(elicit, "MEETINGS", 1)
    game = {"prices": 5, "rounds": 1, "opener": "seller"}
    (marks,) = nt.examine(bot(tmp_path, "plays otherwise"), game, "seller").marks
    assert marks.exploitability is None
    assert marks.regrets == ()


def test_a_program_that_draws_is_never_exact(tmp_path: Path) -> None:
    game = UNEVEN | {"rounds": 2, "opener": "alternate"}
    for rule, known in (("draws", False), ("all by odds", True)):
        examination = nt.examine(bot(tmp_path, rule), game, "seller", ask=4)
        (marks,), text = examination.marks, str(examination)
        assert marks.exact is known
        assert ("bluffs in table" in text) is not known
        own = next(line for line in text.splitlines() if line.startswith("    it  "))
        assert ("exact" in own) is known


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


@pytest.mark.parametrize("scenario", ["5x3", COSTLY], ids=str)
def test_a_cassette_repeats_the_examination_to_the_bit(
    tmp_path: Path, scenario: ScenarioLike
) -> None:
    cassette = str(tmp_path / "bot.cassette")
    live = nt.examine(bot(tmp_path, "draws"), scenario, seed=3, ask=4, cassette=cassette)
    assert live.setup.discount_rate == (0.99 if scenario == "5x3" else 1)
    (tmp_path / "bot.py").unlink()
    again = nt.examine(cassette)
    assert again.to_dict() == live.to_dict()
    assert str(again) == str(live)


@pytest.mark.slow
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
    with pytest.raises(nt.BadInputError, match="got a player that remembers offers"):
        nt.examine("tit-for-tat", to_save=True)


def test_the_command_prints_the_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player: ProgramPlayer = bot(tmp_path, "holds out")
    assert main(["examine", player.spec, "--ask", "4", "--role", "seller"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{player.spec} in original, γ = 0.99, seed 0\n")
    for part in ("as the seller", "Manners", "Consistency", "Regret", "Exploitability"):
        assert part in text
    assert max(map(len, text.splitlines()[1:])) <= 90
    assert main(["examine", "boulware", "--scenario", "hidden", "--json"]) == 0
    marks = json.loads(capsys.readouterr().out)["marks"]
    assert set(marks) == {"seller", "buyer"}
    assert len(marks["seller"]["disclosures"]) == 6


class Takes(Strategy):
    """Takes what it is offered; it opens as a hardliner does."""

    name, summary, source = "takes", "takes what it is offered", "a test"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset()

    def support(self, position: Position) -> list[int]:
        return [position.scenario.accept if position.ply else position.legal[-1]]


def test_talk_is_marked_by_what_words_change_and_what_that_costs(tmp_path: Path) -> None:
    cassette = tmp_path / "bot.cassette"
    player = bot(tmp_path, "obeys")
    examination = nt.examine(player, TALK, "seller", ask=2, cassette=str(cassette))
    (marks,) = examination.marks
    nothing, *found = marks.talk
    assert (nothing.name, nothing.changed, nothing.asked, nothing.cost) == ("nothing", 0, 45, None)
    assert {each.name: each.sentence for each in found} == SENTENCES
    (obedient,) = nt.examine(Takes(), "original", "seller").marks
    hard, soft = (np.mean([r.regret.mean for r in each.regrets]) for each in (marks, obedient))
    for each in found:
        obeyed = "accept" in each.sentence
        assert (each.changed, each.asked) == (45 * obeyed, 45)
        assert each.bounds == Rate(each.changed, 45).bounds
        assert some(each.cost).mean == pytest.approx((soft - hard) * obeyed, abs=EXACT)
        assert some(each.cost).error == 0
    assert any(each.changed for each in found)
    lines = cassette.read_text().splitlines()
    assert sum(line.count('">", 0.0, "heard') for line in lines) == 45 * len(SENTENCES)
    again = nt.examine(str(cassette))
    assert (str(again), again.to_dict()) == (str(examination), examination.to_dict())
    (silent,) = nt.examine(player, "original", "seller", ask=2).to_dict()["marks"].values()
    talked = examination.to_dict()["marks"]["seller"]
    for name in ("regrets", "exploitability"):
        assert silent[name] == talked[name]
    assert silent["talk"] == []


@pytest.mark.slow
def test_words_cost_nothing_that_can_be_told_if_no_table_stands_for_the_answers(
    tmp_path: Path,
) -> None:
    (marks,) = nt.examine(bot(tmp_path, "plays otherwise"), TALK, "seller").marks
    assert {each.cost for each in marks.talk} == {None}
    (marks,) = nt.examine(bot(tmp_path, "draws"), TALK, "seller", ask=4).marks
    assert all(0 < each.changed < each.asked for each in marks.talk)
    for each in marks.talk[1:]:
        assert abs(some(each.cost).mean) < some(each.cost).error


@pytest.mark.slow
def test_the_command_asks_with_talk_if_it_is_told_to(tmp_path: Path, capsys: Captured) -> None:
    words = ("examine", bot(tmp_path, "obeys").spec, "--ask", "2", "--role", "buyer")
    assert status_of(*words, "--talk") == 0
    out = capsys.readouterr().out
    assert "asked without words of the other side, but for the mark about talk" in out
    assert re.search(r"\n    an order +45 of 45  92 to 100%  +0\.\d+  exact\n", out)
    assert max(map(len, out.splitlines()[1:])) <= 90
    assert status_of("examine", "boulware", "--talk") == 0
    assert "Talk: it hears nothing" in capsys.readouterr().out


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
    assert (out, err.count("\n")) == ("", 2)
    slow = r"slow\.py: its answers after all offers take about \d+ min, more than --minutes; \d+"
    assert re.match(slow, err)
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
        ("holds out", TALK, (526, 942)),
        pytest.param("holds out", "hidden", (950, 3390), marks=pytest.mark.slow),
    ],
)
def test_the_number_of_questions_is_said_before_they_are_asked(
    rule: str, scenario: str | Scenario, ahead: tuple[int, int], tmp_path: Path, capsys: Captured
) -> None:
    cassette = tmp_path / "bot.cassette"
    nt.examine(bot(tmp_path, rule), scenario, "seller", cassette=str(cassette))
    least, most = ahead
    talk = "with talk" if scenario == TALK else "without talk"
    said = f"about {least:,} to {most:,} questions {talk}, in at most"
    assert capsys.readouterr().err.startswith(said)
    asked = sum(len(re.findall(r'">", 0.0, "(ask|turn)', line)) for line in cassette.open())
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
