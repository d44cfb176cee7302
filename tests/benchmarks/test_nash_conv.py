"""How long NashConv of two tables takes, and the greedy policies of two tables."""

from statistics import median
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.solvers import best_response
from negotiation_tui.solvers.induction import compiled
from tests.support.timing import Check, seconds


def square(size: int) -> tuple[Scenario, np.ndarray[Any, np.dtype[np.float64]]]:
    """A scenario with as many rounds as prices, and an untrained table: the slowest to judge."""
    scenario = Scenario.from_dict({"prices": size, "rounds": size})
    return scenario, np.zeros((scenario.n_states, scenario.n_actions))


@pytest.mark.parametrize(
    ("size", "times", "unit", "bound"), [(5, 400, "µs", 50), (100, 3, "ms", 20)]
)
def test_nash_conv(
    benchmark: Any, check: Check, size: int, times: int, unit: str, bound: int
) -> None:
    pytest.importorskip("numba")
    best_response.INDUCTION.compiling.done = compiled()
    scenario, q = square(size)
    seller, buyer = (greedy(scenario, role, q) for role in Role)

    def judge() -> None:
        for _ in range(times):
            best_response.nash_conv(scenario, seller, buyer)

    benchmark.pedantic(judge, rounds=1)
    took = median(seconds(judge) for _ in range(9)) / times
    per_second = {"µs": 1e6, "ms": 1e3}[unit]
    check(
        f"NashConv of two tables, {size} × {size}, compiled", f"≤ {bound} {unit}", took * per_second
    )


def test_greedy(benchmark: Any, check: Check) -> None:
    scenario, q = square(200)
    benchmark.pedantic(greedy, (scenario, Role.SELLER, q), rounds=1)
    took = median(seconds(lambda: greedy(scenario, Role.SELLER, q)) for _ in range(9))
    check("the greedy policy of a table, 200 × 200", "≤ 100 ms", 1e3 * took)
