"""MiCRO: m different offers of its own, n of the other's; it concedes while m ≤ n."""

from dataclasses import replace

import pytest

from negotiation_tui.game.roles import PriceRange
from tests.support.moves import SCENARIOS, answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        ("micro", "original", "seller", True, "1 1 2 3", "5 4 5|4 3 0"),
        ("micro", "original", "buyer", False, "5 5 5 4 4", "1 2 1|2 3 0"),
        # m = n = 1 after the first exchange; a price heard twice is not new
        ("micro", "original", "buyer", True, "5 4 5 4", "1 2 3 1|2|3 1|2|3"),
        ("micro", "legacy", "seller", True, "10 10 20 30", "100 99 100|99 98 97"),
        ("micro", "legacy", "buyer", False, "100 90 80 90", "0 1 2 3"),
        ("micro", "gaps", "buyer", True, "9 8 5", "1 2 3 0"),
        ("micro", "gaps", "seller", False, "1 2 3 4", "9 8 5 0"),
        # while it repeats it takes what is as good as its lowest
        ("micro", "original", "seller", True, "1 1 4", "5 4 5|4 0"),
        ("micro", "original", "seller", True, "1 1 3", "5 4 5|4 0"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said


def test_with_no_price_left_it_repeats() -> None:
    scenario = replace(SCENARIOS["gaps"], seller=PriceRange(8, 9))
    assert answers("micro", scenario, "seller", True, "1 2 3") == "9 8 9|8 9|8"
    assert answers("micro", scenario, "seller", True, "1 2 8") == "9 8 9|8 0"
