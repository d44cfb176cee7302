"""The league: its matches, rows, standings, and the trainings that they come from."""

import json
import math
import shlex
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import LEARNERS, Role, Scenario
from negotiation_tui.contest.contest import sorted_by
from negotiation_tui.contest.league import (
    SETTINGS,
    LearnerContest,
    bounds_text,
    entrants_in,
    learners_of,
    reached,
)
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.players.run import Run, train_command, training_of
from negotiation_tui.runtime.estimate import Estimate, Rate, with_error
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.payoffs import Pairs
from negotiation_tui.strategies.matchup import tables_of
from tests.support.cli import Captured, printed
from tests.support.contests import league_row
from tests.support.paths import ROOT

FEW = ("q-learning", "wolf-phc")
CONTEST = LearnerContest.of(FEW, ("3x2", "2x2"), seeds=2, episodes=360)
JOBS = CONTEST.jobs


@cache
def all_rows() -> tuple[ResultRow, ...]:
    return tuple(CONTEST.rows(None, 1, None))


def but_time(rows: object) -> object:
    """The rows without the seconds, which no two runs share."""
    assert isinstance(rows, list | tuple)
    return [{name: row[name] for name in row if name != "seconds"} for row in rows]


def test_each_meets_each_in_the_first_game_and_only_itself_in_the_others() -> None:
    met = [(job.game[1], *entrants_in(job), job.seed) for job in JOBS]
    assert met == [
        *(("3x2", "q-learning", "q-learning", seed) for seed in (0, 1)),
        ("3x2", "q-learning", "wolf-phc", 0),
        ("3x2", "wolf-phc", "q-learning", 1),
        *(("3x2", "wolf-phc", "wolf-phc", seed) for seed in (0, 1)),
        *(("2x2", name, name, seed) for name in FEW for seed in (0, 1)),
    ]
    assert all(job.scenario.opener_aware for job in JOBS)
    assert set(LearnerContest.of(FEW[::-1], ("3x2", "2x2"), 2, episodes=360).jobs) == set(JOBS)


def test_without_names_every_learner_takes_part() -> None:
    names = learners_of(())
    assert [name.partition(":")[0] for name in names] == list(LEARNERS)
    for name, settings in SETTINGS.items():
        assert f"{name}:{settings}" in names


def test_a_size_is_a_scenario_as_the_original() -> None:
    assert Scenario.of("5x5").to_dict() == {**Scenario.original().to_dict(), "name": "5x5"}
    assert Scenario.of("20x7").rounds == 7


@pytest.mark.parametrize("number", [0, 2, 7])
def test_a_row_is_what_train_gives(number: int, capsys: Captured) -> None:

    job, row = JOBS[number], all_rows()[number]
    words = shlex.split(train_command(job))
    assert words[0] == "negotiation-tui"
    told = json.loads(printed(capsys, *words[1:]))
    assert told["nash_convs"][-1] == [job.parameters.cycles, row["nash_conv"]]


def test_with_other_episodes_epsilon_still_falls_over_all_of_them() -> None:
    (job,) = LearnerContest.of(FEW[:1], ("3x2",), 1, episodes=360).jobs
    usual = RECIPES[job.recipe](job.scenario)
    assert job.parameters.total == 360
    falls = [each.exploration_decay * each.total for each in (job.parameters, usual)]
    assert falls[0] == pytest.approx(falls[1])


def test_close_for_good_begins_after_the_last_value_above() -> None:
    values = ((1, 0.5), (2, 0.009), (3, 0.02), (4, 0.01), (8, 0.0))
    assert reached(values, 100) == 400
    assert reached(values[:3], 100) is None
    assert reached(values[1:2], 100) == 200


@pytest.mark.slow
@pytest.mark.usefixtures("without_numba")  # compiling takes longer
@pytest.mark.parametrize("name", learners_of(()))
def test_each_learner_comes_close_to_equilibrium_on_a_small_game(name: str) -> None:
    (job,) = LearnerContest.of([name], ["3x2"], 1).jobs
    assert league_row(job, 1)["nash_conv"] <= 0.05


