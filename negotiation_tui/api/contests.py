"""Tournaments of strategies and leagues of learners, for notebooks and scripts."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.contest.contest import AnyStanding, Contest, matrix
from negotiation_tui.contest.defaults import GAMES, LEAGUE_RECIPE, NEGOTIATIONS, RECIPE, SEEDS
from negotiation_tui.contest.league import LearnerContest, LearnerStanding
from negotiation_tui.contest.tournament import Standing, StrategyContest
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.hyperparameters import recipe as recipe_of
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.validate import integer, one_of, refusal

S = TypeVar("S", bound=AnyStanding)


@sealed(frozen=True, eq=False, slots=True)
class Results(Generic[S]):
    """A finished contest: a row of results per run in `contest.jobs`."""

    contest: Contest
    rows: tuple[ResultRow, ...]

    @property
    def entrants(self) -> tuple[str, ...]:
        return self.contest.entrants

    @property
    def leaderboard(self) -> Sequence[S]:
        """The standing of each entrant, the best first."""
        return cast("Sequence[S]", self.contest.leaderboard(self.rows))

    def matrix(self, measure: str | None = None) -> NDArray[np.float64]:
        """Return a measure of each pair, shape (entrants, entrants), by default the first measure.

        In a tournament rows are sellers and columns buyers. NaN if it does not apply to a pair.
        """
        measures = {each.name: each for each in self.contest.measures}
        chosen = measures[one_of("measure", measure or next(iter(measures)), tuple(measures))]
        return np.array(
            matrix((self.entrants, self.entrants), self.contest.cells(self.rows), chosen),
            np.float64,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return leaderboard, matrices and rows, as `--json` prints them."""
        return self.contest.to_dict(self.rows)

    def __repr__(self) -> str:
        first, size = self.leaderboard[0], len(self.entrants)
        scenario = self.contest.jobs[0].scenario.name
        return f"<{type(self).__name__} {scenario}, {size} entrants, best {first.name}>"


class Tournament(Results[Standing]):
    """A finished tournament: its entrants, and a row of results per pairing."""

    __slots__ = ()


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

    Without entrants, `learned` and every strategy take part. The file `out`, .csv or .jsonl, gets a
    row per pairing, and is resumed if it exists. A script with more than one worker needs
    `if __name__ == "__main__":`. Raises BadInputError for invalid input.
    """
    recipe_of(recipe)
    names = _texts("entrants", entrants, "a list of strategies")
    game, each = Scenario.of(scenario), integer("negotiations", negotiations, 1)
    contest = StrategyContest.of(game, names, recipe, each, integer("seed", seed, 0))
    return Tournament(contest, contest.rows(contest.file(out), integer("workers", workers, 1)))


class League(Results[LearnerStanding]):
    """A finished league: its learners, and a row of results per run."""

    __slots__ = ()


def run_league(
    learners: Iterable[str] = (),
    *,
    games: Iterable[str] = GAMES,
    seeds: int = SEEDS,
    recipe: str = LEAGUE_RECIPE,
    episodes: int | None = None,
    workers: int = 1,
    out: str | PathLike[str] | None = None,
) -> League:
    """Train every learner against every other, as `negotiation-tui league` does.

    Without learners, all take part. In the first of the `games` each meets each, in the others
    only itself. `episodes` are those of one run, by default the recipe's. `workers` and `out` are
    as in `run_tournament`. Raises BadInputError for invalid input.
    """
    recipe_of(recipe)
    names = _texts("learners", learners, "a list of learners")
    scenarios, runs = _texts("games", games, "a list of scenarios"), integer("seeds", seeds, 1)
    each = None if episodes is None else integer("episodes", episodes, 1)
    contest = LearnerContest.of(names, scenarios, runs, recipe, each)
    return League(contest, contest.rows(contest.file(out), integer("workers", workers, 1)))


def _texts(name: str, values: Iterable[str], expected: str) -> list[str]:
    several = isinstance(values, Iterable) and not isinstance(values, str)
    texts = list(values) if several else values
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise refusal(name, texts, expected)
    return texts
