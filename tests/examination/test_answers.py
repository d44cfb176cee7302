"""Tables made of answers: frequencies, halves, exact chances, and rows that were never asked."""

from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import legal_rows

GAME = replace(Scenario.original(), states=States.OPENER_AWARE)


def asked_once_each() -> Answers:
    """The opening was answered three times with the first offer and once with the second."""
    halves = np.zeros((2, GAME.n_rows(Role.SELLER), GAME.n_actions), np.int64)
    halves[0, START, 0] = 2
    halves[1, START, :2] = 1
    return Answers(GAME, Role.SELLER, halves)


def test_frequencies_of_both_halves_and_uniform_rows_that_were_never_asked() -> None:
    answers = asked_once_each()
    assert answers.table.probabilities[START, :3].tolist() == [0.75, 0.25, 0]
    legal = legal_rows(GAME, Role.SELLER)
    assert answers.table.probabilities[1] == pytest.approx(legal[1] / legal[1].sum())
    assert answers.chances([0])[START, :2].tolist() == [1, 0]
    assert answers.chances([1])[START, :2].tolist() == [0.5, 0.5]
    assert answers.chances(smoothing=0.5)[START, 1] == pytest.approx(1.5 / 6.5)
    assert answers.asked.sum() == answers.asked[START] == 4
    assert answers.enough
    assert not Answers(GAME, Role.SELLER, answers.halves // 2).enough


def test_exact_chances_come_before_answers() -> None:
    answers = asked_once_each()
    odds = np.zeros(answers.halves.shape[1:])
    odds[START, 4] = 1.0
    exact = replace(answers, odds=odds)
    assert exact.table.probabilities[START, 4] == 1
    assert not exact.sampled.any()
    assert exact.enough
