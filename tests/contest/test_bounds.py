"""A resumed file whose rows hold impossible numbers is refused in one line; its own is not."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.cli import refused, status_of

LEAGUE = "league --learners q-learning,sarsa --seeds 1 --episodes 50 --text"
TOURNAMENT = "tournament random midpoint boulware --negotiations 30 --text"
SWEEP = "sweep --set cycles=3 --set episodes=20"
REPRODUCE = "reproduce --runs 2"
LOSING = """
prices = [1, 3, 4, 9]
rounds = 4
seller.reservation = 4
buyer.reservation = 3
"""
HIDDEN = "tournament random zero-intelligence --negotiations 40 --text --scenario"
PLAYED = [
    LEAGUE,
    f"{LEAGUE} --games hidden",
    f"{LEAGUE} --games losing.toml",
    TOURNAMENT,
    f"{HIDDEN} hidden",
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


def written(words: str) -> list[str]:
    Path("losing.toml").write_text(LOSING, encoding="utf-8")
    return [*words.split(), "--out", "rows.csv"]


@cache
def lines_of(words: str) -> list[str]:
    assert status_of(*written(words)) == 0
    return Path("rows.csv").read_text(encoding="utf-8").splitlines()


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
    rows = list(csv.DictReader(lines_of(words)))
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
