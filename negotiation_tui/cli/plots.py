"""Plots of `train` and `reproduce`, written to files by matplotlib (extra `plot`)."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.api import figures
from negotiation_tui.api.figures import colour, cycles_of_row
from negotiation_tui.errors import BadInputError, how_to_install
from negotiation_tui.experiments.reproduction import Finding
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.runtime.files import atomic_write, check_writable
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.validate import refusal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")


def check_plot(path: str | os.PathLike[str]) -> None:
    """Raise BadInputError if no figure can be written there; call before a long training."""
    if Path(path).suffix.lower() not in FORMATS:
        raise refusal("plot", str(path), "a file name that ends in .png or .svg")
    check_writable(path)
    try:
        import matplotlib.figure  # noqa: F401 - it makes folders: only after all other checks
    except ImportError:
        raise BadInputError(f"plots need matplotlib: {how_to_install('plot')}") from None


def _save(path: str | os.PathLike[str], figure: "Figure") -> None:
    with atomic_write(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower())


def save_wallets(
    path: str | os.PathLike[str], findings: Sequence[Finding], rows: Sequence[ResultRow]
) -> None:
    """Save histograms of the seller's wallet per finding; `rows` has their runs in this order."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 7), layout="constrained")
    runs = len(rows) // len(findings)
    for n, (finding, axes) in enumerate(zip(findings, figure.subplots(2, 2).flat, strict=True)):
        part = rows[n * runs : (n + 1) * runs]
        for rule, shade in (("as published", "#888888"), ("corrected", colour("buyer"))):
            values = [row[f"{rule.replace(' ', '_')}_seller_wallet"] for row in part]
            axes.hist(values, bins=30, alpha=0.6, color=shade, label=rule)
        experiment, wallet = finding.experiment, "seller's wallet after the test"
        axes.axvline(experiment.published, color=colour("seller"), label="the published run")
        axes.set(title=experiment.name, xlabel=wallet, ylabel="runs")
    figure.axes[0].legend()
    _save(path, figure)


def save_plot(path: str | os.PathLike[str], tables: TrainedTables) -> None:
    """Save the original's three plots: each agent's agreements and breakdowns, and wallets."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 4.5), layout="constrained")
    seller, buyer, wallets = figure.subplots(1, 3)
    statistics, closed = tables.statistics, "negotiations closed"
    cycles = statistics.cycles
    if statistics.period > 1:
        closed += f" in {cycles_of_row(statistics)}"
    for role, axes in ((Role.SELLER, seller), (Role.BUYER, buyer)):
        ink = colour(str(role))
        axes.plot(cycles, statistics.agreements[:, role], color=ink, label="deals")
        axes.plot(cycles, statistics.breakdowns[:, role], "--", color=ink, label="breakdowns")
        axes.set(title=f"{role}".capitalize(), xlabel="cycle", ylabel=closed)
        axes.legend()
    figures.wallets(tables, wallets)
    _save(path, figure)
