"""`solve`: the equilibrium in words and as JSON, and how far saved tables are from it."""

import json
from pathlib import Path
from typing import Any

import pytest

import negotiation_tui as nt
from negotiation_tui.cli import solve_report
from negotiation_tui.cli.main import main
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, TieBreak, solve
from tests.support.cli import printed

Captured = pytest.CaptureFixture[str]

KNOWN = [name for name in PRESETS if not PRESETS[name]().hidden]
"""The presets of perfect information."""
SMALL = """
prices = [10, 20, 40]
rounds = 2
opener = "buyer"
states = "opener-aware"
seller = { min = 15, max = 40, reservation = 5 }
buyer = { min = 10, max = 30, reservation = 45 }
"""


def as_json(capsys: Captured, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, "solve", "--json", *options))
    return found


@pytest.fixture
def small() -> str:
    Path("small.toml").write_text(SMALL, encoding="utf-8")
    return "small.toml"


@pytest.fixture
def tables(capsys: Captured) -> str:
    words = "train --seed 3 --cycles 4 --discount-rate 0.9 --no-verbose --save tables.npz"
    assert main(words.split()) == 0
    capsys.readouterr()
    return "tables.npz"


def assert_solved(found: dict[str, Any], scenario: Scenario, rate: float) -> None:
    assert Scenario.from_dict(found["scenario"]) == scenario
    assert found["discount_rate"] == rate
    pairs = [(opener, rule) for opener in Role for rule in TieBreak]
    assert len(found["equilibria"]) == len(pairs)
    for said, (opener, rule) in zip(found["equilibria"], pairs, strict=True):
        solution = solve(scenario, opener, rate, rule)
        path = solution.path
        assert (said["opener"], said["tie_break"]) == (str(opener), str(rule))
        assert (said["seller"], said["buyer"]) == solution.values
        assert said["price"] == path.outcome.price
        assert said["turns"] == [
            {"role": str(t.role), "round": t.round + 1, "action": scenario.action_label(t.action)}
            for t in path.turns
        ]


@pytest.mark.parametrize("preset", KNOWN)
@pytest.mark.parametrize(("words", "rate"), [("", DISCOUNT), ("--discount-rate 0.5", 0.5)])
def test_presets(capsys: Captured, preset: str, words: str, rate: float) -> None:
    assert_solved(as_json(capsys, "--scenario", preset, *words.split()), PRESETS[preset](), rate)


def test_a_scenario_of_ones_own(capsys: Captured, small: str) -> None:
    found = as_json(capsys, "--scenario", small)
    assert_solved(found, Scenario.from_file(small), DISCOUNT)
    assert found["scenario"]["states"] == "opener-aware"
    found = as_json(capsys, "--scenario", small, "--states", "published")
    assert found["scenario"]["states"] == "published"


def test_original_in_words(capsys: Captured) -> None:
    lines = [line.strip() for line in printed(capsys, "solve").splitlines()]
    assert lines[0].startswith("scenario original, 5 prices × 5 rounds, γ = 0.99")
    for words, moves, worth in (
        ("the seller opens; an indifferent player accepts", "seller asks 5", "1.0000"),
        ("the seller opens; an indifferent player rejects", "seller asks 4", "0.8000"),
        ("the buyer opens; an indifferent player accepts", "buyer offers 1", "0.2000"),
        ("the buyer opens; an indifferent player rejects", "buyer offers 1", "0.2000"),
    ):
        at = lines.index(words)
        assert lines[at + 1].startswith(f"round 1: {moves}, ")
        assert f"accepts {moves[-1]}" in lines[at + 1]
        assert lines[at + 2].startswith(f"worth {worth} to the seller")
        assert lines[at + 2].endswith(f"the {moves.split()[0]} gains more")
    assert "NashConv" not in " ".join(lines), "nobody asked about tables"


def test_the_middle_of_a_long_negotiation_is_left_out() -> None:
    text = solve_report.moves(nt.negotiate("legacy", "hardliner", "hardliner"))
    assert text.startswith("round 1: seller asks 100, buyer offers 0, round 2: ")
    assert text.endswith(", round 10: seller asks 100, buyer quits")
    assert text.count("…") == 1


def test_no_zone_of_agreement(capsys: Captured) -> None:
    text = "prices = 4\nrounds = 3\nseller = {min=3, max=4}\nbuyer = {min=1, max=2}\n"
    Path("apart.toml").write_text(text, encoding="utf-8")
    assert "accepts " not in printed(capsys, "solve", "--scenario", "apart.toml")
    found = as_json(capsys, "--scenario", "apart.toml")["equilibria"]
    assert [one["price"] for one in found] == [None] * 4


@pytest.mark.parametrize(("words", "rate"), [("", 0.9), ("--undiscounted", 1.0)])
def test_saved_tables_are_judged(capsys: Captured, tables: str, words: str, rate: float) -> None:
    found = as_json(capsys, "--policy", tables, *words.split())
    kept = load_tables(tables)
    assert_solved(found, kept.scenario, rate)
    seller, buyer = (greedy(kept.scenario, role, kept.q_tables[role]) for role in Role)
    judged = nash_conv(kept.scenario, seller, buyer, rate)
    assert found["nash_conv"] == judged.total
    text = printed(capsys, "solve", "--policy", tables, *words.split())
    assert f"\nNashConv {judged.total:.4f} (both openers equally often)\n" in text
    for role in Role:
        said = found["roles"][str(role)]
        assert (said["value"], said["gain"]) == (judged.values[role], judged.exploitability[role])
        assert f"the {role} plays its table\n    it gets {said['value']:.4f}; " in text
        assert f"its best response gets {said['gain']:.4f} more" in text
        for opener in Role:
            best = said["best_response"][f"{opener}_opens"]
            assert best["value"] == judged.responses[role].values[opener]
            assert best["turns"][0]["role"] == str(opener)
            assert best["turns"][-1]["action"] in {"0", "-1"}
            assert f"when the {opener} opens, worth {best['value']:.4f}" in text


SHORT = ("train", "--no-verbose", "--save", "t.npz", "--seed", "1", "--cycles", "3")


def test_who_sat_in_the_seats_is_judged(capsys: Captured) -> None:
    main([*SHORT, "--buyer", "midpoint"])
    capsys.readouterr()
    text = printed(capsys, "solve", "--policy", "t.npz")
    assert "the buyer plays midpoint, a static strategy" in text
    main([*SHORT, "--no-train-both"])
    capsys.readouterr()
    assert "the buyer plays at random: its table was never trained" in printed(
        capsys, "solve", "--policy", "t.npz"
    )


def test_the_opener_of_the_training_is_judged(capsys: Captured) -> None:
    main([*SHORT, "--opener", "buyer"])
    capsys.readouterr()
    found = as_json(capsys, "--policy", "t.npz")
    assert found["scenario"]["opener"] == "buyer"
    text = printed(capsys, "solve", "--policy", "t.npz")
    assert "(the buyer opens)" in text
    assert "best response when the seller opens" not in text
