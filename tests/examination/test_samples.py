"""Marks of a program that answers the first questions alone: intervals hold the truth, or none."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import negotiation_tui as nt
from negotiation_tui import Scenario
from negotiation_tui.errors import NoAnswerError
from negotiation_tui.examination import examine as examination
from negotiation_tui.examination.copies import Copies
from negotiation_tui.examination.defaults import OPPONENTS, SENTENCES
from negotiation_tui.examination.desk import desk
from negotiation_tui.examination.results import Marks
from negotiation_tui.players.program import ProgramPlayer
from negotiation_tui.runtime.estimate import Estimate
from tests.support.cli import Captured
from tests.support.game import some

SMALL = replace(Scenario.of("4x3"), talk=True)
TINY = Scenario.from_dict({"prices": [1, 5, 9], "rounds": 2, "seller": {"limits": [0, 2]}})
ROUNDING = 1e-9
ALL = 10**6
FEW = "boulware", "linear"


def hardliner(_word: str, fields: dict[str, str], _heard: bool) -> str:
    """Answer as the strategy of this name, a seller."""
    low, high = map(int, fields["range"].split(","))
    last = fields["round"] == fields["rounds"] and fields["opener"] == "buyer"
    if fields["standing"] != "-" and int(fields["standing"]) >= (low if last else high):
        return "move accept"
    return "move walk" if last else f"move offer {high}"


def obeys(word: str, fields: dict[str, str], heard: bool) -> str:
    return "move accept" if heard else hardliner(word, fields, heard)


def differs(word: str, fields: dict[str, str], heard: bool) -> str:
    answer = hardliner(word, fields, heard)
    return answer.replace("5", "4") if word == "turn" else answer


class Voice:
    """A program in this process, which takes a second per answer."""

    seconds = 0.0  # of all voices

    def __init__(self, rule: Any) -> None:
        self.rule, self.close = rule, lambda: None
        self.rules, self.heard, self.line = dict[str, str](), False, ""

    def send(self, line: str) -> None:
        word, *words = line.split()
        fields = dict(zip(words[::2], words[1::2], strict=False))
        if word == "game":
            self.rules = fields
        if word in {"ask", "turn"}:
            self.line = self.rule(word, self.rules | fields, self.heard)
        self.heard = word == "heard" and "accept" in line

    def receive(self, _seconds: float) -> str:
        Voice.seconds += self.line != ""
        return self.line or "ready 1"


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Marks | None]:
    """Return a function that examines a rule as the seller by its first n answers."""

    def judged(rule: Any, scenario: Scenario, n: float, **settings: Any) -> Marks | None:
        def start(*_words: object) -> Voice:
            return Voice(rule)

        asked = partial(Copies, start=start, clock=lambda: Voice.seconds)
        monkeypatch.setattr(examination, "Copies", asked)
        player, usual = ProgramPlayer("cmd:rule", ("rule",)), {"ask": 4, "against": FEW}
        with suppress(NoAnswerError):
            settings = {**usual, **settings, "minutes": n / 60}
            return nt.examine(player, scenario, "seller", **settings).marks[0]
        return None

    return judged


def intervals(marks: Marks) -> Iterator[tuple[str, float, float, float]]:
    """Yield the name, the mean and the ends of each interval that is printed."""

    def ends(name: str, found: Estimate | None) -> Iterator[tuple[str, float, float, float]]:
        if found:
            yield name, found.mean, found.mean - found.error, found.mean + found.error

    for each in marks.regrets:
        yield from ends(f"regret {each.opponent}", each.regret)
    if (found := marks.exploitability) and found.least is not None and found.most is not None:
        yield "exploitability", found.earned, found.least, found.most
    for told in marks.disclosures:
        yield from ends(f"bits {told.opponent}", told.bits)
        for limit, gain in enumerate(told.pretending or ()):
            yield from ends(f"gain {told.opponent} {limit}", gain)
    for moved in marks.talk:
        yield from ends(f"cost {moved.name}", moved.cost)
        if moved.bounds:
            yield f"changed {moved.name}", moved.changed / moved.asked, *moved.bounds


@pytest.mark.parametrize(
    ("rule", "scenario", "step"),
    [
        *[(hardliner, SMALL, 60), (hardliner, TINY, 30)],
        *(pytest.param(rule, SMALL, 7, marks=pytest.mark.slow) for rule in (hardliner, obeys)),
        pytest.param(hardliner, TINY, 7, marks=pytest.mark.slow),
    ],
)
def test_intervals_of_a_sample_hold_the_truth(
    first: Callable[..., Marks | None], rule: object, scenario: Scenario, step: int, tmp_path: Path
) -> None:
    file = str(tmp_path / "rule.cassette")
    whole = some(first(rule, scenario, ALL))
    (exact,) = nt.examine("hardliner", scenario, "seller", against=FEW).marks
    truth = {name: mean for each in (whole, exact) for name, mean, *_ in intervals(each)}
    known = set[str]()
    for n in range(0, int(some(whole.answered).manners.questions) + 60, step):
        Path(file).unlink(missing_ok=True)
        marks = first(rule, scenario, n, cassette=file)
        if marks is None:
            continue
        for name, _, low, high in intervals(marks):
            assert low - ROUNDING <= truth[name] <= high + ROUNDING, (n, name)
            known.add(name)
        answered = some(marks.answered)
        if answered.asked < answered.reachable:
            assert {*intervals(marks)} == set()
            assert marks.unknown.startswith("not all was asked in time; --minutes ")
        (row,) = desk([file]).rows
        assert (row["regret"] is None) is (answered.asked < answered.reachable)
        assert (row["talk"] is None) is (sum(bool(m.bounds) for m in marks.talk) <= len(SENTENCES))
    assert known == truth.keys() or step > 7


def test_each_decision_is_asked_first(first: Callable[..., Marks | None], capsys: Captured) -> None:
    """Then the time is shared out; the minutes that are named are enough for all."""
    before, after = (some(first(hardliner, SMALL, n)) for n in (20, 21))
    assert some(after.answered).asked == some(after.answered).reachable == 21
    assert (before.regrets, len(after.regrets)) == ((), 2)
    needed = r"all questions take about \d+ min, more than --minutes; \d+\.?\d* would be enough"
    assert re.search(rf"^{needed}$", capsys.readouterr().err, re.MULTILINE)
    for scenario in (SMALL, TINY):
        minutes = some(some(first(hardliner, scenario, 12)).answered).minutes
        assert some(first(hardliner, scenario, 60 * minutes)).unknown == ""
        assert some(first(hardliner, scenario, 30 * minutes)).unknown != ""


def test_regret_in_play_needs_all_negotiations(first: Callable[..., Marks | None]) -> None:
    game = Scenario.original()
    whole, *found = (
        some(first(differs, game, n, ask=2, against=OPPONENTS)) for n in (ALL, 100, 160, 180)
    )
    assert [each.opponent for each in whole.regrets] == [*OPPONENTS]
    assert whole.unknown == "no table stands for a program that answers differently"
    cut = [each for each in found if not some(each.answered).consistency.consistent]
    assert any(len(each.regrets) < len(OPPONENTS) for each in cut)
    for each in cut:
        assert each.exploitability is None
        assert {*each.regrets} <= {*whole.regrets}
        assert "would be enough" in each.unknown
