"""Contests before and after: how long they will take, and rows that hold impossible numbers."""

import csv
import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui import Scenario, States
from negotiation_tui.contest.ahead import Ahead, Load, ahead_of
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands
from negotiation_tui.sessions.contest_session import ContestSession
from tests.support.cli import refused, running, status_of
from tests.support.game import some

GAME = Scenario.original()
PROGRAM = "cmd:exit 1"  # would fail if it were asked
LONG = {
    "sweep": (("--set", "cycles=1000000", "--runs", "30"), "30 runs of 100,000,000 episodes"),
    "tournament": (
        ("--text", "--negotiations", "5000000"),
        "324 pairings of 5,000,000 negotiations",
    ),
    "league": (
        ("--text", "--learners", "sarsa,double-q", "--episodes", "1000000000"),
        "6 runs of 1,000,000,000 episodes",
    ),
}


@contextmanager
def said(*words: str) -> Iterator[str]:
    """Start the program; yield the first line that it prints to stderr."""
    with running(*words, until=lambda _: True) as process:
        assert process.stderr
        assert select.select([process.stderr], [], [], 60)[0], "nothing was said"
        yield process.stderr.readline()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", LONG)
def test_long_work_is_announced(name: str, workers: int) -> None:
    options, size = LONG[name]
    with said(name, *options, "--workers", str(workers)) as line:
        who = "1 worker" if workers == 1 else "2 workers"
        assert re.fullmatch(rf"about \d+ (s|min|h) with {who} \({size}\)\n", line)


def test_short_work_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    league = LearnerContest.of(["q-learning"], ["original"], 1, episodes=100)
    assert len(league.rows()) == 1
    assert capsys.readouterr().err == ""


def ahead(*players: str, scenario: Scenario = GAME, load: Load | None = None) -> Ahead | None:
    both = (players[0], players[-1])
    return ahead_of({Run.by_recipe(scenario, "annealing", 0, both): load or Load(1e9)})


def test_players_of_the_user_count_as_the_others_and_are_not_asked() -> None:
    assert ahead(PROGRAM) is None
    assert ahead(PROGRAM, "boulware") is not None


def test_it_grows_with_the_work_and_falls_with_the_workers() -> None:
    one, judged = some(ahead("learned:wolf-phc")), Load(1e9, 1e9)
    assert one.seconds(1) > one.seconds(2) >= one.shared / 2
    more = some(ahead("learned:wolf-phc", load=judged))
    assert more.seconds(1) > 2 * one.seconds(1)


@pytest.mark.parametrize("spec", ["learned", "learned:cfr"])
def test_a_large_game_is_not_played_and_counts_by_its_size(spec: str) -> None:
    load = Load(40_000, 10)
    hidden = map(Scenario.of, ("hidden", "bazaar"))
    games = (replace(game, states=States.OPENER_AWARE) for game in hidden)
    small, large = (some(ahead(spec, scenario=game, load=load)) for game in games)
    assert large.seconds(1) > small.seconds(1)


def test_the_screen_knows_it_before_the_first_result() -> None:
    contest = StrategyContest.of(GAME, ["boulware", "conceder"])
    session = ContestSession(contest, contest.file(), 2, None)
    session.handle(commands.Run())
    try:
        session.step()
        assert not session.snapshot.rows
        assert session.snapshot.seconds_left
    finally:
        session.close()


LEAGUE = "league --learners q-learning,sarsa --seeds 1 --episodes 50 --text"
TOURNAMENT = "tournament random midpoint boulware --negotiations 30 --text"
SWEEP = "sweep --set cycles=3 --set episodes=20"
REPRODUCE = "reproduce --runs 2"
LOSING = """
prices = [1, 3, 4, 9]
rounds = 4
opener = "alternate"
[seller]
min = 1
max = 9
reservation = 4
[buyer]
min = 1
max = 9
reservation = 3
"""
HIDDEN = "tournament random zero-intelligence --negotiations 40 --text --scenario"
PLAYED = [
    LEAGUE,
    f"{LEAGUE} --games hidden",
    f"{LEAGUE} --games losing.toml",
    TOURNAMENT,
    f"{HIDDEN} hidden",
    f"{HIDDEN} bazaar",
    f"{HIDDEN} losing.toml",
    f"{SWEEP} --scenario hidden",
    f"{SWEEP} --scenario losing.toml",
    SWEEP,
]
IMPOSSIBLE = [
    (LEAGUE, "nash_conv", "-5", "a number from 0 to 4.0"),
    (LEAGUE, "share_seller", "-1e9", "a number from 0 to 1"),
    (LEAGUE, "reached", "101", "an integer from 0 to "),
    (LEAGUE, "seconds", "-0.1", "a number from 0 to "),
    *(
        (TOURNAMENT, "deals", cell, "an integer from 0 to 30")
        for cell in ("31", "2.5", "many", "1e308", "nan", "[]")
    ),
    *(
        (TOURNAMENT, "mean_price", cell, "a number")
        for cell in ("5.5", "inf", "1e999", "-1e19", "9" * 5000)
    ),
    *(
        (TOURNAMENT, name, "x" * 100_000, "a number")
        for name in ("deal_share", "reward_seller", "mean_rounds")
    ),
    (TOURNAMENT, "deals", "", "a number"),
    (TOURNAMENT, "sample", "7", ""),
    (TOURNAMENT, "share_buyer", "-1e9", "a number from 0 to 1"),
    (SWEEP, "nash_conv", "-5", "a number from 0 to 4.0"),
    (SWEEP, "train_agreements_seller", "61", "an integer from 0 to 60"),
    (SWEEP, "corrected_mean_price", "0.5", "a number from 1 to 5"),
    (REPRODUCE, "corrected_agreements_buyer", "1001", "an integer from 0 to 1,000"),
    (REPRODUCE, "last_cycle_seller_wallet", "1e9", "a number from -"),
]


def written(words: str, *options: str) -> list[str]:
    Path("losing.toml").write_text(LOSING, encoding="utf-8")
    return [*words.split(), "--out", "rows.csv", *options]


@pytest.mark.parametrize("words", PLAYED)
def test_rows_that_were_played_are_within_their_bounds(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):  # the second time they are read
        assert status_of(*written(words)) == 0, capsys.readouterr().err


@pytest.mark.parametrize(("words", "column", "value", "expected"), IMPOSSIBLE)
def test_an_impossible_number_names_its_column_and_range(
    words: str, column: str, value: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(*written(words)) == 0
    with Path("rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0][column] = value
    with Path("rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()
    before = Path("rows.csv").read_bytes()
    err = refused(capsys, *written(words))
    assert Path("rows.csv").read_bytes() == before
    assert len(err) <= 350
    line = rf"'rows.csv': row 1, {column}: expected {re.escape(expected)}.*, got .*; remove the row"
    assert re.search(line, err), err
