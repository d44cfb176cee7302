"""Measure when compiling and when processes pay: `python docs/short_work.py`.

Prints the figures of docs/benchmarks.md: processor time to load or compile the loops, and the time
of several sizes of work with one worker, two processes, and two threads of one process. Ratios are
to one worker. Two idle cores need half the processor time of two processes on the clock.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from statistics import median

from negotiation_tui.experiments import reproduction
from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.process_pool import run_jobs

TURNS = 3
RUNS = 8
CYCLES = (50, 20_000, 40_000, 80_000)
SCIPY = ("with scipy", "without scipy")
READY = """
import sys, time
if sys.argv[1] == "without scipy":
    sys.modules["scipy"] = None
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.market.headless import warm
from negotiation_tui.strategies.registry import strategy
times = [time.thread_time()]
backend = fastest_backend()
times.append(time.thread_time())
warm()
times.append(time.thread_time())
if backend.name == "compiled":
    responder = strategy("best-response")
    ConcurrentTraining(Scenario.original(), seller=responder, backend=backend).run(1)
times.append(time.thread_time())
print(*(after - before for before, after in zip(times, times[1:])))
"""


def ready(folder: str, scipy: str) -> list[float]:
    """Return the processor seconds until the inner loop is ready, a market's, a responder's."""
    environment = os.environ | {"NUMBA_CACHE_DIR": folder}
    words = [sys.executable, "-c", READY, scipy]
    printed = subprocess.check_output(words, env=environment, text=True)  # noqa: S603
    return [float(word) for word in printed.split()]


def in_threads(jobs: Sequence[Run]) -> None:
    """Run jobs in two threads; only the compiled loop runs at the same time as other code."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(partial(train_and_test, distance=False, jobs=len(jobs)), jobs))


def used() -> float:
    """Return the processor seconds of this process and the workers that have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in both)


def measure(jobs: Sequence[Run]) -> str:
    """Return seconds on the clock and of processors, and their ratios, of each way, in turns."""
    run = partial(train_and_test, distance=False, jobs=len(jobs))
    ways = {
        "one worker": lambda: list(run_jobs(run, jobs, 1)),
        "two processes": lambda: list(run_jobs(run, jobs, 2)),
        "two threads": lambda: in_threads(jobs),
        "by itself": lambda: list(run_jobs(run, jobs, None)),
    }
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, work in ways.items():
            clock, processor = time.perf_counter(), used()
            work()
            seen[name].append((time.perf_counter() - clock, used() - processor))
    clock, processor = (
        {name: median(each) for name, each in zip(seen, part, strict=True)}
        for part in zip(*(zip(*each, strict=True) for each in seen.values()), strict=True)
    )
    one = next(iter(ways))
    cells = (
        f"{clock[name]:.1f} s, {clock[name] / clock[one]:.2f} ×"
        f" ({processor[name]:.1f} s, {processor[name] / processor[one]:.2f} ×)"
        for name in ways
    )
    return " | ".join(cells)


def main() -> None:
    """Print all figures."""
    for scipy in SCIPY:
        fresh, kept = [], []
        for _ in range(TURNS):
            with tempfile.TemporaryDirectory() as folder:
                fresh.append(ready(folder, scipy))
                kept.append(ready(folder, scipy))
        for name, times in (("compiled", fresh), ("loaded", kept)):
            loop, market, responder = (median(part) for part in zip(*times, strict=True))
            print(
                f"{name}, {scipy}: inner loop {loop:.2f} s, a market's {market:.2f} s more,"
                f" a best responder's {responder:.2f} s more"
            )
    first = reproduction.EXPERIMENTS[0]
    train_and_test(first.run)
    for cycles in CYCLES:
        jobs = [replace(first.run, seed=seed) for seed in range(RUNS)]
        jobs = [replace(job, parameters=replace(job.parameters, cycles=cycles)) for job in jobs]
        print(f"| {RUNS} runs of {cycles:,} cycles | {measure(jobs)} |", flush=True)


if __name__ == "__main__":
    run(main)
