"""Measure time and memory of a market by its size: `python docs/market_scale.py`.

Prints the table of docs/benchmarks.md. All agents learn with ε = 1 in `original`. Each row has its
own process and counts the time of one thread.
"""

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.market.agents import population
from negotiation_tui.market.headless import warm
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.runtime.interrupts import run

TURNS = 3
AGENTS, NEGOTIATIONS = (2, 20, 200, 1000, 10_000, 100_000), (100_000, 1_000_000, 10_000_000)
USUAL = 1000, 1_000_000


def measure(agents: int, negotiations: int) -> dict[str, float]:
    """Return the best time of TURNS in seconds, the peak memory in MiB, and bytes per agent."""
    backend, scenario = warm() or PLAIN, Scenario.original()
    seconds = []
    for _ in range(TURNS):
        rng, learning = np.random.default_rng(0), {"exploration_decay": 0.0}
        agents_of_both = [
            *population(Role.SELLER, "seller", agents // 2, 0, rng, learning=learning),
            *population(Role.BUYER, "buyer", agents // 2, 5, rng, learning=learning),
        ]
        market = MarketSimulation(
            scenario, agents_of_both, RunLength("negotiations", negotiations), 0, backend=backend
        )
        start = time.thread_time()
        market.run()
        seconds.append(time.thread_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": min(seconds), "mib": peak, "bytes": market.bytes_per_agent}


def row(agents: int, negotiations: int) -> None:
    """Measure in another process and print one row of the table."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        result = process.submit(measure, agents, negotiations).result()
    seconds = result["seconds"]
    each = seconds / negotiations * 1e9
    print(
        f"| {agents:,} | {negotiations:,} | {seconds:.2f} s | {each:.0f} ns"
        f" | {result['mib']:.0f} MiB | {result['bytes']:,.0f} |",
        flush=True,
    )


def main() -> None:
    """Print the table of benchmarks.md."""
    print("| agents | negotiations | time | per negotiation | whole process | bytes per agent |")
    print("| --- | --- | --- | --- | --- | --- |")
    for agents in AGENTS:
        row(agents, USUAL[1])
    for negotiations in NEGOTIATIONS:
        row(USUAL[0], negotiations)


if __name__ == "__main__":
    run(main)
