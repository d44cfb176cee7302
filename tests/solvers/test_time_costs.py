"""Time costs: the published shares, and what little is left at a deadline."""

from fractions import Fraction
from math import ceil

import pytest

from negotiation_tui import Position, Role, Scenario
from negotiation_tui.game.tabular_policy import untrained_policy
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.subgame_perfect import solve
from tests.support.game import game

SHARES = {
    "0.5": ("1.0000", "0.750", "0.668", "0.667", "0.667"),
    "0.8": ("1.0000", "0.840", "0.630", "0.556", "0.556"),
    "0.9": ("1.0000", "0.910", "0.730", "0.534", "0.529"),
    "0.95": ("1.0000", "0.952", "0.835", "0.582", "0.519"),
    "0.99": ("1.0000", "0.990", "0.963", "0.844", "0.580"),
}
"""The opener's share by δ of both, in 1, 2, 5, 20 and 100 rounds, computed apart from the program.

They are for the 1,001 prices 0 … 1,000, more than a scenario may have. Here the least price for the
opener is left out, at which it would gain nothing. Both are worth as much: it is never offered.
"""
UNEQUAL = {("0.9", "0.5"): "0.909", ("0.5", "0.9"): "0.181"}
"""By δ of the opener and of the other, in 100 rounds."""


def by_recursion(rounds: int, own: str, other: str) -> Fraction:
    """The opener's share of 1,000 equal parts, if who is indifferent accepts."""
    left, kept = (Fraction(own), Fraction(other)), Fraction(0)
    for offer in reversed(range(2 * rounds - 1)):
        # Who answers accepts what is worth waiting for: its share of the next offer, times its δ.
        kept = 1 - Fraction(ceil(1000 * left[(offer + 1) % 2] * kept), 1000)
    return kept


def thousand(rounds: int, opener: Role, own: str, other: str) -> Scenario:
    delta = (float(own), float(other))[:: 1 if opener is Role.SELLER else -1]
    prices, sides = {"min": opener.other.value, "max": 999 + opener.other.value}, {"reservation": 0}
    buyer = {"reservation": 1000}
    return game(prices, rounds, seller=sides, buyer=buyer, delta=delta)


@pytest.mark.parametrize(
    "delta", [pytest.param(d, marks=[pytest.mark.slow] * (d not in {"0.5", "0.9"})) for d in SHARES]
)
def test_the_published_shares(delta: str) -> None:
    for rounds, share in zip((1, 2, 5, 20, 100), SHARES[delta], strict=True):
        exact = by_recursion(rounds, delta, delta)
        assert float(exact) == pytest.approx(float(share), abs=0.0005)
        for opener in Role:
            found = solve(thousand(rounds, opener, delta, delta), opener)
            assert found.values[opener] == pytest.approx(float(exact), abs=1e-9)


@pytest.mark.parametrize(("own", "other"), UNEQUAL)
def test_who_is_patient_gets_more(own: str, other: str) -> None:
    exact, rubinstein = by_recursion(100, own, other), (1 - float(other)) / (1 - 0.45)
    assert float(exact) == pytest.approx(float(UNEQUAL[own, other]), abs=1e-12)
    assert float(exact) == pytest.approx(rubinstein, abs=0.001)
    for opener in Role:
        found = solve(thousand(100, opener, own, other), opener)
        assert found.values[opener] == pytest.approx(float(exact), abs=1e-9)


@pytest.mark.parametrize("limits", [{}, {"buyer": {"limits": [9, 10]}}], ids=["known", "hidden"])
def test_what_little_is_left_at_the_deadline_is_still_taken(limits: dict[str, object]) -> None:
    """δ³⁸ is below the difference of values that counts as none at the start."""
    scenario = game(range(11), 20, states="opener-aware", delta=(0.3, 0.9), **limits)
    found = best_response(scenario, Role.SELLER, untrained_policy(scenario, Role.BUYER))
    at = Position.after(scenario.drawn(0, 1) if limits else scenario, Role.BUYER, (3,) * 39)
    assert found.best(at) == [scenario.accept]
    if not limits:
        assert found.best_actions[1, -1, 1:, scenario.accept :].tolist() == [[True, False]] * 10
