"""Whole experiments against the original's, measured over 600 of its runs."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui import evaluation
from negotiation_tui.learning import PLAIN, ConcurrentTraining, Parameters, compile_backend
from negotiation_tui.learning.seeds import generators
from negotiation_tui.policy import greedy
from negotiation_tui.roles import Role
from negotiation_tui.scenario import Scenario

pytestmark = pytest.mark.slow

Figures = dict[str, float]
EXPERIMENTS = {
    "both_seller_first": (True, Role.SELLER),
    "both_buyer_first": (True, Role.BUYER),
    "one_seller_first": (False, Role.SELLER),
    "one_buyer_first": (False, Role.BUYER),
}
ORIGINAL = json.loads(
    (Path(__file__).parent / "data" / "original_distribution.json").read_text(encoding="utf-8")
)
SEEDS = 200
ROUNDING = 0.005
"""The original's means are kept to two places."""


@cache
def runs_of(experiment: str) -> list[Figures]:
    """The figures of one of the four experiments for every seed."""
    train_both, first = EXPERIMENTS[experiment]
    backend = compile_backend() or PLAIN
    runs = []
    for seed in range(SEEDS):
        training = ConcurrentTraining(
            Scenario.original(), Parameters(), seed, train_both, first, backend=backend
        )
        training.run()
        runs.append(figures(training))
    return runs


def figures(training: ConcurrentTraining) -> Figures:
    trained = training.statistics
    left_over = int(trained.wallets[-1, Role.SELLER])
    seller, buyer = (greedy(training.scenario, role, training.q_table(role)) for role in Role)
    rng = generators(training.seed).test
    published = evaluation.test_as_published(
        training.scenario, seller, buyer, rng, left_over=left_over
    )
    corrected = evaluation.test(training.scenario, seller, buyer, rng)
    counts = {"train": trained.total, "test": published.totals}
    return {
        **{
            f"{when}_{what}_{role}": getattr(totals, f"{what}_{role}")
            for when, totals in counts.items()
            for what in ("validated", "rejected")
            for role in Role
        },
        "last_cycle_seller_wallet": left_over,
        "published_seller_wallet": published.seller_wallet,
        "test_only_seller_wallet": published.totals.paid,
        "corrected_seller_wallet": corrected.seller_wallet,
    }


def differences(runs: list[Figures], name: str, mean: float, error: float) -> tuple[float, float]:
    """How far off the mean is, and what four standard errors of the difference allow."""
    values = np.array([run[name] for run in runs])
    own_error = values.std(ddof=1) / len(values) ** 0.5
    return abs(values.mean() - mean), 4 * np.hypot(error, own_error) + ROUNDING


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_mean_is_the_originals(experiment: str) -> None:
    runs = runs_of(experiment)
    reference = dict(ORIGINAL[experiment])
    n = reference.pop("runs")
    assert set(reference) == set(runs[0]) - {"corrected_seller_wallet"}
    off = {}
    for figure, known in reference.items():
        difference, allowed = differences(runs, figure, known["mean"], known["sd"] / n**0.5)
        if difference > allowed:
            off[figure] = f"{difference:.1f} from {known['mean']}, {allowed:.1f} allowed"
    assert not off


@pytest.mark.parametrize(
    ("experiment", "mean", "margin"),
    [("both_seller_first", 2824, 12), ("both_buyer_first", 2815, 13)],
)
def test_corrected_whoever_is_trained_first_earns_the_same(
    experiment: str, mean: int, margin: int
) -> None:
    """Measured over 4000 seeds; the margins are 95 %."""
    runs = runs_of(experiment)
    difference, allowed = differences(runs, "corrected_seller_wallet", mean, margin / 1.96)
    assert difference <= allowed
