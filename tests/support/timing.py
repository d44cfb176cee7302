"""Measure time for the benchmarks."""

import time
from collections.abc import Callable

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.market.agents import population
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.thread_time) -> float:
    """Of this thread on a processor, whatever else the machine does; or by another clock."""
    begun = clock()
    work()
    return clock() - begun


def room(
    agents: int, negotiations: int, backend: Backend, learner: str = LEARNED
) -> MarketSimulation:
    # All explore throughout, as nearly all the time in the published training.
    rng, learning = np.random.default_rng(0), {"exploration_decay": 0.0}
    sides = [
        population(role, str(role), agents // 2, worth, rng, learner, learning)
        for role, worth in ((Role.SELLER, 0), (Role.BUYER, 5))
    ]
    limit = RunLength("negotiations", negotiations)
    return MarketSimulation(Scenario.original(), [*sides[0], *sides[1]], limit, 0, backend=backend)


Check = Callable[[str, str, float], None]
