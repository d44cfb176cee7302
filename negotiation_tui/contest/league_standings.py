"""Standings from the rows of a league: means over seeds, with intervals. Pure."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from negotiation_tui.contest.standings import BY_NAME, AnyStanding, Column, Measure, mean, ranked
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import plural

AT_LEAST = "nash_conv_at_least"
"""A further column if a game has hidden limits: the least that NashConv can be."""
MEASURES = (
    Measure("nash_conv", "final NashConv", missing="not known"),
    Measure("close", "% of runs at NashConv 0.01 for good", percent=True, missing="not known"),
    Measure("reached", "episodes until then", missing="never"),
    Measure("share", "% of the surplus to the row's learner", percent=True, missing="not known"),
    Measure("deals", "% deals", percent=True, missing="not known"),
    Measure("seconds", "seconds of a processor", missing="not known"),
)


@dataclass(frozen=True, slots=True)
class LearnerStanding:
    """A learner's line of the leaderboard; None stands for what is not known yet.

    All but `games` is about the first game.
    """

    rank: int | None
    """One more than the number of learners with a lower mean NashConv."""
    name: str
    nash_conv: Estimate | None
    """Final NashConv, over its runs with all others and itself."""
    itself: Estimate | None
    """Final NashConv, over its runs with itself."""
    others: Estimate | None
    """Final NashConv, over its runs with others."""
    close: float | None
    """Share of runs whose NashConv stays at 0.01 or below from some moment on."""
    reached: Estimate | None
    """Episodes until that moment, over the runs that have one."""
    share: Estimate | None
    """Its expected share of the surplus opposite others."""
    seconds: float | None
    """Median processor time of a run with itself."""
    runs: int
    games: Mapping[str, "GameStanding"]
    """Its runs with itself, by game."""


@dataclass(frozen=True, slots=True)
class GameStanding:
    """Runs of a learner with itself in one game."""

    nash_conv: Estimate | None
    close: int
    """Number of runs whose NashConv stays at 0.01 or below from some moment on."""
    runs: int
    reached: Estimate | None
    """Episodes until that moment, over the runs that have one."""
    deals: Estimate | None
    """Probability of a deal."""
    seconds: float | None
    """Median processor time of a run."""


class GameColumn(Column):
    """NashConv of a learner with itself in another game, which gives the column its name."""

    def value(self, standing: AnyStanding) -> Any:
        assert isinstance(standing, LearnerStanding)
        game = standing.games.get(self.name)
        return game and game.nash_conv and game.nash_conv.mean


def columns(others: Sequence[str]) -> tuple[Column, ...]:
    return (
        Column("nash_conv", "NashConv", 9, ".4f", "NashConv", rising=True),
        Column("itself", "itself", 8, ".4f", "NashConv with itself", rising=True),
        Column("close", "close", 6, ".0%", "runs that come close"),
        Column("reached", "episodes", 10, ",.0f", "episodes", rising=True),
        Column("share", "share", 7, ".3f", "share of the surplus"),
        Column("seconds", "seconds", 8, ".2f", "seconds", rising=True),
        *(
            GameColumn(name, name, max(8, len(name) + 1), ".4f", f"NashConv on {name}", rising=True)
            for name in others
        ),
        BY_NAME,
        Column("runs", "runs", 6, "d"),
    )


def leaderboard(
    entrants: Sequence[str], rows: Sequence[Row], games: Sequence[str]
) -> list[LearnerStanding]:
    """Return every learner, the lowest mean NashConv first; those without a rank come last."""
    played = [row for row in rows if row["refused"] is None]
    standings = [_standing(name, played, games) for name in entrants]
    return ranked(standings, lambda each: each.nash_conv.mean if each.nash_conv else None)


def _standing(name: str, rows: Sequence[Row], games: Sequence[str]) -> LearnerStanding:
    nash_conv, reached = itemgetter("nash_conv"), itemgetter("reached")
    own = [row for row in rows if name in (row["seller"], row["buyer"])]
    first = [row for row in own if row["scenario"] == games[0]]
    others = [row for row in first if row["seller"] != row["buyer"]]
    alone = {}
    for game in games:
        runs = [row for row in own if row["scenario"] == game and row["seller"] == row["buyer"]]
        alone[game] = GameStanding(
            over_seeds(runs, nash_conv),
            sum(row["reached"] is not None for row in runs),
            len(runs),
            over_seeds(runs, reached),
            over_seeds(runs, itemgetter("deals")),
            float(np.median([row["seconds"] for row in runs])) if runs else None,
        )
    return LearnerStanding(
        rank=None,
        name=name,
        nash_conv=over_seeds(first, nash_conv),
        itself=alone[games[0]].nash_conv,
        others=over_seeds(others, nash_conv),
        close=_share_close(first),
        reached=over_seeds(first, reached),
        share=over_seeds(others, lambda row: share(row, name)),
        seconds=alone[games[0]].seconds,
        runs=len(first),
        games=alone,
    )


def cells(rows: Sequence[Row], game: str) -> dict[tuple[str, str], Row]:
    """Return the means of the runs of each pair in a game, both ways round."""
    pairs: dict[tuple[str, str], list[Row]] = {}
    for row in (row for row in rows if row["scenario"] == game):
        for pair in {(row["seller"], row["buyer"]), (row["buyer"], row["seller"])}:
            pairs.setdefault(pair, []).append(row)
    return {pair: _cell(pair[0], runs) for pair, runs in pairs.items()}


def _cell(name: str, runs: Sequence[Row]) -> Row:
    refused = next((row["refused"] for row in runs if row["refused"] is not None), None)
    played = [row for row in runs if row["refused"] is None]
    values: dict[str, list[float]] = {
        each: [row[each] for row in played if row[each] is not None]
        for each in ("nash_conv", "reached", "deals", "seconds")
    }
    return {
        **{each: mean(found) for each, found in values.items()},
        "close": _share_close(played),
        "share": mean([share(row, name) for row in played]),
        "runs": len(played),
        "refused": None if played else refused,
    }


def is_bound(row: Row) -> bool:
    """True if NashConv of a run is an upper bound: its beliefs were too many."""
    least: float | None = row.get(AT_LEAST)
    return least is not None and least < row["nash_conv"]


def bounds_text(rows: Sequence[Row]) -> str:
    """Return the number of runs whose NashConv is not exact; empty if there is none."""
    between = sum(map(is_bound, rows))
    if not between:
        return ""
    return (
        f"NashConv of {plural(between, 'run')} is an upper bound, because there are too many"
        f" beliefs; it is at least {AT_LEAST} in --out or --json"
    )


def share(row: Row, name: str) -> float:
    """Return the expected share of the surplus of a learner; the mean of both roles if alone."""
    own = [row[f"share_{role}"] for role in ("seller", "buyer") if row[role] == name]
    return math.fsum(own) / len(own)


def over_seeds(rows: Iterable[Row], value: Callable[[Row], float | None]) -> Estimate | None:
    """Return the mean over seeds of the mean over the runs of a seed; None without runs.

    One seed gives no interval: the error is infinite.
    """
    seeds: dict[int, list[float]] = {}
    for row in rows:
        found = value(row)
        if found is not None:
            seeds.setdefault(row["seed"], []).append(found)
    if not seeds:
        return None
    means = np.array([math.fsum(values) / len(values) for values in seeds.values()])
    return Estimate.of(means) if len(means) > 1 else Estimate(float(means[0]), math.inf)


def _share_close(rows: Sequence[Row]) -> float | None:
    return mean([float(row["reached"] is not None) for row in rows])
