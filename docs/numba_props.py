"""Take undocumented parts of numba away, one at a time: `python docs/numba_props.py`.

Prints the second table of docs/benchmarks.md on training against C. It takes minutes, most
of them to compile. Each cell is the time of one thread without that part, divided by
the time with all of them: the median of TURNS ratios, measured in turns.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.compiling import _code, jitted, new_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.market.agents import population
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.runtime import jit
from negotiation_tui.runtime.interrupts import run

TURNS = 7
OPTIONS = jit._fast_options
TAKEN_AWAY: dict[str, dict[str, Any]] = {
    "nothing": {},
    "`_nrt=False`": {"_fast_options": lambda *forms: {**OPTIONS(*forms), "_nrt": True}},
    "indices that never wrap around": {"_never_negative": lambda: 1 / 0},
    "the hint to load rows early": {"_emit_prefetch": lambda *_: None},
}


Work = Callable[[Backend], None]


def engine_without(names: dict[str, Any], works: Iterable[Work]) -> Backend:
    """Return a compiled engine, with the code for some works, without these names of `jit`."""
    jit.compiled_prefetch.cache_clear()
    with patch.dict(vars(jit), {**names, "safe_folder": lambda _: None}):  # nothing is kept
        jitted.cache_clear()
        compiled = new_backend.__wrapped__()
        assert compiled is not None
        backend = replace(compiled, code=cache(_code.__wrapped__))  # of this engine alone
        for work in works:
            work(backend)
    return backend


def training(n: int, cycles: int) -> Work:
    """Return a whole training on a grid of n prices and rounds."""
    scenario = Scenario.from_dict({"prices": n, "rounds": n})

    parameters = Parameters(cycles=cycles)
    return lambda backend: ConcurrentTraining(scenario, parameters, backend=backend).run()


def market(agents: int, negotiations: int) -> Work:
    """Return more negotiations of a market in which all explore; the first call opens it."""
    rng, learning = np.random.default_rng(0), {"exploration_decay": 0.0}
    both = [
        agent
        for role, worth in ((Role.SELLER, 0), (Role.BUYER, 5))
        for agent in population(role, str(role), agents // 2, worth, rng, learning=learning)
    ]
    limit = RunLength("negotiations", 10**9)
    markets: dict[int, MarketSimulation] = {}

    def run(backend: Backend) -> None:
        if id(backend) not in markets:
            markets[id(backend)] = MarketSimulation(
                Scenario.original(), both, limit, 0, backend=backend
            )
        markets[id(backend)].run(negotiations * 2 // agents)

    return run


def seconds(work: Work, backend: Backend) -> float:
    """Return the time of one thread."""
    start = time.thread_time()
    work(backend)
    return time.thread_time() - start


def main() -> None:
    """Print the table."""
    if new_backend() is None:
        print("This needs numba.")
        return
    works = {
        "5 × 5": training(5, 5000),
        "50 × 50": training(50, 2000),
        "market of 1,000": market(1000, 500_000),
        "of 100,000": market(100_000, 400_000),
    }
    backends = [engine_without(names, works.values()) for names in TAKEN_AWAY.values()]
    columns = []
    for work in works.values():
        turns = [[seconds(work, backend) for backend in backends] for _ in range(TURNS)]
        ratios = [[each / times[0] for each in times] for times in turns]
        columns.append([median(column) for column in zip(*ratios, strict=True)])
    print("|".join(["", " taken away ", *(f" {name} " for name in works), ""]))
    print("| --- " * (1 + len(works)) + "|")
    for name, *cells in zip(TAKEN_AWAY, *columns, strict=True):
        print("|".join(["", f" {name} ", *(f" {cell:.2f} × " for cell in cells), ""]))


if __name__ == "__main__":
    run(main)
