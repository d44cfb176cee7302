"""Tournaments for notebooks and scripts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
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
    """A finished tournament: its entrants, and a row of results per pairing."""

    entrants: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rows: tuple[Row, ...]

    @property
    def leaderboard(self) -> list[Standing]:
        """The standing of each entrant, the best first."""
        return leaderboard(self.entrants, by_players(self.rows))

    def matrix(self, measure: str = MEASURES[0].name) -> NDArray[np.float64]:
        """Return a measure of each pairing, shape (entrants, entrants): seller, then buyer.

        NaN if a measure does not apply to a pairing. Raises BadInputError for an unknown measure.
        """
        measures = {each.name: each for each in MEASURES}
        chosen = measures[one_of("measure", measure, tuple(measures))]
        return np.array(matrix(self.entrants, by_players(self.rows), chosen), np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return leaderboard, matrices and rows, as `tournament --json` prints them."""
        return tournament_dict(self.entrants, self.pairings, self.rows)

    def __repr__(self) -> str:
        first, size = self.leaderboard[0], len(self.entrants)
        scenario = self.pairings[0].scenario.name
        return f"<Tournament {scenario}, {size} entrants, best {first.name}>"


def play(
    entrants: Sequence[str],
    jobs: Sequence[Pairing],
    file: ResultFile | None = None,
    workers: int | None = 1,
    cluster: str | None = None,
) -> Tournament:
    """Play every pairing that the file does not contain yet; a terminal shows the progress."""
    left = len(jobs if file is None else file.missing)
    run = partial(run_job if file else run_job_catching, jobs=left)
    results = rows_of(run, jobs, file, workers, cluster, "pairings")
    rows = ({**job_key(job), **row} for job, row in zip(jobs, results, strict=True))
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
    """Play every entrant against every other, as `negotiation-tui tournament` does.

    Without entrants, `learned` and every strategy take part. Rows are appended to the file `out`,
    .csv or .jsonl; an existing file is resumed. A script with more than one worker needs
    `if __name__ == "__main__":`. Raises BadInputError for invalid input.
    """
    recipe_of(recipe)
    several = isinstance(entrants, Iterable) and not isinstance(entrants, str)
    specs = list(entrants) if several else entrants
    if not isinstance(specs, list) or not all(isinstance(spec, str) for spec in specs):
        raise refusal("entrants", specs, "a list of strategies")
    each, processes = integer("negotiations", negotiations, 1), integer("workers", workers, 1)
    names = entrants_of(specs)
    jobs = pairings(Scenario.of(scenario), names, recipe, each, integer("seed", seed, 0))
    return play(names, jobs, None if out is None else pairing_file(Path(out), jobs), processes)
