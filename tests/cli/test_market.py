"""The command `market`: text, JSON, rows, kept rooms, and one line for what is wrong."""

import csv
import json
import re
from pathlib import Path

import pytest

from negotiation_tui.cli.main import main

Captured = pytest.CaptureFixture[str]
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


def test_text(capsys: Captured) -> None:
    found = output(capsys, *SMALL, "--compare")
    for words in ("10 sellers who learn", "500 negotiations", "efficiency", "zero-intelligence"):
        assert words in found
    assert "seed 3" in found


def test_learners_are_compared_with_each_other(capsys: Captured) -> None:
    """A market of SARSA beside that of Q-learning: one who says only `learned` learns so."""
    found = output(capsys, *SMALL, "--learner", "sarsa", "--compare", "learned:double-q")
    assert found.startswith("10 sellers who learn by sarsa, 10 buyers who learn by sarsa\n")
    assert "learned:double-q " in found
    same = output(capsys, *SMALL, "--seller", "learned:sarsa", "--learner", "sarsa")
    assert found.startswith(same.rstrip())
    found = output(capsys, *SMALL, "--learner", "sarsa", "--seller", "learned:double-q")
    assert found.startswith("10 sellers who learn by double-q, 10 buyers who learn by sarsa\n")


def test_one_is_one(capsys: Captured) -> None:
    words = ("market", "--seed", "1", "--limit", "negotiations=1", "--costs=-4..1")
    found = output(capsys, *words, "--sellers", "1", "--seller", "hardliner")
    assert found.startswith("1 seller as hardliner, 10 buyers who learn\n1 negotiation in 1 tick, ")
    found = output(capsys, *words, "--buyers", "1")
    assert found.startswith("10 sellers who learn, 1 buyer who learns\n1 negotiation in 1 tick, ")


def test_json_and_rows_agree(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    found = json.loads(output(capsys, *SMALL, "--json", "--out", str(path)))
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert found["negotiations"] == sum(int(row["negotiations"]) for row in rows) == 500
    assert found["deals"] == sum(int(row["deals"]) for row in rows)
    assert sum(agent["surplus"] for agent in found["agents"]) == found["surplus"]
    assert sum(wallet["money"] for wallet in found["wallets"]) == 0


def test_the_last_tenth_and_the_rounds_to_a_deal_are_those_of_the_rows(capsys: Captured) -> None:
    words = ("market", "--seed", "2", "--costs", "1,2,3", "--values", "5,4,3", "--json")
    for limit in ("negotiations=30003", "steps=1500", "steps=7"):
        found = json.loads(output(capsys, *words, "--limit", limit))
        rows = found["periods"]
        last = rows[-max(1, len(rows) // 10) :]
        for prefix, some in (("", rows), ("last_", last)):
            surplus = sum(row["surplus"] for row in some)
            possible = sum(row["surplus"] / row["efficiency"] for row in some if row["surplus"])
            assert found[f"{prefix}surplus"] == surplus
            assert found[f"{prefix}efficiency"] == surplus / found[f"{prefix}possible_surplus"]
            if all(row["surplus"] for row in some):
                assert round(possible) == found[f"{prefix}possible_surplus"]
        rounds = [row["deal_rounds"] * row["deals"] for row in rows if row["deals"]]
        assert sum(rounds) / found["deals"] == pytest.approx(found["deal_rounds"])
        assert all((row["deal_rounds"] is None) == (row["deals"] == 0) for row in rows)


def test_where_all_close_in_one_round_a_deal_takes_one(capsys: Captured) -> None:
    words = ("market", "--rounds", "1", "--json", "--limit", "negotiations=50", "--seed", "1")
    found = json.loads(output(capsys, *words, "--seller", "conceder", "--buyer", "conceder"))
    assert found["mean_rounds"] == found["deal_rounds"] == 1


def test_both_are_compared_all_the_time_and_in_the_last_tenth(capsys: Captured) -> None:
    words = ("--limit", "negotiations=20000", "--compare", "boulware")
    table = output(capsys, *SMALL, *words).split("\n\n")[1].splitlines()
    data = json.loads(output(capsys, *SMALL, *words, "--json"))
    assert table[0].split("  ")[-1] == "Smith's α"
    assert [line[:19].strip() for line in table] == [
        "",
        "here",
        "of the last 10 %",
        "boulware",
        "of the last 10 %",
    ]
    for line, (found, prefix) in zip(
        table[1:],
        [(held, which) for held in (data, data["compared"]) for which in ("", "last_")],
        strict=True,
    ):
        numbers = (found[prefix + name] for name in ("mean_price", "dispersion", "alpha"))
        share = f"{100 * found[f'{prefix}efficiency']:.1f} %"
        assert re.split("  +", line[19:].strip()) == [share, *(f"{n:.2f}" for n in numbers)]


def test_the_same_seed_is_the_same_market(capsys: Captured) -> None:
    assert output(capsys, *SMALL) == output(capsys, *SMALL)


def test_a_file_of_agents_kept_and_shown_again(capsys: Captured, tmp_path: Path) -> None:
    roster, kept = tmp_path / "agents.toml", tmp_path / "room.npz"
    roster.write_text(ROSTER)
    words = ("market", str(roster), "--seed", "1", "--limit", "steps=200", "--save", str(kept))
    assert output(capsys, *words) == output(capsys, "market", "--resume", str(kept))


def test_it_says_what_it_wrote_where(capsys: Captured, tmp_path: Path) -> None:
    kept, rows = tmp_path / "room.npz", tmp_path / "rows.csv"
    for words, said in (
        ((), ""),
        (("--out", str(rows)), f"rows written to {rows}\n"),
        (
            ("--save", str(kept), "--out", str(rows)),
            f"market saved to {kept}, rows written to {rows}\n",
        ),
    ):
        assert main((*SMALL, "--json", *words)) == 0
        found = capsys.readouterr()
        assert found.err == said
        json.loads(found.out)
