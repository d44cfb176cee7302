"""How long NashConv takes in games with hidden limits, in plain Python with numpy."""

from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.game import compiled
from tests.support.timing import Check, seconds

HIDDEN, BAZAAR = Scenario.with_hidden_limits(), Scenario.bazaar()
Tables = tuple[TabularPolicy, TabularPolicy]


def trained(scenario: Scenario) -> Tables:
    """The tables of a published training."""
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
    ("scenario", "tables", "unit", "bound", "exact"),
    [
        (HIDDEN, trained, "ms", 10, True),
        (HIDDEN, untrained, "ms", 10, True),
        (HIDDEN, mixed, "s", 1, True),
        (BAZAAR, trained, "s", 5, True),
        (BAZAAR, untrained, "s", 5, False),
    ],
    ids=lambda each: getattr(each, "__name__", getattr(each, "name", each)),
)
def test_nash_conv(
    benchmark: Any,
    check: Check,
    scenario: Scenario,
    tables: Any,
    unit: str,
    bound: int,
    exact: bool,
) -> None:
    seller, buyer = tables(scenario)
    assert nash_conv(scenario, seller, buyer).exact == exact

    def judge() -> None:
        nash_conv(scenario, seller, buyer)

    benchmark.pedantic(judge, rounds=1)
    took = median(seconds(judge) for _ in range(21 if unit == "ms" else 3))
    what = "NashConv" if exact else "bounds of NashConv"
    check(
        f"{what}, {scenario.name}, {tables.__name__} tables",
        f"≤ {bound} {unit}",
        took * {"ms": 1e3, "s": 1}[unit],
    )
