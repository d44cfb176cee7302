"""`solve` for hidden limits: the surplus to be reached, and what each limit of two players gets."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers import belief_induction
from negotiation_tui.solvers.best_response import NashConv
from negotiation_tui.strategies.registry import strategy
from tests.support.cli import printed

pytest.importorskip("scipy")
Captured = pytest.CaptureFixture[str]
STALL = """
prices = { min = 0, max = 8 }
rounds = 3
opener = "buyer"
[seller]
limits = [5, 1]
weights = [1, 3]
[buyer]
limits = { min = 3, max = 7, step = 2 }
"""
PLAYERS = ("--seller", "boulware", "--buyer", "conceder")


@pytest.fixture
def stall() -> str:
    Path("stall.toml").write_text(STALL, encoding="utf-8")
    return "stall.toml"


def as_json(capsys: Captured, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, "solve", "--json", *options))
    return found


def judged(scenario: Scenario, rate: float) -> NashConv:
    seller, buyer = (
        strategy(name).tabulated(scenario, role)
        for role, name in zip(Role, ("boulware", "conceder"), strict=True)
    )
    assert seller is not None
    assert buyer is not None
    return nt.nash_conv(scenario, seller, buyer, rate)


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
def test_each_limit_of_two(
    capsys: Captured, stall: str, name: str, words: str, rate: float
) -> None:
    scenario = Scenario.of(name)
    conv = judged(scenario, rate)
    found = as_json(capsys, "--scenario", name, *PLAYERS, *words.split())
    text = printed(capsys, "solve", "--scenario", name, *PLAYERS, *words.split())
    assert found["nash_conv"] == found["nash_conv_at_least"] == conv.total
    assert f"\nBayesian NashConv {conv.total:.4f} (" in text
    assert conv.play is not None
    assert found["surplus"] == conv.play.surplus
    assert found["efficiency"] == conv.play.efficiency
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


def test_an_example_names_limits_that_can_come_to_a_deal(capsys: Captured) -> None:
    text = printed(capsys, "solve", "--scenario", "hidden", *PLAYERS)
    assert text.count("for example with limits 1 and 4:\n      round 1: ") == 4


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


def test_perfect_information_is_needed_for_an_equilibrium() -> None:
    with pytest.raises(
        nt.BadInputError, match=r"^scenario hidden: expected limits that both roles"
    ):
        nt.solve("hidden")
    hidden = Scenario.of("hidden")
    assert nt.solve(hidden.drawn(1, 2)).path.outcome.deal
    assert nt.solve(hidden.views[Role.BUYER][2]).path.outcome.deal
