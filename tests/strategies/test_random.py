"""Chance: each choice as often as it is listed."""

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.strategies.registry import strategy
from tests.support.moves import SCENARIOS, answers, position_of


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        ("random", "original", "seller", True, "", "1|2|3|4|5"),
        ("random", "original", "buyer", False, "3", "1|2|3|4|5|0|-1"),
        (
            "random",
            "original",
            "seller",
            False,
            "1 1 1 1 1",
            "1|2|3|4|5|0|-1 1|2|3|4|5|0|-1 1|2|3|4|5|0|-1 1|2|3|4|5|0|-1 0|-1",
        ),
        ("random", "gaps", "buyer", True, "9", "1|2|3|5|8|9 1|2|3|5|8|9|0|-1"),
        ("zero-intelligence", "original", "seller", True, "", "1|2|3|4|5"),
        ("zero-intelligence", "gaps", "buyer", False, "9 5", "1|2|3|5|8|0 1|2|3|0|0|0"),
        ("zero-intelligence", "gaps", "seller", True, "1 1 1", "1|2|3|5|8|9 0|2|3|5|8|9"),
        (
            "zero-intelligence",
            "original",
            "buyer",
            False,
            "5 5 5 5 5",
            "1|2|3|4|0 1|2|3|4|0 1|2|3|4|0 1|2|3|4|0 0",
        ),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said


@pytest.mark.parametrize(("role", "priced"), [("seller", range(20, 101)), ("buyer", range(81))])
def test_within_the_budget(role: str, priced: range) -> None:
    heard = "10" if role == "seller" else "90"
    prices = "|".join(map(str, priced))
    assert answers("zero-intelligence", "legacy", role, False, heard) == prices
    assert answers("random", "legacy", role, False, heard) == f"{prices}|-1"


def test_equally_likely() -> None:
    rng, held = np.random.default_rng(1), strategy("zero-intelligence")
    position = position_of(SCENARIOS["original"], Role.SELLER, (3,))
    drawn = np.bincount([held.act(position, rng) for _ in range(5000)], minlength=7)
    assert drawn / 5000 == pytest.approx([0, 0, 0, 0.2, 0.2, 0.6, 0], abs=0.03)
