"""A league on games with hidden limits: Bayesian NashConv, shares of the possible surplus."""

from pathlib import Path

import pytest

from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.league_standings import bounds_text
from negotiation_tui.game.roles import Role
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay
from negotiation_tui.solvers.payoffs import Pairs
from negotiation_tui.strategies.matchup import tables_of
from tests.support.contests import league_row

GAME = """
prices = 3
rounds = 2
seller = { limits = [0, 3], weights = [3, 1] }
buyer = { limits = [1, 2, 4] }
"""
APART = """
prices = 3
rounds = 2
seller = { limits = [3] }
buyer = { limits = [1, 2] }
"""
FEW = ("q-learning", "sarsa")


def job(text: str = GAME) -> Run:
    """A match of two learners in a game of a file, in the folder of the test."""
    Path("game.toml").write_text(text)
    return LearnerContest.of(FEW, ("game.toml",), 1, episodes=720).jobs[1]


def judged(match: Run) -> tuple[NashConv, ExpectedPlay]:
    """NashConv and the play of the same training."""
    training = training_of(match)
    training.run()
    tables = tables_of(match.scenario, *map(training.policy, Role))
    assert tables
    found = nash_conv(match.scenario, *tables)
    assert found.play
    return found, found.play


def test_a_row_is_that_of_the_training_judged_exactly() -> None:
    match = job()
    row, (found, play) = league_row(match), judged(match)
    assert (row["nash_conv"], row["nash_conv_at_least"]) == (found.total, found.total)
    assert row["gain_seller"] + row["gain_buyer"] == row["nash_conv"]
    assert row["share_seller"] + row["share_buyer"] == pytest.approx(play.efficiency)
    pairs = Pairs.of(match.scenario)
    possible = pairs.chances[pairs.tradable].sum()
    assert row["deals"] == pytest.approx((pairs.chances * play.deal).sum() / possible)
    assert possible == pytest.approx(3 / 4 + 1 / 4 / 3)


def test_without_any_overlap_nobody_gains() -> None:
    row = league_row(job(APART))
    assert [row[name] for name in ("share_seller", "share_buyer", "deals", "nash_conv")] == [0] * 4


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_file_has_the_least_that_nash_conv_can_be(suffix: str) -> None:
    jobs = (job(), *LearnerContest.of(FEW[:1], ("2x2",), 1, episodes=720).jobs)
    contest, path = LearnerContest(jobs, FEW), Path(f"rows{suffix}")
    rows = contest.rows(contest.file(path), 1, None)
    assert [row["nash_conv_at_least"] for row in rows] == [rows[0]["nash_conv"], None]
    assert contest.file(path).rows() == list(rows)
    assert "nash_conv_at_least" not in LearnerContest(jobs[1:], FEW).results


def test_bounds_are_never_silent() -> None:
    exact: Row = {"nash_conv": 0.2, "nash_conv_at_least": 0.2}
    plain: Row = {"nash_conv": 0.2, "nash_conv_at_least": None}
    refused: Row = {"nash_conv": None, "nash_conv_at_least": None}
    bounds: Row = {"nash_conv": 0.2, "nash_conv_at_least": 0.1}
    assert bounds_text([exact, plain, refused]) == ""
    assert "of 2 runs is an upper bound" in bounds_text([exact, bounds, plain, bounds])