def test_own_learners_take_part_by_a_recipe_that_begins_at_the_opening() -> None:
    file = str(ROOT / "docs" / "my_learner.py")
    league = nt.run_league(
        [file, "sarsa"], games=["2x2"], seeds=1, recipe="corrected", episodes=100
    )
    assert [row["refused"] for row in league.rows] == [None] * 3
    refused = nt.run_league([file], games=["2x2"], seeds=1, episodes=100).rows[0]
    assert "use recipe published" in refused["refused"]


def test_of_a_script_and_of_the_command(capsys: Captured) -> None:
    league = nt.run_league(FEW, games=["3x2", "2x2"], seeds=2, episodes=360)
    assert but_time(league.rows) == but_time(all_rows())
    assert league.contest.jobs == JOBS
    assert league.matrix("nash_conv").shape == (2, 2)
    words = ("--learners", ",".join(FEW), "--games", "3x2,2x2", "--seeds", "2")
    told = json.loads(printed(capsys, "league", *words, "--episodes", "360", "--json"))
    assert told["learners"] == list(FEW)
    commands = [row.pop("command") for row in told["runs"]]
    assert but_time(told["runs"]) == but_time(all_rows())
    assert commands == [train_command(job) for job in JOBS]


def a_row(seller: str, buyer: str, seed: int, nash_conv: float, **others: object) -> ResultRow:
    values: ResultRow = {
        "scenario": "3x2",
        "seller": seller,
        "buyer": buyer,
        "seed": seed,
        "reached": 100 if nash_conv <= 0.01 else None,
        "nash_conv": nash_conv,
        "share_seller": 0.6,
        "share_buyer": 0.3,
        "deals": 0.9,
        "seconds": 1.0,
        "refused": None,
    }
    return {**values, **others}


def test_standings_and_cells_by_hand() -> None:
    rows = [
        a_row("a", "a", 0, 0.0, reached=300),
        a_row("a", "a", 1, 0.01),
        a_row("a", "b", 0, 0.3),
        a_row("b", "a", 1, 0.5),
        a_row("b", "b", 0, 0.9, refused="it cannot"),
        a_row("b", "b", 1, 0.9, scenario="2x2"),
    ]
    contest = LearnerContest(JOBS, ("b", "a", "c"))
    first, second, third = contest.leaderboard(rows)
    assert (first.name, first.rank, first.runs, first.close) == ("a", 1, 4, 0.5)
    assert first.nash_conv == Estimate.of(np.array([0.15, 0.255]))
    assert first.itself == Estimate.of(np.array([0.0, 0.01]))
    assert first.reached == Estimate.of(np.array([300, 100]))
    assert first.share == Estimate.of(np.array([0.6, 0.3]))
    assert (second.name, second.rank, second.itself) == ("b", 2, None)
    assert second.games["2x2"].nash_conv == Estimate(0.9, math.inf)
    assert (third.name, third.rank, third.nash_conv) == ("c", None, None)
    found = contest.cells(rows)
    assert found["a", "b"]["nash_conv"] == found["b", "a"]["nash_conv"] == 0.4
    assert (found["a", "b"]["share"], found["b", "a"]["share"]) == pytest.approx((0.45, 0.45))
    assert found["b", "b"]["refused"] == "it cannot"
    orders = [column for column in CONTEST.columns if column.sort]
    assert [each.name for each in sorted_by(orders[0], [third, second, first])] == ["a", "b", "c"]


def test_the_text_has_a_table_for_each_game() -> None:
    text = CONTEST.text(all_rows(), 80, " .:+#")
    assert text.startswith("3x2: 2 learners, each with each and with itself, 2 seeds, 360 epis")
    assert "\n3x2, each learner with itself" in text
    assert "\n2x2, each learner with itself" in text
    assert f"one run by itself: {train_command(JOBS[0])}" in text
    close = sum(row["reached"] is not None for row in all_rows()[:2])
    assert str(Rate(close, 2)) in text
    assert with_error(Estimate(0.5, math.inf), ".2f") == "0.50"
    assert with_error(None, ".2f") == "–"


