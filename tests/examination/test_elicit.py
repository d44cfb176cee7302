"""Asking a program for its whole policy: the decisions asked, both traps, and the cassette."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import STRATEGIES, Role, States
from negotiation_tui.examination.answers import Answers
from negotiation_tui.examination.cassette import Cassette
from negotiation_tui.examination.consistency import Consistency, consistency
from negotiation_tui.examination.copies import Copies, draws_of
from negotiation_tui.examination.elicit import AskedProgram, Elicited, elicit
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import legal_rows
from negotiation_tui.players.program import ProgramPlayer
from tests.support.bots import bot
from tests.support.game import some

OPPONENTS = ("hardliner", "conceder", "zero-intelligence")


def asked(
    player: ProgramPlayer, role: Role = Role.SELLER, name: str = "original", ask: int = 10
) -> Elicited:
    game = replace(Scenario.of(name), states=States.OPENER_AWARE)
    elicited = Elicited(game, role, draws_of(1))
    tables = [(each, STRATEGIES[each].tabulated(game, role.other)) for each in OPPONENTS]
    known = [(each, table) for each, table in tables if table]
    elicit(elicited, Copies(Cassette(live=True), player, role), known, ask, 60)
    return elicited


@pytest.mark.parametrize("role", Role)
def test_every_decision_that_it_can_reach_is_asked(tmp_path: Path, role: Role) -> None:
    elicited = asked(bot(tmp_path, "holds out"), role)
    assert len(elicited.reachable) == 46
    assert set(elicited.sources[0]) == set(elicited.sources[1]) == elicited.reachable
    assert all(len(given) == 5 for given in elicited.sources[0].values())
    assert (elicited.answers.asked[elicited.answers.asked > 0] == 10).all()
    best = some(STRATEGIES["hardliner"].tabulated(elicited.scenario, role))
    rows = sorted(elicited.position(each, 0).row for each in elicited.reachable)
    offering = [row for row in rows if best.probabilities[row, :5].any()]
    table = elicited.answers.table
    np.testing.assert_array_equal(table.probabilities[offering], best.probabilities[offering])


def test_with_hidden_limits_each_limit_is_asked(tmp_path: Path) -> None:
    elicited = asked(bot(tmp_path, "holds out"), name="hidden", ask=2)
    assert len(elicited.reachable) == 275
    assert len({each.limit for each in elicited.reachable}) == 5


def test_odds_are_asked_once_per_pass_and_exact(tmp_path: Path) -> None:
    elicited = asked(bot(tmp_path, "by odds"))
    odds = {each for each in elicited.reachable if each.opened or each.number < 4}
    assert elicited.by_moves == elicited.reachable - odds
    for decision, given in elicited.sources[1].items():
        assert len(given) == (1 if decision in odds else 5)
    assert some(elicited.answers.odds)[0].tolist() == [0.75, 0, 0, 0, 0.25, 0, 0]


@pytest.mark.parametrize(
    ("rule", "alike"),
    [
        ("holds out", True),
        ("draws", True),
        ("by odds", True),
        ("remembers", False),
        ("plays otherwise", False),
    ],
)
def test_a_program_whose_answers_depend_on_more_than_the_decision_is_found(
    tmp_path: Path, rule: str, alike: bool
) -> None:
    found = consistency(asked(bot(tmp_path, rule)))
    assert found.consistent is alike
    assert (found.worst is None) is (rule in {"holds out", "by odds"})


def test_one_program_in_a_thousand_that_answers_alike_is_refused() -> None:
    found = [Consistency(chance, 1, None, None).consistent for chance in (0.0005, 0.0015, 0.05)]
    assert found == [False, True, True]


def test_a_program_that_names_fixed_prices_does_not_follow_them(tmp_path: Path) -> None:
    for rule, alike in (("holds out", True), ("names prices", False)):
        changes = asked(bot(tmp_path, rule), ask=2).follows
        assert [each.change for each in changes] == ["100 higher", "ten times as high"]
        assert all((each.alike == each.asked == 20) is alike for each in changes)


def test_a_program_that_is_asked_for_its_table_is_judged_as_its_table(tmp_path: Path) -> None:
    player = AskedProgram("cmd:bot", bot(tmp_path, "by odds"))
    game = Scenario.original()
    table = player.tabulated(game, Role.SELLER)
    assert table.probabilities[0].tolist() == [0.75, 0, 0, 0, 0.25, 0, 0]
    distance = nt.nash_conv(game, table, "conceder")
    assert distance.values[0] > 0


AWARE = replace(Scenario.original(), states=States.OPENER_AWARE)


def asked_once_each() -> Answers:
    """The opening was answered three times with the first offer and once with the second."""
    halves = np.zeros((2, AWARE.n_rows(Role.SELLER), AWARE.n_actions), np.int64)
    halves[0, START, 0] = 2
    halves[1, START, :2] = 1
    return Answers(AWARE, Role.SELLER, halves)


def test_frequencies_of_both_halves_and_uniform_rows_that_were_never_asked() -> None:
    answers = asked_once_each()
    assert answers.table.probabilities[START, :3].tolist() == [0.75, 0.25, 0]
    legal = legal_rows(AWARE, Role.SELLER)
    assert answers.table.probabilities[1] == pytest.approx(legal[1] / legal[1].sum())
    assert answers.chances([0])[START, :2].tolist() == [1, 0]
    assert answers.chances([1])[START, :2].tolist() == [0.5, 0.5]
    assert answers.chances(smoothing=0.5)[START, 1] == pytest.approx(1.5 / 6.5)
    assert answers.asked.sum() == answers.asked[START] == 4
    assert answers.enough
    assert not Answers(AWARE, Role.SELLER, answers.halves // 2).enough


def test_exact_chances_come_before_answers() -> None:
    answers = asked_once_each()
    odds = np.zeros(answers.halves.shape[1:])
    odds[START, 4] = 1.0
    exact = replace(answers, odds=odds)
    assert exact.table.probabilities[START, 4] == 1
    assert not exact.sampled.any()
    assert exact.enough
