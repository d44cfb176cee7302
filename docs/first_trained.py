"""Measure what being trained first is worth: `python docs/first_trained.py` (extra `plot`).

Trains `original` from each seed twice, seller first and buyer first, and tests both after odd and
even numbers of cycles, with the wallets of the seller compared. A part of the pairs is trained
again with one thing changed, which explains the result. Prints the tables of docs/findings.md and
draws docs/findings-first-trained.svg.

Takes a quarter of an hour of processor time for 53,000 pairs, on all processors: seven minutes on
two that are idle. `--pairs 1000` takes half a minute, with intervals seven times as wide.
`--seed 100000` measures other pairs.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import evaluate_both
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.output import with_progress
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.strategies.registry import strategy

PAIRS = 53_000
COUNTS = (9, 10, 19, 20, 49, 50, 51, 99, 100)
PUBLISHED = 50
NEIGHBOURS = ((9, 10), (19, 20), (49, 50), (99, 100))
CHANGED_SHARE = 3  # of so many pairs one is also trained with the change
MEASURES = ("corrected", "as published, wallets emptied", "left-over wallet")
COLOURS = ("#0072b2", "#b32d0c", "#888888")
SEEDS_PER_JOB = 50


@dataclass(frozen=True)
class Job:
    """Pairs of trainings from some seeds."""

    seeds: range
    counts: tuple[int, ...] = COUNTS
    changed: bool = False
    """True if the second agent, too, meets a random opponent in its first two cycles."""


def wallets(job: Job, seed: int, first: Role) -> list[tuple[int, int, int]]:
    """Return the measures of one training after each of some numbers of cycles.

    A training does not depend on how many cycles will follow: after 9 it is what one of 9 ends as.
    """
    backend, scenario = fastest_backend(), Scenario.original()
    training = ConcurrentTraining(scenario, seed=seed, train_agent=first, backend=backend)
    if job.changed:
        training.run(3)
        training.seat(first, strategy("random"))
        training.run(1)
        training.seat(first, None)
    found = []
    for cycles in job.counts:
        training.run(cycles - training.cycle)
        seller, buyer = (training.policy(role) for role in Role)
        tests = evaluate_both(scenario, seller, buyer, generators(seed).test, 0, backend)
        corrected, as_published = (test.seller_wallet for test in tests)
        found.append((corrected, as_published, training.statistics.left_over))
    return found


def differences(job: Job) -> NDArray[np.int64]:
    """Return seller first less buyer first: shape (seeds, counts, MEASURES)."""
    pairs = [[wallets(job, seed, role) for role in Role] for seed in job.seeds]
    both = np.array(pairs, np.int64)
    return np.asarray(both[:, 0] - both[:, 1], np.int64)


def measure(new_job: "partial[Job]", seeds: range) -> NDArray[np.int64]:
    """Return the differences of all pairs, on all processors."""
    starts = range(0, len(seeds), SEEDS_PER_JOB)
    jobs = [new_job(seeds[start : start + SEEDS_PER_JOB]) for start in starts]
    running = run_jobs(differences, jobs, os.cpu_count() or 1)
    done = dict(with_progress(running, len(jobs), f"jobs of {SEEDS_PER_JOB} pairs"))
    return np.concatenate([done[number] for number in range(len(jobs))])


def first_and_last(odd: NDArray[np.int64], even: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Return the worth of being trained first and of being trained last, for each pair.

    The agent trained first is also the last at an odd number of cycles: the difference is their
    sum. At an even number the other is the last: the difference is first less last.
    """
    return [(odd + even) / 2, (odd - even) / 2]


def formatted(values: NDArray[np.float64]) -> str:
    """Return a mean with its 95% interval."""
    estimate = Estimate.of(values)
    return f"{estimate.mean:+.1f} ± {estimate.error:.1f}".replace("-", "−")


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def worth(found: NDArray[np.int64], measure: int) -> list[list[str]]:
    """Return the worth of first and last, a row for each two neighbouring numbers of cycles."""
    at = dict(zip(COUNTS, np.moveaxis(found[..., measure], 1, 0), strict=True))
    return [
        [formatted(each) for each in first_and_last(at[odd], at[even])] for odd, even in NEIGHBOURS
    ]


def report(found: NDArray[np.int64], changed: NDArray[np.int64]) -> None:
    """Print the tables: by cycles, and the worth of first and last, also after the change."""
    print("Seller first less buyer first\n")
    rows = []
    for cycles, values in zip(COUNTS, np.moveaxis(found, 1, 0), strict=True):
        as_printed = values[:, 1] + values[:, 2]
        last = "first" if cycles % 2 else "second"
        rows.append([f"{cycles}", last, *map(formatted, [*values.T, as_printed])])
    table(["cycles", "trained last", *MEASURES, "as published"], rows)
    printed = found[:, COUNTS.index(PUBLISHED), 1:].sum(axis=1)
    print(f"as published the seller has more if first in {(printed > 0).mean():.0%} of pairs\n")
    n = len(changed)
    columns = [worth(found, 0), worth(found, 1), worth(found[:n], 0), worth(changed, 0)]
    names = [*MEASURES[:2], f"corrected, {n:,} pairs", "the same, changed"]
    heads = [f"{name}: {part}" for name in names for part in ("first", "last")]
    rows = [
        [f"{odd}, {even}", *(cell for column in columns for cell in column[k])]
        for k, (odd, even) in enumerate(NEIGHBOURS)
    ]
    table(["cycles", *heads], rows)


def draw(found: NDArray[np.int64]) -> Path:
    """Draw the differences by the number of cycles."""
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    axes = figure.subplots()
    places = np.arange(len(COUNTS))
    odd = np.array(COUNTS) % 2 == 1
    for n, (name, shade) in enumerate(zip(MEASURES, COLOURS, strict=True)):
        estimates = [Estimate.of(found[:, k, n].astype(np.float64)) for k in places]
        means, errors = (
            np.array([getattr(each, part) for each in estimates]) for part in ("mean", "error")
        )
        for part, face in ((odd, shade), (~odd, "white")):
            axes.errorbar(
                places[part] + 0.12 * (n - 1),
                means[part],
                errors[part],
                fmt="os^"[n],
                color=shade,
                markerfacecolor=face,
                capsize=3,
                label=name if face == shade else None,
            )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(places, [str(cycles) for cycles in COUNTS])
    axes.set(
        title="The seller's wallet: seller trained first less buyer trained first",
        xlabel="cycles (filled: odd, the first is also the last; hollow: even)",
        ylabel="difference, 95% interval",
    )
    axes.legend(ncols=3, loc="lower right")
    path = Path(__file__).with_name("findings-first-trained.svg")
    figure.savefig(path)
    return path


def main() -> None:
    """Measure, print the tables and draw the figure."""
    options = argparse.ArgumentParser(description="What is being trained first worth?")
    options.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help="(%(default)s)")
    options.add_argument("--seed", type=int, default=0, metavar="N", help="the first (%(default)s)")
    given = options.parse_args()
    seeds = range(given.seed, given.seed + max(2 * CHANGED_SHARE, given.pairs))
    print(f"{len(seeds):,} pairs, seeds {seeds[0]:,} to {seeds[-1]:,}", end="; ")
    print("each takes about 16 ms of one processor", flush=True)
    found = measure(partial(Job), seeds)
    report(found, measure(partial(Job, changed=True), seeds[: len(seeds) // CHANGED_SHARE]))
    print(draw(found))


if __name__ == "__main__":
    run(main)
