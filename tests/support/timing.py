"""Measure time for the benchmarks."""

import time
from collections.abc import Callable
from statistics import median
from typing import Protocol

import numpy as np

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.market.agents import population
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from tests.support.restated import Restated

Clock = Callable[[], float]
Times = tuple[float, ...]


def seconds(work: Callable[[], object], clock: Clock = time.thread_time) -> float:
    """Of this thread on a processor, whatever else the machine does; or by another clock."""
    begun = clock()
    work()
    return clock() - begun


def in_turns(n: int, *works: Callable[[], object], clock: Clock = time.thread_time) -> list[Times]:
    """Return the seconds of each work in `n` turns, so that a busy machine hits all alike."""
    turns = [[seconds(work, clock) for work in works] for _ in range(n)]
    return [*zip(*turns, strict=True)]


def in_plain_python(took: float) -> tuple[float, str]:
    """Return seconds as a multiple of 100 negotiations of the restatement, and as text."""

    def restated() -> None:
        training = Restated(Scenario.original(), Parameters(), 0, True, Role.SELLER, {})
        for episode in range(100):
            training.negotiation(episode)

    return took / median(*in_turns(9, restated)), f"({short(1e3 * took)} ms)"


def short(number: float) -> str:
    """Return a number with three digits or, if it is larger, all of its own."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


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


class Check(Protocol):
    """Compare with a bound what was measured, and write both into the table."""

    def __call__(self, what: str, bound: str, measured: float, note: str = "") -> None: ...
