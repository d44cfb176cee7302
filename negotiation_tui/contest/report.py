"""Text of a contest: leaderboard, heat map, and what was refused. Pure."""

import textwrap
from collections.abc import Sequence

from negotiation_tui.contest.standings import (
    BY_NAME,
    AnyStanding,
    Cells,
    Column,
    Measure,
    matrix,
    short,
)
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import clip, table

LABEL = 24
"""Greatest width of an entrant's name in the heat map; longer names are cut."""
_CELL = 5
SHADES, ASCII_SHADES = " ░▒▓█", " .:+#"
"""Marks from low to high, written after a number."""


def leaderboard_text(standings: Sequence[AnyStanding], columns: Sequence[Column]) -> str:
    """Return rank, name and the columns, aligned."""
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
    """Return the mark of a refused pair, empty for others."""
    row = rows.get((one, other))
    return f"{'×':>{_CELL}} " if row and row["refused"] is not None else ""


def _shaded(value: float | None, low: float, high: float, measure: Measure, shades: str) -> str:
    if value is None:
        return f"{'–':>{_CELL}} "
    share = (value - low) / (high - low) if high > low else 0.0
    shade = shades[min(len(shades) - 1, int(share * len(shades)))]
    return f"{short(value, _CELL - 1, measure.percent):>{_CELL}}{shade}"
