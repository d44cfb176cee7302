"""The original's four experiments over many seeds, compared with the one published run of each."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.experiments.sweep import Sweep
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.result_file import ResultRow

_FEW = 10  # smallest number of runs for a verdict
_DISTANCE = "nash_conv_undiscounted"


@sealed(frozen=True, slots=True)
class Experiment:
    name: str
    run: Run  # with seed 0
    published: int  # the seller's wallet that the original printed after its test


_SELLER = Run(Scenario.original(), Parameters())
_BUYER = replace(_SELLER, train_agent=Role.BUYER)
EXPERIMENTS = (
    Experiment("both, seller first", _SELLER, 2846),
    Experiment("both, buyer first", _BUYER, 2681),
    Experiment("the seller alone", replace(_SELLER, train_both=False), 2762),
    Experiment("the buyer alone", replace(_BUYER, train_both=False), 1255),
)


@sealed(frozen=True, slots=True)
class Finding:
    """The seller's wallet after the test, over many runs of one experiment."""

    experiment: Experiment
    runs: int
    as_published: Estimate
    low: float
    high: float  # `low` to `high` contains 95% of the single runs as published
    below: float  # share of single runs with a smaller wallet than the published run
    left_over: Estimate  # content of the wallet before the test, the original's second mistake
    test_alone: Estimate  # as published, minus `left_over`
    corrected: Estimate
    nash_conv: Estimate | None  # none if the runs did not compute it

    @classmethod
    def of(cls, experiment: Experiment, rows: Sequence[ResultRow]) -> "Finding":

        def column(name: str) -> NDArray[np.float64]:
            return np.array([row[name] for row in rows], np.float64)

        wallets = column("as_published_seller_wallet")
        left_over = column("last_cycle_seller_wallet")
        low, high = np.quantile(wallets, [0.025, 0.975])
        below = float((wallets < experiment.published).mean())
        nash_conv = Estimate.of(column(_DISTANCE)) if _DISTANCE in rows[0] else None
        tests = wallets, left_over, wallets - left_over, column("corrected_seller_wallet")
        published, before, alone, corrected = map(Estimate.of, tests)
        ends = float(low), float(high)
        return cls(
            experiment, len(rows), published, *ends, below, before, alone, corrected, nash_conv
        )

    def to_dict(self) -> dict[str, Any]:
        table: dict[str, Any] = {
            "experiment": self.experiment.name,
            "published": self.experiment.published,
            "low": self.low,
            "high": self.high,
            "share_of_runs_below_published": self.below,
        }
        for name in ("as_published", "left_over", "test_alone", "corrected", "nash_conv"):
            estimate: Estimate | None = getattr(self, name)
            if estimate is not None:
                table[name] = {"mean": estimate.mean, "error": estimate.error}
        return table


def sweep(runs: int, seed: int, distance: bool = True) -> Sweep:
    """Return the runs of every experiment with the seeds `seed … seed + runs - 1`."""
    jobs = (replace(each.run, seed=seed + n) for each in EXPERIMENTS for n in range(runs))
    return Sweep(tuple(jobs), distance)


def findings(rows: Sequence[ResultRow]) -> list[Finding]:
    """Return the finding of each experiment from the rows of `sweep`, in their order."""
    runs = len(rows) // len(EXPERIMENTS)
    parts = (rows[n * runs : (n + 1) * runs] for n in range(len(EXPERIMENTS)))
    return list(map(Finding.of, EXPERIMENTS, parts))


def verdict(seller_first: Finding, buyer_first: Finding) -> str:
    """Say in a few sentences by how much the agent trained first wins, and what these runs see."""
    published = seller_first.experiment.published - buyer_first.experiment.published
    left_over = seller_first.left_over.minus(buyer_first.left_over)
    alone = seller_first.test_alone.minus(buyer_first.test_alone)
    corrected = seller_first.corrected.minus(buyer_first.corrected)
    if left_over.mean > left_over.error:
        share = 100 * left_over.mean / published
        explained = f"The left-over wallet explains {left_over} of that ({share:.0f}%)."
    else:
        explained = f"The left-over wallet differs by {left_over}."
    judgement, runs = "These are too few runs for a verdict.", seller_first.runs
    if runs >= _FEW:
        judgement = (
            f"Four of five experiments with {runs:,} runs would see a true difference of"
            f" {math.ceil(alone.detectable):,} in the one and of"
            f" {math.ceil(corrected.detectable):,} in the other; a smaller one may stay hidden."
        )
        if abs(corrected.mean) > corrected.error:
            first = "seller" if corrected.mean > 0 else "buyer"
            judgement += (
                f" In the corrected test the seller gains more if the {first} trains first."
            )
    return (
        f'Published: "the first trained agent wins", by {published}. {explained}'
        f" Without it the test differs by {alone}, and the corrected test by {corrected}."
        f" {judgement}"
    )
