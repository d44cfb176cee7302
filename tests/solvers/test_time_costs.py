"""Time costs: the published shares, all plans of small games, and tables of trained learners."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

import numpy as np
import pytest

from negotiation_tui import Position, Role, Scenario, TabularPolicy, learner
from negotiation_tui.game.tabular_policy import untrained_policy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.game import game
from tests.support.plans import Plan

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


Plans = dict[tuple[int, int], int]  # by ply and index of the standing offer


def all_plans(scenario: Scenario, opener: Role, role: Role) -> Iterator[Plans]:
    starts = [(0, 0)] if role is opener else []
    plies = range(1 + (role is opener), 2 * scenario.rounds, 2)
    decisions = [*starts, *product(plies, range(scenario.n_prices))]
    choices = []
    for ply, standing in decisions:
        prices = (scenario.prices[standing],) * ply  # all that matters is the last
        choices.append(Position.after(scenario, opener, prices).legal)
    for actions in product(*choices):
        yield dict(zip(decisions, actions, strict=True))


def gained(scenario: Scenario, both: tuple[Plans, Plans], start: tuple[int, int]) -> list[float]:
    """What seller and buyer gain from a decision on; the opener's plan comes first."""
    at, last = start, 2 * scenario.rounds - 1
    while (action := both[at[0] % 2][at]) < scenario.n_prices:
        assert at[0] < last
        at = at[0] + 1, action
    if action > scenario.accept:
        return [0.0, 0.0]
    part = (scenario.prices[at[1]] - scenario.prices[0]) / scenario.width
    seller, buyer = (d ** (at[0] - 1) for d in scenario.delta)
    return [part * seller, (1 - part) * buyer]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed > 1)) for seed in range(20)]
)
def test_no_plan_is_better_than_the_equilibrium_after_any_offer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opener, rule = Role(seed % 2), TieBreak(rng.choice([*TieBreak]))
    prices = sorted(rng.choice(9, 3, replace=False).tolist())
    scenario = game(prices, 2, delta=rng.uniform(0.3, 1, 2).tolist())
    found = solve(scenario, opener, 1.0, rule)
    values = np.ndindex(found.actions.shape)
    solution: Plans = {(ply, at): int(found.actions[ply, at]) for ply, at in values}
    starts = [(0, 0), *product(range(1, 4), range(3))]
    played = [gained(scenario, (solution, solution), start) for start in starts]
    assert found.values == pytest.approx(played[0], abs=1e-12)
    for role in Role:
        for plan in all_plans(scenario, opener, role):
            both = (plan, solution) if role is opener else (solution, plan)
            for start, expected in zip(starts, played, strict=True):
                assert gained(scenario, both, start)[role] <= expected[role] + 1e-12


@pytest.mark.parametrize("limits", [{}, {"buyer": {"limits": [9, 10]}}], ids=["known", "hidden"])
def test_what_little_is_left_at_the_deadline_is_still_taken(limits: dict[str, object]) -> None:
    """δ³⁸ is below the difference of values that counts as none at the start."""
    scenario = game(range(11), 20, states="opener-aware", delta=(0.3, 0.9), **limits)
    found = best_response(scenario, Role.SELLER, untrained_policy(scenario, Role.BUYER))
    at = Position.after(scenario.drawn(0, 1) if limits else scenario, Role.BUYER, (3,) * 39)
    assert found.best(at) == [scenario.accept]
    if not limits:
        assert found.best_actions[1, -1, 1:, scenario.accept :].tolist() == [[True, False]] * 10


def plan_of(table: TabularPolicy, limit: int) -> Plan:
    def chances(at: Position) -> dict[int, float]:
        row = table.probabilities[limit * table.scenario.n_states + at.state]
        return {action: chance for action, chance in enumerate(row.tolist()) if chance}

    return chances


SIDES = {"seller": {"limits": [0, 1, 2]}, "buyer": {"limits": [2, 3]}}
SMALL = {
    hidden: game(range(4), 2, states="opener-aware", delta=(0.9, 0.6), **(SIDES if hidden else {}))
    for hidden in (False, True)
}


def trained(scenario: Scenario, name: str, seed: int) -> tuple[TabularPolicy, TabularPolicy]:
    one, parameters = learner(name), RECIPES["annealing"](scenario)
    course = ConcurrentTraining(scenario, parameters, seed, seller=one, buyer=one)
    course.run(40)
    seller, buyer = map(course.policy, Role)
    assert isinstance(seller, TabularPolicy)
    assert isinstance(buyer, TabularPolicy)
    return seller, buyer
