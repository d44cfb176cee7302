"""What the rows of a tournament come to: the leaderboard, and a matrix of any measure. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from negotiation_tui.runtime.result_file import Row

Rows = Mapping[tuple[str, str], Row]
"""The rows that are there by who played, seller first."""


class Measure(NamedTuple):
    """Something that a row says of a pairing."""

    name: str
    """The column of the row."""
    title: str
    percent: bool = False


MEASURES = (
    Measure("mean_price", "mean price"),
    Measure("deal_share", "% deals", percent=True),
    Measure("share_seller", "% surplus to seller", percent=True),
    Measure("mean_rounds", "rounds to a deal"),
    Measure("spe_gap", "gap to the SPE price"),
)
"""What a matrix can show."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an entrant stands; None where no pairing says so yet."""

    rank: int | None
    """One more than the number of those that are better overall, None without both seats."""
    name: str
    overall: float | None
    """The mean reward of both seats, each seat the mean of its pairings; None without either."""
    seller: float | None
    buyer: float | None
    deals: float | None
    """The share of its negotiations that ended in a deal."""
    rounds: float | None
    """Mean rounds to a deal."""
    pairings: int
    """How many were played, and so count; that with itself is one."""


COLUMNS = ("overall", "seller", "buyer", "deals", "rounds", "name")
"""What a leaderboard can be sorted by."""


def by_players(rows: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """Rows by who played."""
    return {(row["seller"], row["buyer"]): row for row in rows}


def leaderboard(entrants: Sequence[str], rows: Rows) -> list[Standing]:
    """Every entrant, the best overall first, whoever has not played in both seats last."""
    standings = [_standing(name, entrants, rows) for name in entrants]
    scores = [each.overall for each in standings if each.overall is not None]
    ranked = [_ranked(each, scores) for each in standings]
    return sorted(ranked, key=_place)


def sorted_by(column: str, standings: Sequence[Standing]) -> list[Standing]:
    """A leaderboard in the order of a column of COLUMNS, the highest first; names from a on.

    Fewer rounds come first; what is not known comes last.
    """
    if column == "name":
        return sorted(standings, key=lambda each: each.name)
    sign = 1 if column == "rounds" else -1

    def key(each: Standing) -> tuple[bool, float, float]:
        value = getattr(each, column)
        return value is None, sign * (value or 0.0), _place(each)

    return sorted(standings, key=key)


def matrix(entrants: Sequence[str], rows: Rows, measure: Measure) -> list[list[float | None]]:
    """A measure by seller and buyer; None where it is not known or does not apply."""
    return [
        [rows.get((one, other), {}).get(measure.name) for other in entrants] for one in entrants
    ]


def short(value: float, width: int, percent: bool = False) -> str:
    """A number in at most so many characters, with two decimals if they fit."""
    if percent:
        return f"{100 * value:.0f}"
    for unit, size in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        scaled = value / size
        for text in (f"{scaled:.2f}", f"{scaled:.1f}", f"{scaled:.0f}"):
            if len(text + unit) <= width:
                return (text + unit).replace("-", "−")
    return "#" * width


def _standing(name: str, entrants: Sequence[str], rows: Rows) -> Standing:
    sold = _played(rows.get((name, other)) for other in entrants)
    bought = _played(rows.get((other, name)) for other in entrants)
    seller = _mean([row["reward_seller"] for row in sold])
    buyer = _mean([row["reward_buyer"] for row in bought])
    both = _played(
        rows.get(pair)
        for other in entrants
        for pair in ([(name, other), (other, name)] if other != name else [(name, name)])
    )
    deals = sum(row["deals"] for row in both)
    rounds = math.fsum(row["mean_rounds"] * row["deals"] for row in both if row["deals"])
    return Standing(
        None,
        name,
        None if seller is None or buyer is None else (seller + buyer) / 2,
        seller,
        buyer,
        _mean([row["deal_share"] for row in both]),
        rounds / deals if deals else None,
        len(both),
    )


def _ranked(each: Standing, scores: Sequence[float]) -> Standing:
    if each.overall is None:
        return each
    return replace(each, rank=1 + sum(score > each.overall for score in scores))


def _place(each: Standing) -> float:
    return math.inf if each.rank is None else each.rank


def _played(rows: Iterable[Row | None]) -> list[Row]:
    return [row for row in rows if row is not None and row["refused"] is None]


def _mean(values: Sequence[float]) -> float | None:
    # `sum` rounds otherwise from Python 3.12 on.
    return math.fsum(values) / len(values) if values else None
