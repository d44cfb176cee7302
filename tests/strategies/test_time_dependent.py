"""Concession by the clock: x = best + α(t)·(reservation − best)."""

from itertools import pairwise
from operator import lt

import pytest

from negotiation_tui.strategies.registry import strategy
from negotiation_tui.strategies.time_dependent import Exponential, Polynomial
from tests.support.moves import answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        # α = t = 0, ¼, ½, ¾, 1
        ("linear", "original", "seller", True, "1 1 1 1", "5 4 3 2 0"),
        ("linear", "original", "seller", False, "1 1 1 1 1", "5 4 3 2 0"),
        ("linear", "original", "buyer", True, "5 5 5 5", "1 2 3 4 0"),
        ("linear", "original", "buyer", False, "5 5 5 5 5", "1 2 3 4 0"),
        # it takes what is as good as its next price, no sooner
        ("linear", "original", "seller", True, "2 3", "5 4 0"),
        ("linear", "original", "buyer", False, "5 3 3", "1 2 0"),
        # α = k/9; own side of the grid: upwards for the seller
        ("linear", "legacy", "seller", True, "0 0 0 0 0 0 0 0 0", "100 92 83 74 65 56 47 38 29 20"),
        (
            "linear",
            "legacy",
            "buyer",
            True,
            "100 100 100 100 100 100 100 100 100",
            "0 8 17 26 35 44 53 62 71 80",
        ),
        (
            "linear",
            "legacy",
            "buyer",
            False,
            "100 100 100 100 100 100 100 100 100 100",
            "0 8 17 26 35 44 53 62 71 -1",
        ),
        ("linear", "gaps", "seller", True, "1 1 1", "9 8 5 0"),
        ("linear", "gaps", "buyer", True, "9 9 9", "1 3 5 0"),
        ("linear", "gaps", "buyer", False, "9 9 9 9", "1 3 5 0"),
        # α = t⁵
        ("boulware", "original", "seller", True, "1 1 1 1", "5 5 5 5 0"),
        ("boulware", "original", "buyer", False, "5 5 5 5 5", "1 1 1 1 0"),
        (
            "boulware",
            "legacy",
            "seller",
            True,
            "0 0 0 0 0 0 0 0 0",
            "100 100 100 100 99 96 90 78 56 20",
        ),
        (
            "boulware",
            "legacy",
            "buyer",
            False,
            "100 100 100 100 100 100 100 100 100 100",
            "0 0 0 0 1 4 10 22 44 -1",
        ),
        # here α is t^0.2
        ("conceder", "original", "seller", True, "1 1 1 1", "5 2 2 2 0"),
        ("conceder", "original", "buyer", False, "5 5 5 5 5", "1 4 4 4 0"),
        # 0, 0.8027, 0.9221 and 1 of the range
        ("conceder", "gaps", "seller", False, "1 1 1 1", "9 3 2 0"),
        ("conceder", "gaps", "buyer", True, "9 9 9", "1 5 8 0"),
        ("hardliner", "original", "seller", True, "1 1 1 1", "5 5 5 5 5"),
        ("hardliner", "original", "buyer", False, "5 5 5 5 5", "1 1 1 1 0"),
        (
            "hardliner",
            "legacy",
            "seller",
            False,
            "0 0 0 0 0 0 0 0 0 0",
            "100 100 100 100 100 100 100 100 100 -1",
        ),
        ("hardliner", "gaps", "buyer", True, "9 9 9", "1 1 1 1"),
        # α = ½, ⅝, ¾, ⅞, 1
        ("polynomial:kappa=0.5", "original", "seller", True, "1 1 1 1", "3 3 2 2 0"),
        ("polynomial:kappa=0.5", "original", "buyer", False, "5 5 5 5 5", "3 3 4 4 0"),
        # α = √t
        ("polynomial:beta=2", "original", "seller", True, "1 1 1 1", "5 3 3 2 0"),
        ("polynomial:beta=2", "gaps", "buyer", True, "9 9 9", "1 5 5 0"),
        # α = 0.01^(1 − t) = 0.01, 0.032, 0.1, 0.316, 1
        ("exponential", "original", "seller", True, "1 1 1 1", "5 5 5 4 0"),
        ("exponential", "original", "buyer", False, "5 5 5 5 5", "1 1 1 2 0"),
        # α = 0.01^(1 − k/9): 0.01, 0.017, 0.028, 0.046, 0.077, 0.129, 0.215, 0.359, 0.599, 1
        (
            "exponential",
            "legacy",
            "buyer",
            True,
            "100 100 100 100 100 100 100 100 100",
            "0 1 2 3 6 10 17 28 47 80",
        ),
        ("exponential", "gaps", "seller", False, "1 1 1 1", "9 9 8 0"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said


@pytest.mark.parametrize(
    ("words", "at_once", "half", "end"),
    [("polynomial:kappa=0.3,beta=3", 0.3, 0.8556, 1.0), ("exponential:beta=2", 0.01, 0.3162, 1.0)],
)
def test_the_curve(words: str, at_once: float, half: float, end: float) -> None:
    """κ at the start, all of the range at the end."""
    held = strategy(words)
    assert isinstance(held, Polynomial | Exponential)
    curve = [held.concession(time) for time in (0.0, 0.5, 1.0)]
    assert curve == pytest.approx([at_once, half, end], abs=1e-4)


def test_who_holds_out_longer() -> None:
    times = [n / 10 for n in range(1, 10)]
    curves = [
        [Polynomial(beta=beta).concession(time) for time in times] for beta in (0.2, 0.5, 1, 2, 5)
    ]
    for slower, faster in pairwise(curves):
        assert all(map(lt, slower, faster))
