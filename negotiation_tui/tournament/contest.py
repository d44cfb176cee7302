"""A tournament as a contest: its leaderboard, its heat map, its text and plain values."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar, Self

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.report import heat_map_text, leaderboard_text, refused_text
from negotiation_tui.contest.standings import Column, Measure, matrix
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import plural
from negotiation_tui.tournament import pairings
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.tournament.standings import (
    COLUMNS,
    EFFICIENCY,
    HIDDEN_COLUMNS,
    MEASURES,
    Standing,
    by_players,
    leaderboard,
)


@dataclass(frozen=True, eq=False)
class StrategyContest(Contest):
    """Every entrant as seller against every entrant as buyer; the seller's pairings together."""

    negotiations: int = NEGOTIATIONS

    name: ClassVar = "tournament"
    unit: ClassVar = "pairings"
    sides: ClassVar = ("seller", "buyer")
    scores: ClassVar = "mean gain (reward)"
    check_result = staticmethod(pairings.check_result)

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        entrants: Sequence[str] = (),
        recipe: str = RECIPE,
        negotiations: int = NEGOTIATIONS,
        seed: int = 0,
    ) -> Self:
        """Return the tournament of these entrants; without any, of `pairings.ENTRANTS`.

        Raises BadInputError if a spec is unknown, an entrant is named twice, or there is only one.
        """
        specs = pairings.entrants_of(entrants)
        jobs = pairings.pairings(scenario, specs, recipe, seed)
        return cls(specs, tuple(jobs), negotiations)

    @property
    def run_job(self) -> Callable[..., Row]:
        """The function that returns the results of a pairing."""
        return partial(pairings.run_job, negotiations=self.negotiations)

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of a row's results."""
        return pairings.results_of(self.jobs[0].scenario)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The values that the heat map can show."""
        return (*MEASURES, EFFICIENCY) if self._hidden else MEASURES

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the leaderboard."""
        return HIDDEN_COLUMNS if self._hidden else COLUMNS

    @property
    def _hidden(self) -> bool:
        return self.jobs[0].scenario.hidden

    @property
    def about(self) -> tuple[str, ...]:
        """The scenario, the number of entrants and the seed."""
        first = self.jobs[0]
        name = f"{first.scenario.name} {first.scenario.n_prices}×{first.scenario.rounds}"
        return name, f"{len(self.entrants)} entrants", f"seed {first.seed}"

    def key(self, job: Run) -> Row:
        """Return the first columns of a pairing's row."""
        return pairings.job_key(job, self.negotiations)

    def job_of(self, one: str, other: str) -> Run:
        """Return the pairing of a seller and a buyer."""
        index = self.entrants.index
        return self.jobs[index(one) * len(self.entrants) + index(other)]

    def cells(self, rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
        """Return the rows by seller and buyer."""
        return by_players(rows)

    def leaderboard(self, rows: Sequence[Row]) -> list[Standing]:
        """Return every entrant, the best overall first."""
        return leaderboard(self.entrants, by_players(rows))

    def to_dict(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return leaderboard, matrices and rows as plain values."""
        cells, first = self.cells(rows), self.jobs[0]
        return {
            "scenario": first.scenario.to_dict(),
            "recipe": first.recipe,
            "negotiations": self.negotiations,
            "seed": first.seed,
            "entrants": list(self.entrants),
            "leaderboard": [asdict(standing) for standing in self.leaderboard(rows)],
            "matrices": {each.name: matrix(self.entrants, cells, each) for each in self.measures},
            "pairings": list(rows),
        }

    def text(self, rows: Sequence[Row], width: int, shades: str) -> str:
        """Return the leaderboard, a heat map of mean prices, and the pairings that were refused."""
        first, longest = self.jobs[0], max(len("entrant"), *map(len, self.entrants))
        about = (
            f"{first.scenario.name}: {len(self.entrants)} entrants, every one as seller and as"
            f" buyer, {plural(self.negotiations, 'negotiation')} per pairing, seed {first.seed}"
        )
        board = leaderboard_text(self.leaderboard(rows), self.columns)
        cells, measure = self.cells(rows), MEASURES[0]
        parts = [
            about,
            " " * (longest + 9) + "mean reward as\n" + board,
            heat_map_text(self.entrants, cells, measure, self.sides, width, shades),
            refused_text(rows, width),
        ]
        return "\n\n".join(filter(None, parts))
