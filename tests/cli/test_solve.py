"""`solve`: equilibria and surplus to be reached, and how far players are from them."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.cli import solve_report
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT, Scenario
from negotiation_tui.game.scenario_file import PRESETS
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.solvers import belief_induction
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.cli import Captured, printed

KNOWN = [name for name in PRESETS if not Scenario.of(name).hidden]
"""The presets of perfect information."""
SHORT = ("train", "--no-verbose", "--save", "t.npz", "--seed", "1", "--cycles", "3")


def as_json(capsys: Captured, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, "solve", "--json", *options))
    return found


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
@pytest.mark.parametrize(("words", "rate"), [("", None), ("--discount-rate 0.5", 0.5)])
def test_presets(capsys: Captured, preset: str, words: str, rate: float | None) -> None:
    scenario = Scenario.of(preset)
    usual = 1.0 if preset in {"patience", "impatience"} else PUBLISHED_DISCOUNT
    found = as_json(capsys, "--scenario", preset, *words.split())
    assert_solved(found, scenario, usual if rate is None else rate)


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
    text = solve_report.turns_text(nt.negotiate("legacy", "hardliner", "hardliner"))
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
def test_saved_tables_are_judged(capsys: Captured, words: str, rate: float) -> None:
    printed(capsys, *SHORT, "--discount-rate", "0.9")
    found = as_json(capsys, "--policy", "t.npz", *words.split())
    kept = load_tables("t.npz")
    assert_solved(found, kept.scenario, rate)
    seller, buyer = (greedy(kept.scenario, role, kept.q_tables[role]) for role in Role)
    judged = nash_conv(kept.scenario, seller, buyer, rate)
    assert found["nash_conv"] == judged.total
    text = printed(capsys, "solve", "--policy", "t.npz", *words.split())
    assert text.splitlines()[2] == f"NashConv {judged.total:.4f} (both openers equally often)"
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


def test_who_sat_in_the_seats_is_judged(capsys: Captured) -> None:
    printed(capsys, *SHORT, "--buyer", "midpoint")
    text = printed(capsys, "solve", "--policy", "t.npz")
    assert "the buyer plays midpoint, a static strategy" in text
    printed(capsys, *SHORT, "--no-train-both")
    text = printed(capsys, "solve", "--policy", "t.npz")
    assert "the buyer plays at random: its table was never trained" in text


def test_the_opener_of_the_training_is_judged(capsys: Captured) -> None:
    printed(capsys, *SHORT, "--opener", "buyer")
    found = as_json(capsys, "--policy", "t.npz")
    assert found["scenario"]["opener"] == "buyer"
    text = printed(capsys, "solve", "--policy", "t.npz")
    assert "(the buyer opens)" in text
    assert "best response when the seller opens" not in text


pytest.importorskip("scipy")

STALL = """
prices = { min = 0, max = 8 }
rounds = 3
opener = "buyer"
seller = { limits = [5, 1], weights = [1, 3] }
buyer.limits = { min = 3, max = 7, step = 2 }
"""
PLAYERS = ("--seller", "boulware", "--buyer", "conceder")


def test_the_limits_and_the_surplus_between_them(capsys: Captured) -> None:
    text = printed(capsys, "solve", "--scenario", "hidden")
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].startswith("scenario hidden, 6 prices × 5 rounds, ")
    assert "seller: 0, 1, 2, 3, 4, equally likely" in lines
    assert "buyer:  1, 2, 3, 4, 5, equally likely" in lines
    assert any(line.startswith("first best: 0.2800, ") for line in lines)
    assert any(line.startswith("ceiling:    0.2667, 95.2% of it: ") for line in lines)
    assert lines[-1] == "No equilibrium: backward induction needs limits that both roles know"
    found = as_json(capsys, "--scenario", "hidden")
    assert found["equilibria"] == []
    assert found["first_best"] == nt.first_best("hidden") == pytest.approx(0.28)
    assert found["ceiling"] == nt.ceiling("hidden") == pytest.approx(0.28 * 20 / 21)
    assert any(line.startswith("with waits: 0.2682, 95.8% of it: ") for line in lines)
    assert found["ceiling_with_waits"] == nt.ceiling("hidden", 0.99)
    assert Scenario.from_dict(found["scenario"]) == Scenario.of("hidden")


def test_no_overlap_leaves_nothing_to_reach(capsys: Captured) -> None:
    text = "prices = 5\nrounds = 2\nseller.limits = [4, 5]\nbuyer.limits = [1, 2]"
    Path("apart.toml").write_text(text, encoding="utf-8")
    text = printed(capsys, "solve", "--scenario", "apart.toml", *PLAYERS)
    assert "first best: 0, because no pair of limits gains by trading" in text
    assert "ceiling" not in text
    assert "Bayesian NashConv 0.0000" in text
    found = as_json(capsys, "--scenario", "apart.toml", *PLAYERS)
    assert (found["first_best"], found["ceiling"], found["surplus"]) == (0, 0, 0)
    assert found["efficiency"] is None


def test_without_scipy_the_ceiling_says_why(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Limits that no other test asks for: a ceiling that was computed is kept.
    text = "prices = 5\nrounds = 2\nseller.limits = [1, 2, 4]\nbuyer.limits = [2, 4, 5]"
    Path("other.toml").write_text(text, encoding="utf-8")
    monkeypatch.setitem(sys.modules, "scipy", None)
    text = printed(capsys, "solve", "--scenario", "other.toml")
    assert (
        'ceiling:    the ceiling needs scipy: pip install ".[theory]" in the source folder\n'
        in text
    )
    assert as_json(capsys, "--scenario", "other.toml")["ceiling"] is None


@pytest.mark.parametrize(("words", "rate"), [("", 0.99), ("--undiscounted", 1.0)])
@pytest.mark.parametrize("name", ["hidden", "stall.toml"])
def test_each_limit_of_two(capsys: Captured, name: str, words: str, rate: float) -> None:
    Path("stall.toml").write_text(STALL, encoding="utf-8")
    scenario = Scenario.of(name)
    conv = nt.nash_conv(scenario, "boulware", "conceder", rate)
    found = as_json(capsys, "--scenario", name, *PLAYERS, *words.split())
    text = printed(capsys, "solve", "--scenario", name, *PLAYERS, *words.split())
    assert found["nash_conv"] == found["nash_conv_at_least"] == conv.total
    assert f"\nBayesian NashConv {conv.total:.4f} (" in text
    assert conv.play is not None
    assert found["surplus"] == conv.play.surplus
    assert found["efficiency"] == conv.play.efficiency
    example = "for example with limits 1 and 4:\n      round 1: "  # they can come to a deal
    assert name != "hidden" or text.count(example) == 4
    assert f"\nSurplus {conv.play.surplus:.4f}, {conv.play.efficiency:.1%} of first best" in text
    assert ("above the undiscounted ceiling" in text) == (
        conv.play.surplus > nt.ceiling(scenario) + 1e-9
    )
    openers = list(scenario.opener.roles)
    for role in Role:
        said, response = found["roles"][str(role)], conv.responses[role]
        assert (said["value"], said["gain"]) == (conv.values[role], conv.exploitability[role])
        limits = scenario.limits[role]
        assert limits is not None
        assert [each["limit"] for each in said["limits"]] == list(limits.values)
        assert [each["chance"] for each in said["limits"]] == limits.chances.tolist()
        interim = {
            "value": conv.play.interim(role, rate)[openers].mean(axis=0),
            "best_response": response.interim[openers].mean(axis=0),
            "at_least": response.interim[openers].mean(axis=0),
            "pretending": conv.play.pretending(role, rate),
            "beyond": conv.play.pretending(role, 1.0, beyond=True),
        }
        for key, values in interim.items():
            assert [each[key] for each in said["limits"]] == values.tolist()
        mean = sum(each["chance"] * each["value"] for each in said["limits"])
        assert mean == pytest.approx(said["value"], abs=1e-12)
        for each in said["limits"]:
            row = (
                f"{each['limit']} +{each['chance']:.1%} +{each['value']:.4f}"
                f" +{each['best_response']:.4f} +\\+{each['pretending']:.4f}"
            )
            assert re.search(rf"^ +{row}$", text, re.MULTILINE)
        gain = float(np.dot(limits.chances, interim["beyond"]))
        assert f"{gain:.4f} for the {role}" in text


def test_too_many_beliefs_leave_bounds(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(belief_induction, "BUDGETS", (1,))
    words = ("--scenario", "hidden", "--seller", "random", "--buyer", "random")
    found = as_json(capsys, *words)
    least, most = found["nash_conv_at_least"], found["nash_conv"]
    assert least < most
    text = printed(capsys, "solve", *words)
    assert f"\nBayesian NashConv {least:.4f} to {most:.4f} (" in text
    for role in Role:
        said = found["roles"][str(role)]
        assert said["best_response"]["seller_opens"]["turns"] is None
        each = max(said["limits"], key=lambda each: each["best_response"] - each["at_least"])
        assert f"{each['at_least']:.4f} to {each['best_response']:.4f}" in text
    assert "best response when the buyer opens, worth at most " in text
    assert "for example" not in text
