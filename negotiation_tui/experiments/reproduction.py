"""The original's four experiments over many seeds, beside what it published of one run each."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.experiments.training_run import Job
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.result_file import Row

NORMAL_95 = 1.959964
FEW = 10
"""With fewer runs no verdict is given."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """One of the four, and the seller's wallet that the original printed after its test."""

    name: str
    train_both: bool
    train_agent: Role
    published: int

    def job(self, seed: int) -> Job:
        """One run of it."""
        return Job(Scenario.original(), Parameters(), seed, self.train_both, self.train_agent)


EXPERIMENTS = (
    Experiment("both, seller first", True, Role.SELLER, 2846),
    Experiment("both, buyer first", True, Role.BUYER, 2681),
    Experiment("the seller alone", False, Role.SELLER, 2762),
    Experiment("the buyer alone", False, Role.BUYER, 1255),
)


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, by its expansion about the normal's.

    Abramowitz and Stegun 1964, 26.7.5; good to a hundredth from 4 degrees of freedom on.
    """
    z, n = NORMAL_95, freedom
    terms = (
        (z**3 + z) / (4 * n),
        (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2),
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3),
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4),
    )
    return z + math.fsum(terms)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over independent runs, and how exactly it is known."""

    mean: float
    error: float
    """Half the width of its 95 % confidence interval."""

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "Estimate":
        """From one value a run, at least two."""
        error = student_95(len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
        return cls(float(values.mean()), float(error))

    def minus(self, other: "Estimate") -> "Estimate":
        """The difference of two independent ones."""
        return Estimate(self.mean - other.mean, float(np.hypot(self.error, other.error)))

    def __str__(self) -> str:
        return f"{self.mean:,.0f} ± {self.error:,.0f}"


@dataclass(frozen=True, slots=True)
class Finding:
    """What many runs of one experiment came to: the seller's wallet after the test, each way."""

    experiment: Experiment
    runs: int
    as_published: Estimate
    low: float
    high: float
    """Between these lie 95 % of the single runs as published."""
    below: float
    """The share of single runs that ended below the published one."""
    left_over: Estimate
    """Slip 2: what the wallet held before the test began."""
    test_alone: Estimate
    """As published without that."""
    corrected: Estimate
    nash_conv: Estimate

    @classmethod
    def of(cls, experiment: Experiment, rows: Sequence[Row]) -> "Finding":
        """From the rows of its runs, at least two."""

        def column(name: str) -> NDArray[np.float64]:
            return np.array([row[name] for row in rows], np.float64)

        wallets, left_over = (
            column("as_published_seller_wallet"),
            column("last_cycle_seller_wallet"),
        )
        low, high = np.quantile(wallets, [0.025, 0.975])
        return cls(
            experiment,
            len(rows),
            Estimate.of(wallets),
            float(low),
            float(high),
            float((wallets < experiment.published).mean()),
            Estimate.of(left_over),
            Estimate.of(wallets - left_over),
            Estimate.of(column("corrected_seller_wallet")),
            Estimate.of(column("nash_conv_undiscounted")),
        )

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        table: dict[str, Any] = {
            "experiment": self.experiment.name,
            "published": self.experiment.published,
            "low": self.low,
            "high": self.high,
            "share_of_runs_below_published": self.below,
        }
        for name in ("as_published", "left_over", "test_alone", "corrected", "nash_conv"):
            estimate: Estimate = getattr(self, name)
            table[name] = {"mean": estimate.mean, "error": estimate.error}
        return table


def jobs(runs: int, seed: int) -> list[Job]:
    """Every experiment with the seeds `seed … seed + runs - 1`."""
    return [experiment.job(seed + n) for experiment in EXPERIMENTS for n in range(runs)]


def findings(rows: Sequence[Row]) -> list[Finding]:
    """From the rows of `jobs`, in their order."""
    runs = len(rows) // len(EXPERIMENTS)
    return [
        Finding.of(experiment, rows[n * runs : (n + 1) * runs])
        for n, experiment in enumerate(EXPERIMENTS)
    ]


def verdict(seller_first: Finding, buyer_first: Finding) -> str:
    """Whether the first trained agent wins, in words."""
    published = seller_first.experiment.published - buyer_first.experiment.published
    left_over = seller_first.left_over.minus(buyer_first.left_over)
    alone = seller_first.test_alone.minus(buyer_first.test_alone)
    corrected = seller_first.corrected.minus(buyer_first.corrected)
    if left_over.mean > left_over.error:
        share = f"{100 * left_over.mean / published:.0f} % of it"
        explained = f"the left-over wallet explains {left_over}, {share};"
    else:
        explained = f"the left-over wallet differs by {left_over};"
    return (
        f'"The first trained agent wins": published by {published}. Of this {explained}'
        f" the test alone differs by {alone}, the corrected test by {corrected}."
        f" {_judgement(alone, corrected, seller_first.runs)}"
    )


def _judgement(alone: Estimate, corrected: Estimate, runs: int) -> str:
    if runs < FEW:
        return "These are too few runs to judge by."
    biased = [abs(found.mean) > found.error for found in (alone, corrected)]
    if not any(biased):
        return "Both intervals hold 0: who is trained first makes no difference that can be seen."
    who = "seller" if corrected.mean > 0 else "buyer"
    if not biased[1]:
        return "By the corrected test who is trained first makes no difference that can be seen."
    return f"By the corrected test training the {who} first does make a difference."
