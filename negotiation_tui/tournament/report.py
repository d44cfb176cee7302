"""Text and plain values of a tournament: leaderboard and heat map. Pure."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import clip, plural, table
from negotiation_tui.tournament.pairings import Pairing
from negotiation_tui.tournament.standings import (
    MEASURES,
    Measure,
    Rows,
    Standing,
    by_players,
    leaderboard,
    matrix,
    short,
)

LABEL = 24
"""Greatest width of an entrant's name in the heat map; longer names are cut."""
_CELL = 5
SHADES, ASCII_SHADES = " ░▒▓█", " .:+#"
"""Marks from low to high, written after a number."""


def tournament_dict(
    entrants: Sequence[str], pairings: Sequence[Pairing], rows: Sequence[Row]
) -> dict[str, Any]:
    """Return leaderboard, matrices and rows as plain values."""
    played, first = by_players(rows), pairings[0]
    return {
        "scenario": first.scenario.to_dict(),
        "recipe": first.recipe,
        "negotiations": first.negotiations,
        "seed": first.seed,
        "entrants": list(entrants),
        "leaderboard": [asdict(standing) for standing in leaderboard(entrants, played)],
        "matrices": {each.name: matrix(entrants, played, each) for each in MEASURES},
        "pairings": list(rows),
    }


def tournament_text(
    entrants: Sequence[str],
    pairings: Sequence[Pairing],
    rows: Sequence[Row],
    width: int,
    shades: str,
) -> str:
    """Return the leaderboard, a heat map of mean prices, and the pairings that were refused."""
    played, first = by_players(rows), pairings[0]
    about = (
        f"{first.scenario.name}: {len(entrants)} entrants, every one as seller and as buyer,"
        f" {plural(first.negotiations, 'negotiation')} per pairing, seed {first.seed}"
    )
    parts = [
        about,
        leaderboard_text(leaderboard(entrants, played)),
        heat_map_text(entrants, played, MEASURES[0], width, shades),
        _refused(rows, width),
    ]
    return "\n\n".join(filter(None, parts))


def _refused(rows: Sequence[Row], width: int) -> str:
    """Return the list of refused pairings; empty if there are none."""
    refused: dict[str, list[str]] = {}
    for row in rows:
        if row["refused"] is not None:
            refused.setdefault(row["seller"], []).append(row["buyer"])
    if not refused:
        return ""
    pairs = "; ".join(f"{seller} with {', '.join(buyers)}" for seller, buyers in refused.items())
    text = f"× cannot be played (see refused in --out or --json): {pairs}"
    return "\n".join(textwrap.wrap(text, max(40, width)))


def leaderboard_text(standings: Sequence[Standing]) -> str:
    """Return rank, name, mean rewards, deals, rounds and pairings in aligned columns."""
    longest = max(len("entrant"), *(len(each.name) for each in standings))
    rows: list[tuple[str, ...]] = [
        ("rank", "entrant", "seller", "buyer", "both", "deals", "rounds", "pairings")
    ]
    for each in standings:
        rewards = (_cell(value, ".3f") for value in (each.seller, each.buyer, each.overall))
        deals = "–" if each.deals is None else f"{100 * each.deals:.0f} %"
        rank, rounds = _cell(each.rank, "d"), _cell(each.rounds, ".1f")
        rows.append((rank, each.name, *rewards, deals, rounds, str(each.pairings)))
    return "\n".join([" " * (longest + 9) + "mean reward as", *table(rows, ">", "<", ">6")])


def heat_map_text(
    entrants: Sequence[str], rows: Rows, measure: Measure, width: int, shades: str = SHADES
) -> str:
    """Return a matrix of a measure, one row per seller and one column per buyer.

    It is cut into parts that fit the width. A column has the number of its buyer's row. The shade
    after a value says how high it is.
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
    legend = (
        f"{measure.title}, seller down, buyer across"
        + (f"; {low:.2f} to {high:.2f}{shades[-1]}" if known else "")
        + "; – no deal"
    )
    return "\n\n".join([legend, *parts])


def _cell(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _refused_mark(rows: Rows, seller: str, buyer: str) -> str:
    """Return the mark of a refused pairing, empty for others."""
    row = rows.get((seller, buyer))
    return f"{'×':>{_CELL}} " if row and row["refused"] is not None else ""


def _shaded(value: float | None, low: float, high: float, measure: Measure, shades: str) -> str:
    if value is None:
        return f"{'–':>{_CELL}} "
    share = (value - low) / (high - low) if high > low else 0.0
    shade = shades[min(len(shades) - 1, int(share * len(shades)))]
    return f"{short(value, _CELL - 1, measure.percent):>{_CELL}}{shade}"
