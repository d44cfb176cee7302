"""Concession in kind."""

import pytest

from tests.support.moves import answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        # relative: x·y₋₂/y₋₁; 4.5, then 3.33, on its own side of the grid
        ("tit-for-tat", "gaps", "seller", True, "1 2 3", "9 9 5 5"),
        ("tit-for-tat", "gaps", "seller", False, "1 2 3 3", "9 5 5 0"),
        # 5·2/3 = 3.33, 4·3/3
        ("tit-for-tat", "original", "seller", True, "2 3 3", "5 5 4 4"),
        ("tit-for-tat", "original", "buyer", True, "5 4 3 2", "1 1 1 1 1"),
        # 1·9/3 = 3, then it is taken
        ("tit-for-tat", "gaps", "buyer", False, "9 3", "1 0"),
        # 1·9/5 = 1.8; 1·5/2 = 2.5
        ("tit-for-tat", "gaps", "buyer", False, "9 5 3", "1 1 1"),
        # the grid begins at 0: every price one more; 101·10/20, 51·20/25, 41, 41·25/40
        ("tit-for-tat", "legacy", "seller", True, "9 19 24 24 39", "100 100 50 40 40 0"),
        ("tit-for-tat", "legacy", "buyer", False, "99 49 24 24", "0 1 3 3"),
        # what the other took back is taken back, inside the range
        ("tit-for-tat", "legacy", "seller", True, "9 19 9 0", "100 100 50 100 100"),
        # δ = 2: a move later
        ("tit-for-tat:delta=2", "gaps", "seller", True, "1 2 2", "9 9 9 5"),
        ("tit-for-tat:delta=2", "legacy", "buyer", False, "99 49 24 24", "0 0 1 3"),
        # random absolute: x + y₋₂ − y₋₁, and up to 1 more toward the other
        ("random-tit-for-tat", "original", "seller", True, "1 2 2 3", "5 5 4|3 4|3 0|0"),
        ("random-tit-for-tat", "original", "buyer", False, "5 4 4 2", "1 2|3 2|3 0|0"),
        ("random-tit-for-tat:largest=0", "original", "buyer", True, "5 4 4", "1 1 2 2"),
        (
            "random-tit-for-tat:largest=2",
            "legacy",
            "seller",
            False,
            "0 7 7 40",
            "100 93|92|91 93|92|91 60|59|58",
        ),
        (
            "random-tit-for-tat:largest=0,delta=2",
            "legacy",
            "buyer",
            True,
            "90 80 75 75",
            "0 0 0 10 15",
        ),
        ("random-tit-for-tat:largest=0", "gaps", "seller", True, "1 2 3", "9 9 8 8"),
        # averaged: x·y₋₃/y₋₁
        ("averaged-tit-for-tat", "gaps", "seller", True, "1 2 3", "9 9 9 0"),
        ("averaged-tit-for-tat", "original", "buyer", False, "5 5 2", "1 1 0"),
        ("averaged-tit-for-tat", "legacy", "seller", True, "9 14 19 24 39", "100 100 100 50 30 0"),
        # γ = 1 is relative with δ = 1
        ("averaged-tit-for-tat:gamma=1", "legacy", "buyer", False, "99 49 24 24", "0 1 3 3"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said
