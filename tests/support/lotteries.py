"""Random games with hidden limits, and random players of them."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.table_stack import stacked
from negotiation_tui.game.tabular_policy import TabularPolicy
from tests.support.plans import Plan, seat

MEMORYLESS = ("greedy", "mixture", "opener-aware mixture", "weights")
REMEMBERING = ("midpoint", "mixture with memory", "opener-aware weights with memory")


def lottery(rng: np.random.Generator, largest: int = 4, rounds: int = 3) -> Scenario:
    """A game with up to three hidden limits a side, or on one side alone; often without overlap."""
    prices = sorted(rng.choice(12, int(rng.integers(2, largest + 1)), replace=False).tolist())
    sides: dict[str, dict[str, object]] = {}
    hidden = rng.choice(["both", "both", "seller", "buyer"])
    for role in Role:
        side: dict[str, object] = {}
        if rng.random() < 0.3:
            side["min" if role is Role.SELLER else "max"] = int(rng.choice(prices))
        if hidden in ("both", str(role)):
            low, high = prices[0] - 2, prices[-1]
            if role is Role.BUYER:
                low, high = prices[0], prices[-1] + 2
            n = min(int(rng.integers(1, 4)), high - low + 1)
            side["limits"] = rng.choice(np.arange(low, high + 1), n, replace=False).tolist()
            weights = rng.integers(0, 4, n).tolist()
            if any(weights):
                side["weights"] = weights
        sides[str(role)] = side
    return Scenario.from_dict(
        {
            "prices": prices,
            "rounds": int(rng.integers(1, rounds + 1)),
            "opener": str(rng.choice(["seller", "buyer", "alternate"])),
            "states": str(rng.choice(["published", "opener-aware"])),
            **sides,
        }
    )


def stack(
    scenario: Scenario, role: Role, rng: np.random.Generator
) -> tuple[TabularPolicy, list[Plan]]:
    """A random player: tables end to end, and the plan of each limit."""
    kinds = REMEMBERING if rng.random() < 0.2 else MEMORYLESS
    kind = str(rng.choice(kinds))
    seats = [
        seat(view, role, kind if kinds is REMEMBERING else str(rng.choice(kinds)), n)
        for view in scenario.views[role]
        for n in rng.integers(0, 2**32, 1).tolist()
    ]
    return stacked(scenario, [policy for policy, _ in seats]), [plan for _, plan in seats]
