"""`market` and `tournament` without a screen: text, JSON, files, and what is refused."""

import csv
import json
import re
from pathlib import Path

import pytest

from negotiation_tui.cli.main import main
from tests.support.cli import Captured, printed, refused

SMALL = ("market", "--seed", "3", "--limit", "negotiations=500", "--costs", "1,2", "--values", "4")
ROSTER = """
[[seller]]
count = 4
reservation = { min = 1, max = 3 }
[[buyer]]
count = 4
strategy = "zero-intelligence"
"""


def output(capsys: Captured, *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_market_text(capsys: Captured) -> None:
    found = output(capsys, *SMALL, "--compare")
    for words in ("10 sellers who learn", "500 negotiations", "efficiency", "zero-intelligence"):
        assert words in found
    assert "seed 3" in found
    assert "takes time" not in found
    assert "takes time and so costs efficiency" in output(
        capsys, "market", "--limit", "steps=30", "--compare"
    )


def test_learners_are_compared_with_each_other(capsys: Captured) -> None:
    found = output(capsys, *SMALL, "--learner", "sarsa", "--compare", "learned:double-q")
    assert found.startswith("10 sellers who learn by sarsa, 10 buyers who learn by sarsa\n")
    assert "learned:double-q " in found
    same = output(capsys, *SMALL, "--seller", "learned:sarsa", "--learner", "sarsa")
    assert found.startswith(same.rstrip())
    found = output(capsys, *SMALL, "--learner", "sarsa", "--seller", "learned:double-q")
    assert found.startswith("10 sellers who learn by double-q, 10 buyers who learn by sarsa\n")


@pytest.mark.usefixtures("without_numba")  # a busy machine would compile the loop of markets
def test_both_are_compared_all_the_time_and_in_the_last_tenth(capsys: Captured) -> None:
    words = ("--limit", "negotiations=5000", "--compare", "boulware")
    table = output(capsys, *SMALL, *words).split("\n\n")[1].splitlines()
    data = json.loads(output(capsys, *SMALL, *words, "--json"))
    assert table[0].split("  ")[-1] == "Smith's α"
    assert [line[:19].strip() for line in table] == [
        "",
        "here",
        "of the last 10%",
        "boulware",
        "of the last 10%",
    ]
    for line, (found, prefix) in zip(
        table[1:],
        [(held, which) for held in (data, data["compared"]) for which in ("", "last_")],
        strict=True,
    ):
        numbers = (found[prefix + name] for name in ("mean_price", "dispersion", "alpha"))
        share = f"{100 * found[f'{prefix}efficiency']:.1f}%"
        assert re.split("  +", line[19:].strip()) == [share, *(f"{n:.2f}" for n in numbers)]


def test_a_file_of_agents_kept_and_shown_again(capsys: Captured, tmp_path: Path) -> None:
    roster, kept = tmp_path / "agents.toml", tmp_path / "room.npz"
    roster.write_text(ROSTER)
    words = ("market", str(roster), "--seed", "1", "--limit", "steps=200", "--save", str(kept))
    assert output(capsys, *words) == output(capsys, "market", "--resume", str(kept))


def test_it_says_what_it_wrote_where_and_rows_agree_with_json(
    capsys: Captured, tmp_path: Path
) -> None:
    kept, file = tmp_path / "room.npz", tmp_path / "rows.csv"
    for words, said in (
        ((), ""),
        (("--out", str(file)), f"rows written to {file}\n"),
        (
            ("--save", str(kept), "--out", str(file)),
            f"market saved to {kept}, rows written to {file}\n",
        ),
    ):
        assert main((*SMALL, "--json", *words)) == 0
        out, err = capsys.readouterr()
        assert err == said
        found = json.loads(out)
    rows = list(csv.DictReader(file.open(newline="")))
    assert found["negotiations"] == sum(int(row["negotiations"]) for row in rows) == 500
    assert found["deals"] == sum(int(row["deals"]) for row in rows)
    assert sum(agent["surplus"] for agent in found["agents"]) == found["surplus"]
    assert sum(wallet["money"] for wallet in found["wallets"]) == 0


ENTRANTS = ("midpoint", "random", "boulware:beta=0.1")
FEW = ("tournament", *ENTRANTS, "--negotiations", "20", "--workers", "1")


def test_tournament_text(capsys: Captured) -> None:
    lines = printed(capsys, *FEW).splitlines()
    assert lines[0].startswith("original: 3 entrants")
    assert "as buyer, 20 negotiations per pairing" in lines[0]
    assert "as buyer, 1 negotiation per pairing" in printed(capsys, *FEW, "--negotiations", "1")
    assert "seed 0" in lines[0]
    ranked = [line.split()[:2] for line in lines[4:7]]
    assert [rank for rank, _ in ranked] == ["1", "2", "3"]
    assert {name for _, name in ranked} == {"midpoint", "random", "boulware:beta=0.1"}
    assert lines[3].endswith("rounds  pairings")
    assert [line.split()[-1] for line in lines[4:7]] == ["5", "5", "5"]
    assert lines[8].startswith("mean price, seller down, buyer across")
    assert lines[11].split()[:2] == ["1", "midpoint"]
    assert "░" in "".join(lines)
    assert printed(capsys, *FEW, "--ascii").isascii()


def test_a_file_of_another_tournament_is_refused(capsys: Captured) -> None:
    printed(capsys, *FEW, "--out", "rows.csv")
    said = refused(capsys, *FEW, "--seed", "1", "--out", "rows.csv")
    assert "is not a file of this tournament" in said
