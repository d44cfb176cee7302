"""Time and memory of a market by its size: `python docs/market_scale.py`, tables of benchmarks.md.

Everybody learns, ε = 1, `original`; each row in a process of its own, in time of one thread.
"""

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import population
from negotiation_tui.market.engine import PLAIN_ENGINE
from negotiation_tui.market.headless import warm
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation

TURNS = 3
AGENTS, NEGOTIATIONS = (2, 20, 200, 1000, 10_000, 100_000), (100_000, 1_000_000, 10_000_000)
USUAL = 1000, 1_000_000


def measure(agents: int, negotiations: int) -> dict[str, float]:
    """Seconds of trading, the best of TURNS, and MiB of the whole process at most."""
    engine, scenario = warm() or PLAIN_ENGINE, Scenario.original()
    seconds = []
    for _ in range(TURNS):
        rng, learning = np.random.default_rng(0), {"exploration_decay": 0.0}
        people = [
            *population(Role.SELLER, "seller", agents // 2, 0, rng, learning=learning),
            *population(Role.BUYER, "buyer", agents // 2, 5, rng, learning=learning),
        ]
        room = MarketSimulation(
            scenario, people, Limit("negotiations", negotiations), 0, engine=engine
        )
        begun = time.thread_time()
        room.run()
        seconds.append(time.thread_time() - begun)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": min(seconds), "mib": held, "bytes": room.bytes_per_agent}


def row(agents: int, negotiations: int) -> None:
    """Print a row of the table, measured in another process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        found = process.submit(measure, agents, negotiations).result()
    seconds = found["seconds"]
    each = seconds / negotiations * 1e9
    print(
        f"| {agents:,} | {negotiations:,} | {seconds:.2f} s | {each:.0f} ns"
        f" | {found['mib']:.0f} MiB | {found['bytes']:,.0f} |",
        flush=True,
    )


def main() -> None:
    """The rows of benchmarks.md."""
    print("| agents | negotiations | time | a negotiation | whole process | bytes an agent |")
    print("| --- | --- | --- | --- | --- | --- |")
    for agents in AGENTS:
        row(agents, USUAL[1])
    for negotiations in NEGOTIATIONS:
        row(USUAL[0], negotiations)


if __name__ == "__main__":
    main()
