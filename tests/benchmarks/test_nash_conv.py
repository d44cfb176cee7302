"""How long NashConv of two tables takes, and the greedy policies of two tables."""

from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.solvers import best_response, induction
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import compiled
from tests.support.timing import Check, in_plain_python, in_turns


def square(size: int) -> tuple[Scenario, np.ndarray[Any, np.dtype[np.float64]]]:
    """A scenario with as many rounds as prices, and an untrained table: the slowest to judge."""
    scenario = Scenario.from_dict({"prices": size, "rounds": size})
    return scenario, np.zeros((scenario.n_states, scenario.n_actions))


@pytest.mark.parametrize(("size", "times", "bound"), [(5, 400, "≤ 0.02 ×"), (100, 3, "≤ 4 ×")])
def test_nash_conv(check: Check, size: int, times: int, bound: str) -> None:
    pytest.importorskip("numba")
    best_response.INDUCTION.compiling.done = induction.compiled()
    scenario, q = square(size)
    seller, buyer = (greedy(scenario, role, q) for role in Role)

    def judge() -> None:
        for _ in range(times):
            best_response.nash_conv(scenario, seller, buyer)

    took = median(*in_turns(9, judge)) / times
    check(f"NashConv, {size} × {size}, compiled", bound, *in_plain_python(took))


def test_greedy(check: Check) -> None:
    scenario, q = square(200)
    took = median(*in_turns(9, lambda: greedy(scenario, Role.SELLER, q)))
    check("the greedy policy of a table, 200 × 200", "≤ 12 ×", *in_plain_python(took))


HIDDEN, BAZAAR = Scenario.of("hidden"), Scenario.of("bazaar")
Tables = tuple[TabularPolicy, TabularPolicy]


def trained(scenario: Scenario) -> Tables:
    pytest.importorskip("numba")
    training = ConcurrentTraining(scenario, Parameters(cycles=500), 1, backend=compiled())
    training.run()
    seller, buyer = (training.policy(role) for role in Role)
    assert isinstance(seller, TabularPolicy)
    assert isinstance(buyer, TabularPolicy)
    return seller, buyer


def untrained(scenario: Scenario) -> Tables:
    return untrained_policy(scenario, Role.SELLER), untrained_policy(scenario, Role.BUYER)


def mixed(scenario: Scenario) -> Tables:
    """All legal actions with random weights, so that hardly two beliefs are equal."""
    seller, buyer = untrained(scenario)

    def weighted(policy: TabularPolicy) -> TabularPolicy:
        weights = np.random.default_rng(1).exponential(size=policy.actions.shape)
        weights *= np.arange(weights.shape[1]) < policy.n_actions[:, None]
        return replace(policy, weights=weights / weights.sum(axis=1, keepdims=True).clip(1e-9))

    return weighted(seller), weighted(buyer)


@pytest.mark.parametrize(
    ("scenario", "tables", "times", "bound", "exact"),
    [
        (HIDDEN, trained, 21, "≤ 3 ×", True),
        (HIDDEN, untrained, 21, "≤ 3 ×", True),
        (HIDDEN, mixed, 9, "≤ 10 ×", True),
        (BAZAAR, trained, 3, "≤ 150 ×", True),
        (BAZAAR, untrained, 3, "≤ 150 ×", False),
    ],
    ids=lambda each: getattr(each, "__name__", getattr(each, "name", each)),
)
def test_nash_conv_with_hidden_limits(
    check: Check, scenario: Scenario, tables: Any, times: int, bound: str, exact: bool
) -> None:
    seller, buyer = tables(scenario)
    assert nash_conv(scenario, seller, buyer).exact == exact

    def judge() -> None:
        nash_conv(scenario, seller, buyer)

    took = median(*in_turns(times, judge))
    what = "NashConv" if exact else "bounds of NashConv"
    check(f"{what}, {scenario.name}, {tables.__name__} tables", bound, *in_plain_python(took))
