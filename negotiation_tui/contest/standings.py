"""Leaderboard and heat map of a contest: their values, and their text. Pure."""

import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeVar

from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import clip, table

LABEL = 24
"""Greatest width of an entrant's name in the heat map; longer names are cut."""
_CELL = 5
SHADES, ASCII_SHADES = " ░▒▓█", " .:+#"
"""Marks from low to high, written after a number."""
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
    """The attribute of a standing; of an interval the mean is shown."""
    title: str
    width: int
    form: str
    """The format of its values."""
    sort: str = ""
    """The name of this order; empty if the leaderboard cannot be sorted by the column."""
    rising: bool = False
    """True to sort from low to high."""

    def value(self, standing: "AnyStanding") -> Any:
        value = getattr(standing, self.name)
        return value.mean if isinstance(value, Estimate) else value

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


def leaderboard_text(standings: Sequence[AnyStanding], columns: Sequence[Column]) -> str:
    columns = [column for column in columns if column is not BY_NAME]
    rows = [("rank", "entrant", *(column.title for column in columns))]
    for each in standings:
        rank = "–" if each.rank is None else str(each.rank)
        rows.append((rank, each.name, *(column.text(each) for column in columns)))
    return "\n".join(table(rows, ">", "<", ">6"))


def refused_text(rows: Sequence[Row], width: int) -> str:
    """Return the list of refused jobs; empty if there are none."""
    refused: dict[str, dict[str, None]] = {}
    for row in rows:
        if row["refused"] is not None:
            refused.setdefault(row["seller"], {})[row["buyer"]] = None
    if not refused:
        return ""
    pairs = "; ".join(f"{seller} with {', '.join(buyers)}" for seller, buyers in refused.items())
    text = f"× cannot be played (see refused in --out or --json): {pairs}"
    return "\n".join(textwrap.wrap(text, max(40, width)))


def heat_map_text(
    entrants: Sequence[str],
    rows: Cells,
    measure: Measure,
    sides: tuple[str, str],
    width: int,
    shades: str = SHADES,
) -> str:
    """Return a matrix of a measure; `sides` name its rows and its columns.

    It is cut into parts that fit the width. A column has the number of its entrant's row. The
    shade after a value says how high it is.
    """
    longest = min(LABEL, max(map(len, entrants)))
    values = matrix(entrants, rows, measure)
    known = [value for row in values for value in row if value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    columns = max(1, (width - longest - 4) // (_CELL + 1))
    parts = []
    for start in range(0, len(entrants), columns):
        across = range(start, min(start + columns, len(entrants)))
        lines = [" " * (longest + 4) + "".join(f"{n + 1:>{_CELL}} " for n in across)]
        for n, entrant in enumerate(entrants):
            cells = "".join(
                _refused_mark(rows, entrant, entrants[k])
                or _shaded(values[n][k], low, high, measure, shades)
                for k in across
            )
            lines.append(f"{n + 1:>3} {clip(entrant, longest):<{longest}}{cells}")
        parts.append("\n".join(line.rstrip() for line in lines))
    span = f"; {low:.2f} to {high:.2f}{shades[-1]}" if known else ""
    legend = f"{measure.title}, {sides[0]} down, {sides[1]} across{span}; – {measure.missing}"
    return "\n\n".join([legend, *parts])


def _refused_mark(rows: Cells, one: str, other: str) -> str:
    row = rows.get((one, other))
    return f"{'×':>{_CELL}} " if row and row["refused"] is not None else ""


def _shaded(value: float | None, low: float, high: float, measure: Measure, shades: str) -> str:
    if value is None:
        return f"{'–':>{_CELL}} "
    share = (value - low) / (high - low) if high > low else 0.0
    shade = shades[min(len(shades) - 1, int(share * len(shades)))]
    return f"{short(value, _CELL - 1, measure.percent):>{_CELL}}{shade}"
