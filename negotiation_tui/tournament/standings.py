"""Standings from the rows of a tournament: leaderboard, and a matrix per measure. Pure."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from negotiation_tui.contest.standings import BY_NAME, Cells, Column, Measure, mean, ranked
from negotiation_tui.runtime.result_file import Row

MEASURES = (
    Measure("mean_price", "mean price"),
    Measure("deal_share", "% deals", percent=True),
    Measure("share_seller", "% surplus to seller", percent=True),
    Measure("mean_rounds", "rounds to a deal"),
    Measure("spe_gap", "gap to the SPE price"),
)
EFFICIENCY = Measure("efficiency", "% of the possible surplus", True, "nothing to gain")
"""A further measure if limits are hidden."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's line of the leaderboard; None stands for what is not known yet."""

    rank: int | None
    """One more than the number of better entrants; None unless it played in both seats."""
    name: str
    overall: float | None
    """Mean of `seller` and `buyer`; None unless it played in both seats."""
    seller: float | None
    """Mean reward as seller, over its pairings."""
    buyer: float | None
    deals: float | None
    """Share of its negotiations that ended in a deal, of those in which one was possible."""
    rounds: float | None
    """Mean rounds to a deal."""
    pairings: int
    """Number of its pairings that were played; the one with itself counts once."""
    efficiency: float | None = None
    """Share of the possible surplus that was reached; only known if limits are hidden."""


COLUMNS = (
    Column("overall", "both", 7, ".3f", "both seats"),
    Column("seller", "seller", 7, ".3f", "seller"),
    Column("buyer", "buyer", 7, ".3f", "buyer"),
    Column("deals", "deals", 6, ".0%", "deals"),
    Column("rounds", "rounds", 7, ".1f", "rounds", rising=True),
    BY_NAME,
    Column("pairings", "pairings", 9, "d"),
)
"""The columns of the leaderboard, and its order by name."""
HIDDEN_COLUMNS = (
    *COLUMNS[:4],
    Column("efficiency", "surplus", 8, ".0%", "share of the possible surplus"),
    *COLUMNS[4:],
)
"""The columns if limits are hidden."""


def by_players(rows: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """Return the rows by seller and buyer."""
    return {(row["seller"], row["buyer"]): row for row in rows}


def leaderboard(entrants: Sequence[str], rows: Cells) -> list[Standing]:
    """Return every entrant, the best overall first; those without a rank come last."""
    standings = [_standing(name, entrants, rows) for name in entrants]
    return ranked(standings, lambda each: None if each.overall is None else -each.overall)


def _standing(name: str, entrants: Sequence[str], rows: Cells) -> Standing:
    as_seller = _played(rows.get((name, other)) for other in entrants)
    as_buyer = _played(rows.get((other, name)) for other in entrants)
    seller = mean([row["reward_seller"] for row in as_seller])
    buyer = mean([row["reward_buyer"] for row in as_buyer])
    both = [*as_seller, *(row for row in as_buyer if row["seller"] != name)]
    deals = sum(row["deals"] for row in both)
    rounds = math.fsum(row["mean_rounds"] * row["deals"] for row in both if row["deals"])
    return Standing(
        None,
        name,
        None if seller is None or buyer is None else (seller + buyer) / 2,
        seller,
        buyer,
        mean([row["deal_share"] for row in both]),
        rounds / deals if deals else None,
        len(both),
        mean([row["efficiency"] for row in both if row.get("efficiency") is not None]),
    )


def _played(rows: Iterable[Row | None]) -> list[Row]:
    return [row for row in rows if row is not None and row["refused"] is None]
