"""A resumed file is refused in one line if a value is of another type, not finite or missing."""

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from tests.support.cli import refused, status_of

LEAGUE = "league --learners q-learning --seeds 1 --episodes 50 --text"
TOURNAMENT = "tournament random midpoint --negotiations 30 --text"
SWEEP = "sweep --set cycles=3 --set episodes=20"
REPRODUCE = "reproduce --runs 2"
COLUMNS = {
    LEAGUE: "share_seller",
    TOURNAMENT: "reward_buyer",
    SWEEP: "train_agreements_seller",
    REPRODUCE: "corrected_seller_wallet",
}
OTHERS = [(TOURNAMENT, "sample", "7"), (SWEEP, "nash_conv", "many"), (LEAGUE, "seconds", "1e999")]
UNFIT = [*((words, name, cell) for words, name in COLUMNS.items() for cell in ("nan", "inf", ""))]


@cache
def lines_of(words: str) -> list[str]:
    for _ in range(2):  # the second time they are read
        assert status_of(*words.split(), "--out", "rows.csv") == 0
    return Path("rows.csv").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("words", "column", "value"), [*UNFIT, *OTHERS])
def test_an_unfit_value_is_named(
    words: str, column: str, value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = list(csv.DictReader(lines_of(words)))
    rows[0][column] = value
    with Path("rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()
    before = Path("rows.csv").read_bytes()
    err = refused(capsys, *words.split(), "--out", "rows.csv")
    assert Path("rows.csv").read_bytes() == before
    line = rf"'rows.csv': row 1, {column}: expected .*, got .*; remove the row"
    assert re.search(line, err), err