@pytest.mark.parametrize(
    ("successes", "runs", "text"),
    [
        (20, 20, "20 of 20: at least 84%"),
        (0, 20, "0 of 20: at most 16%"),
        (66, 100, "66 of 100: 56 to 75%"),
        (0, 0, "0 of 0"),
    ],
)
def test_a_rate_has_the_interval_of_wilson(successes: int, runs: int, text: str) -> None:
    """Its ends are the probabilities from which the rate is 1.96 standard errors away."""
    rate = Rate(successes, runs)
    assert str(rate) == text
    for p in rate.bounds if runs else ():
        assert abs(successes / runs - p) == pytest.approx(1.959964 * (p * (1 - p) / runs) ** 0.5)


def hidden_match(
    seller: str = "limits = [0, 3], weights = [3, 1]",
    buyer: str = "limits = [1, 2, 4]",
    delta: float = 1.0,
) -> Run:
    game = (
        f"delta = {delta}\nprices = 3\nrounds = 2\nseller = {{ {seller} }}\nbuyer = {{ {buyer} }}\n"
    )
    Path("game.toml").write_text(game)
    return LearnerContest.of(("q-learning", "sarsa"), ("game.toml",), 1, episodes=720).jobs[1]


def judged(match: Run) -> tuple[NashConv, ExpectedPlay]:
    training = training_of(match)
    training.run()
    tables = tables_of(match.scenario, *map(training.policy, Role))
    assert tables
    found = nash_conv(match.scenario, *tables)
    assert found.play
    return found, found.play


@pytest.mark.parametrize("delta", [1.0, 0.6])
def test_a_row_is_that_of_the_training_judged_exactly(delta: float) -> None:
    match = hidden_match(delta=delta)
    assert match.parameters.discount_rate == (0.99 if delta == 1 else 1)
    row, (found, play) = league_row(match), judged(match)
    assert (row["nash_conv"], row["nash_conv_at_least"]) == (found.total, found.total)
    assert row["gain_seller"] + row["gain_buyer"] == row["nash_conv"]
    assert row["share_seller"] + row["share_buyer"] == pytest.approx(play.efficiency)
    assert (play.efficiency < row["deals"] - 0.01) == (delta < 1), "a late deal pays less"
    pairs = Pairs.of(match.scenario)
    possible = pairs.chances[pairs.tradable].sum()
    assert row["deals"] == pytest.approx((pairs.chances * play.deal).sum() / possible)
    assert possible == pytest.approx(3 / 4 + 1 / 4 / 3)


def test_the_shares_are_those_of_the_policies() -> None:
    job, row = JOBS[3], all_rows()[3]
    training = training_of(job)
    training.run()
    tables = tables_of(job.scenario, *map(training.policy, Role))
    assert tables
    play = expected_play(job.scenario, *tables)
    assert row["deals"] == pytest.approx(np.mean([play.opened_by(role).deal for role in Role]))
    for role in Role:
        assert row[f"share_{role}"] == pytest.approx(np.mean(play.returns(role)))


def test_without_any_overlap_nobody_gains() -> None:
    row = league_row(hidden_match("limits = [3]", "limits = [1, 2]"))
    assert [row[name] for name in ("share_seller", "share_buyer", "deals", "nash_conv")] == [0] * 4


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_file_has_the_least_that_nash_conv_can_be(suffix: str) -> None:
    jobs = (hidden_match(), *LearnerContest.of(FEW[:1], ("2x2",), 1, episodes=720).jobs)
    contest, path = LearnerContest(jobs, FEW), Path(f"rows{suffix}")
    rows = contest.rows(contest.file(path), 1, None)
    assert [row["nash_conv_at_least"] for row in rows] == [rows[0]["nash_conv"], None]
    assert contest.file(path).rows() == list(rows)
    assert "nash_conv_at_least" not in LearnerContest(jobs[1:], FEW).results


def test_bounds_are_never_silent() -> None:
    exact: ResultRow = {"nash_conv": 0.2, "nash_conv_at_least": 0.2}
    plain: ResultRow = {"nash_conv": 0.2, "nash_conv_at_least": None}
    refused: ResultRow = {"nash_conv": None, "nash_conv_at_least": None}
    bounds: ResultRow = {"nash_conv": 0.2, "nash_conv_at_least": 0.1}
    assert bounds_text([exact, plain, refused]) == ""
    assert "of 2 runs is an upper bound" in bounds_text([exact, bounds, plain, bounds])
