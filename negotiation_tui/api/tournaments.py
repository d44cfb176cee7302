"""A tournament that was played: its rows, and what they come to."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.recipes import recipe as recipe_of
from negotiation_tui.runtime.result_file import ResultFile, Row, rows_of
from negotiation_tui.runtime.validate import integer, one_of, refusal
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.tournament.pairings import (
    Pairing,
    entrants_of,
    job_key,
    pairing_file,
    pairings,
    run_job,
    run_job_catching,
)
from negotiation_tui.tournament.report import tournament_dict
from negotiation_tui.tournament.standings import MEASURES, Standing, by_players, leaderboard, matrix


@dataclass(frozen=True, eq=False, slots=True)
class Tournament:
    """Who took part, and a row for each pairing (docs/tournament.md says what is in it)."""

    entrants: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rows: tuple[Row, ...]

    @property
    def leaderboard(self) -> list[Standing]:
        """Every entrant, the best overall first."""
        return leaderboard(self.entrants, by_players(self.rows))

    def matrix(self, measure: str = MEASURES[0].name) -> NDArray[np.float64]:
        """A measure of each pairing, seller down and buyer across, in the order of `entrants`.

        NaN where it is not known or does not apply. Raises BadInputError for an unknown measure.
        """
        named = {each.name: each for each in MEASURES}
        chosen = named[one_of("measure", measure, tuple(named))]
        return np.array(matrix(self.entrants, by_players(self.rows), chosen), np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Leaderboard, matrices and rows as plain values, as `tournament --json` prints them."""
        return tournament_dict(self.entrants, self.pairings, self.rows)

    def __repr__(self) -> str:
        first, size = self.leaderboard[0], len(self.entrants)
        scenario = self.pairings[0].scenario.name
        return f"<Tournament {scenario}, {size} entrants, best {first.name}>"


def play(
    entrants: Sequence[str],
    jobs: Sequence[Pairing],
    file: ResultFile | None = None,
    workers: int = 1,
    cluster: str | None = None,
) -> Tournament:
    """Play every pairing, by way of the file if there is one, with a bar on a terminal."""
    one = run_job if file else run_job_catching
    found = rows_of(one, jobs, file, workers, cluster, "pairings")
    rows = ({**job_key(job), **row} for job, row in zip(jobs, found, strict=True))
    return Tournament(tuple(entrants), tuple(jobs), tuple(rows))


def run_tournament(
    scenario: ScenarioLike = "original",
    entrants: Iterable[str] = (),
    *,
    recipe: str = RECIPE,
    negotiations: int = NEGOTIATIONS,
    seed: int = 0,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
) -> Tournament:
    """Everybody against everybody, as `negotiation-tui tournament` does; all where none is named.

    Rows are appended to the file `out`, .csv or .jsonl; if it exists the tournament goes on from
    there. A script that asks for more than one worker needs `if __name__ == "__main__":`.
    """
    recipe_of(recipe)
    several = isinstance(entrants, Iterable) and not isinstance(entrants, str)
    words = list(entrants) if several else entrants
    if not isinstance(words, list) or not all(isinstance(each, str) for each in words):
        raise refusal("entrants", words, "a list of strategies")
    each, processes = integer("negotiations", negotiations, 1), integer("workers", workers, 1)
    names = entrants_of(words)
    jobs = pairings(Scenario.of(scenario), names, recipe, each, integer("seed", seed, 0))
    return play(names, jobs, None if out is None else pairing_file(Path(out), jobs), processes)
