"""Perfect players: who makes the last offer has all there is to have."""

import pytest

from tests.support.moves import answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        # the buyer gains nothing by refusing 5
        ("equilibrium", "original", "seller", True, "1 4 4 4", "5 5 5 5 5"),
        ("equilibrium", "original", "buyer", False, "5", "0"),
        ("equilibrium", "original", "buyer", True, "5 5 5 5", "1 1 1 1 1"),
        ("equilibrium", "original", "seller", False, "1", "0"),
        ("equilibrium:tie_break=reject", "original", "seller", True, "4", "4 4"),
        ("equilibrium:tie_break=reject", "original", "buyer", False, "4", "0"),
        # undiscounted 4 is not enough to a seller that can wait for 5
        ("equilibrium:discount=1", "original", "seller", True, "4 5", "5 5 0"),
        ("equilibrium", "legacy", "seller", True, "80", "80 0"),
        ("equilibrium", "legacy", "buyer", False, "80", "0"),
        ("equilibrium", "legacy", "buyer", True, "21", "20 20"),
        ("equilibrium", "gaps", "seller", True, "8 9", "9 9 0"),
        ("equilibrium", "gaps", "buyer", True, "2 1", "1 1 0"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said
