"""Plots of `train` and `reproduce`, written to files by matplotlib (extra `plot`)."""

import os
from collections.abc import Sequence
from pathlib import Path

from negotiation_tui.api.figures import colour, cycles_of_row, draw_wallets
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.reproduction import Finding
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.runtime.files import atomic_write
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.validate import refusal

FORMATS = (".png", ".svg")


def check_plot(path: str | os.PathLike[str]) -> None:
    """Raise BadInputError if `save_plot` cannot write such a file; call before a long training."""
    if Path(path).suffix.lower() not in FORMATS:
        raise refusal("plot", str(path), "a file name that ends in .png or .svg")
    try:
        import matplotlib.figure  # noqa: F401 - only to check that it is installed
    except ImportError:
        raise BadInputError("plots need matplotlib: pip install 'negotiation-tui[plot]'") from None


def save_wallets(
    path: str | os.PathLike[str], findings: Sequence[Finding], rows: Sequence[Row]
) -> None:
    """Save histograms of the seller's wallet per experiment, with the published result.

    `rows` has the runs of all experiments, in the order of `findings`.
    """
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 7), layout="constrained")
    runs = len(rows) // len(findings)
    for n, (finding, axes) in enumerate(zip(findings, figure.subplots(2, 2).flat, strict=True)):
        part = rows[n * runs : (n + 1) * runs]
        for name, label, shade in (
            ("as_published", "as published", "#888888"),
            ("corrected", "corrected", colour("buyer")),
        ):
            values = [row[f"{name}_seller_wallet"] for row in part]
            axes.hist(values, bins=30, alpha=0.6, color=shade, label=label)
        axes.axvline(
            finding.experiment.published, color=colour("seller"), label="the published run"
        )
        axes.set(
            title=finding.experiment.name, xlabel="seller's wallet after the test", ylabel="runs"
        )
    figure.axes[0].legend()
    with atomic_write(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower())


def save_plot(path: str | os.PathLike[str], statistics: CycleStatistics) -> None:
    """Save the original's three plots: each agent's agreements and breakdowns, and wallets."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 4.5), layout="constrained")
    seller, buyer, wallets = figure.subplots(1, 3)
    cycles = statistics.cycles
    closed = (
        f"negotiations closed{'' if statistics.period == 1 else f' in {cycles_of_row(statistics)}'}"
    )
    for role, axes in ((Role.SELLER, seller), (Role.BUYER, buyer)):
        own = colour(str(role))
        axes.plot(cycles, statistics.agreements[:, role], color=own, label="validated")
        axes.plot(cycles, statistics.breakdowns[:, role], "--", color=own, label="rejected")
        axes.set(title=f"{role}".capitalize(), xlabel="cycle", ylabel=closed)
        axes.legend()
    draw_wallets(wallets, statistics)
    with atomic_write(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower())
