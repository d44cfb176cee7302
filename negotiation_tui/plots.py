"""The original's three plots, by matplotlib (extra `plot`)."""

import os
from collections.abc import Sequence
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.reproduction import Finding
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.runtime.files import written_beside
from negotiation_tui.runtime.result_file import Row

FORMATS = (".png", ".svg")
_COLOURS = {Role.SELLER: "#b32d0c", Role.BUYER: "#00b378"}


def check_plot(path: str | os.PathLike[str]) -> None:
    """Raise BadInputError if `save_plot` could not write this file, before a long training."""
    if Path(path).suffix.lower() not in FORMATS:
        raise BadInputError(f"plot {str(path)!r}: use a name that ends in .png or .svg")
    try:
        import matplotlib.figure  # noqa: F401 - only to know that it is there
    except ImportError:
        raise BadInputError("plots need matplotlib: pip install 'negotiation-tui[plot]'") from None


def save_wallets(
    path: str | os.PathLike[str], found: Sequence[Finding], rows: Sequence[Row]
) -> None:
    """How the seller's wallet is distributed in each experiment, and the published run in it."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 7), layout="constrained")
    runs = len(rows) // len(found)
    for n, (finding, axes) in enumerate(zip(found, figure.subplots(2, 2).flat, strict=True)):
        part = rows[n * runs : (n + 1) * runs]
        for name, label, colour in (
            ("as_published", "as published", "#888888"),
            ("corrected", "corrected", _COLOURS[Role.BUYER]),
        ):
            values = [row[f"{name}_seller_wallet"] for row in part]
            axes.hist(values, bins=30, alpha=0.6, color=colour, label=label)
        axes.axvline(
            finding.experiment.published, color=_COLOURS[Role.SELLER], label="the published run"
        )
        axes.set(
            title=finding.experiment.name, xlabel="seller's wallet after the test", ylabel="runs"
        )
    figure.axes[0].legend()
    with written_beside(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower())


def save_plot(path: str | os.PathLike[str], statistics: CycleStatistics) -> None:
    """Validated and rejected negotiations per cycle for each agent, and wallets per cycle."""
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 4.5), layout="constrained")
    seller, buyer, wallets = figure.subplots(1, 3)
    cycles = range(1, len(statistics.counts) + 1)
    for role, axes in ((Role.SELLER, seller), (Role.BUYER, buyer)):
        colour = _COLOURS[role]
        axes.plot(cycles, statistics.validated[:, role], color=colour, label="validated")
        axes.plot(cycles, statistics.rejected[:, role], "--", color=colour, label="rejected")
        axes.set(title=f"{role}".capitalize(), xlabel="cycle", ylabel="negotiations closed")
        axes.legend()
    for role in Role:
        wallets.plot(cycles, statistics.wallets[:, role], color=_COLOURS[role], label=f"{role}")
    wallets.set(title="Wallets", xlabel="cycle", ylabel="gained in the cycle")
    wallets.legend()
    with written_beside(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:].lower())
