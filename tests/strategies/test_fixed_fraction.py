"""The fraction ρ of the way to the other's price; prices round down."""

import pytest

from tests.support.moves import answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        ("fixed-fraction", "original", "seller", True, "1 1 1 1", "5 4 3 2 0"),
        ("fixed-fraction", "original", "buyer", True, "5 5 5 5", "1 2 2 2 2"),
        ("fixed-fraction", "original", "buyer", False, "5 3 3", "2 2 2"),
        ("fixed-fraction", "legacy", "seller", True, "0 0 0 0 0 0 0", "100 75 56 42 31 23 20 20"),
        ("fixed-fraction", "legacy", "buyer", False, "100 100 100", "25 43 57"),
        ("fixed-fraction", "gaps", "buyer", True, "9 9 9", "1 3 3 3"),
        ("fixed-fraction", "gaps", "seller", True, "1 1 8", "9 8 8 0"),
        ("fixed-fraction:rho=1", "original", "seller", False, "2", "0"),
        ("fixed-fraction:rho=1", "legacy", "seller", False, "10 20", "20 0"),
        ("fixed-fraction:rho=0.5", "legacy", "seller", True, "50 62 65", "100 75 68 66"),
        ("midpoint", "legacy", "seller", True, "50 62 65 65", "100 75 68 66 0"),
        ("midpoint:rho=0.25", "original", "seller", True, "1 1 1 1", "5 4 3 2 0"),
        (
            "fixed-fraction",
            "legacy",
            "buyer",
            False,
            "100 100 100 100 100 100 100 100 100 100",
            "25 43 57 67 75 80 80 80 80 -1",
        ),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said
