"""Measures of a contest as a matrix, and the columns of its leaderboard. Pure."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from negotiation_tui.runtime.result_file import Row

Cells = Mapping[tuple[str, str], Row]
"""The values of each pair of entrants, in the order row, column of the heat map."""


class Measure(NamedTuple):
    """A result of a pair that a matrix can show."""

    name: str
    """Its name in a cell."""
    title: str
    percent: bool = False
    missing: str = "no deal"
    """The meaning of a cell without a value."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a leaderboard."""

    name: str
    """The attribute of a standing."""
    title: str
    width: int
    form: str
    """The format of its values."""
    sort: str = ""
    """The name of this order; empty if the leaderboard cannot be sorted by the column."""
    rising: bool = False
    """True to sort from low to high."""

    def value(self, standing: "AnyStanding") -> Any:
        return getattr(standing, self.name)

    def text(self, standing: "AnyStanding") -> str:
        """Return the value as text, a dash if it is not known."""
        value = self.value(standing)
        return "–" if value is None else format(value, self.form)


class AnyStanding(Protocol):
    """An entrant's line of a leaderboard."""

    @property
    def rank(self) -> int | None:
        """One more than the number of better entrants; None without a rank."""

    @property
    def name(self) -> str:
        """The entrant."""


S = TypeVar("S", bound=AnyStanding)
BY_NAME = Column("name", "entrant", 0, "", "name", rising=True)
"""The last order of each leaderboard."""


def sorted_by(column: Column, standings: Sequence[S]) -> list[S]:
    """Return a leaderboard sorted by a column; None comes last."""
    if column is BY_NAME:
        return sorted(standings, key=lambda each: each.name)
    sign = 1 if column.rising else -1

    def key(each: S) -> tuple[bool, float, float]:
        value = column.value(each)
        return value is None, sign * (value or 0.0), place(each)

    return sorted(standings, key=key)


def place(each: AnyStanding) -> float:
    return float("inf") if each.rank is None else each.rank


def ranked(standings: Sequence[S], score: Callable[[S], float | None]) -> list[S]:
    """Return a leaderboard with its ranks, the lowest score first; without a score, no rank."""
    scores = [score(each) for each in standings]
    known = [own for own in scores if own is not None]
    board: list[Any] = list(standings)
    for k, own in enumerate(scores):
        if own is not None:
            board[k] = replace(board[k], rank=1 + sum(each < own for each in known))
    return sorted(board, key=place)


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of some values; None without any."""
    # `sum` rounds differently from Python 3.12 on, `fsum` does not.
    return math.fsum(values) / len(values) if values else None


def matrix(entrants: Sequence[str], cells: Cells, measure: Measure) -> list[list[float | None]]:
    """Return a measure by row and column; None if it is not known or does not apply."""
    return [
        [cells.get((one, other), {}).get(measure.name) for other in entrants] for one in entrants
    ]


def short(value: float, width: int, percent: bool = False) -> str:
    """Return a number in at most `width` characters, with two decimals if they fit."""
    if percent:
        return f"{100 * value:.0f}"
    for unit, size in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        scaled = value / size
        for text in (f"{scaled:.2f}", f"{scaled:.1f}", f"{scaled:.0f}"):
            if len(text + unit) <= width:
                return (text + unit).replace("-", "−")
    return "#" * width
