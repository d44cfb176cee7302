"""A league as a contest: its leaderboard, its heat map, its text and plain values."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Self

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.report import heat_map_text, leaderboard_text, refused_text
from negotiation_tui.contest.standings import Column, matrix
from negotiation_tui.league import matches, standings
from negotiation_tui.league.defaults import GAMES, RECIPE, SEEDS
from negotiation_tui.league.standings import MEASURES, LearnerStanding
from negotiation_tui.players.run import Run, train_command
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import plural, table


@dataclass(frozen=True, eq=False)
class LearnerContest(Contest):
    """Learners, and their matches."""

    name: ClassVar = "league"
    unit: ClassVar = "runs"
    sides: ClassVar = ("learner", "the other")
    scores: ClassVar = "lower NashConv is better"
    measures = MEASURES
    run_job = staticmethod(matches.run_job)
    check_result = staticmethod(matches.check_result)

    @classmethod
    def of(
        cls,
        learners: Sequence[str] = (),
        games: Sequence[str] = GAMES,
        seeds: int = SEEDS,
        recipe: str = RECIPE,
        episodes: int | None = None,
    ) -> Self:
        """Return the league of these learners; of all if none is given.

        `episodes` are those of a run; None: those of the recipe. Raises BadInputError for an
        unknown learner or game, or if one is named twice.
        """
        entrants = matches.entrants_of(learners)
        return cls(entrants, tuple(matches.matches(entrants, games, seeds, recipe, episodes)))

    @property
    def games(self) -> tuple[str, ...]:
        """The names of the scenarios; in the first each learner meets each."""
        return tuple(dict.fromkeys(match.scenario.name for match in self.jobs))

    @property
    def seeds(self) -> int:
        """The number of seeds of each pair."""
        return 1 + max(match.seed for match in self.jobs)

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of a row's results."""
        hidden = any(match.scenario.hidden for match in self.jobs)
        return (standings.AT_LEAST, *matches.RESULTS) if hidden else matches.RESULTS

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the leaderboard."""
        return standings.columns(self.games[1:])

    @property
    def about(self) -> tuple[str, ...]:
        """The first game, the number of learners and of seeds."""
        scenario = self.jobs[0].scenario
        size = f"{scenario.n_prices}×{scenario.rounds}"
        name = size if scenario.name == size.replace("×", "x") else f"{scenario.name} {size}"
        return name, f"{len(self.entrants)} learners", plural(self.seeds, "seed")

    def key(self, job: Run) -> Row:
        """Return the first columns of a match's row."""
        return matches.job_key(job)

    def job_of(self, one: str, other: str) -> Run:
        """Return the first match of two learners."""
        return next(each for each in self.jobs if set(matches.entrants_in(each)) == {one, other})

    def cells(self, rows: Sequence[Row]) -> dict[tuple[str, str], Row]:
        """Return the means of each pair's runs in the first game."""
        return standings.cells(rows, self.games[0])

    def leaderboard(self, rows: Sequence[Row]) -> list[LearnerStanding]:
        """Return every learner, the lowest mean NashConv first."""
        return standings.leaderboard(self.entrants, rows, self.games)

    def to_dict(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return leaderboard, matrices and rows as plain values, a command with each row."""
        cells = self.cells(rows)
        commands = {tuple(self.key(job).values()): train_command(job) for job in self.jobs}
        return {
            "games": {match.scenario.name: match.scenario.to_dict() for match in self.jobs},
            "recipe": self.jobs[0].recipe,
            "seeds": self.seeds,
            "learners": list(self.entrants),
            "leaderboard": [_plain(asdict(standing)) for standing in self.leaderboard(rows)],
            "matrices": {each.name: matrix(self.entrants, cells, each) for each in MEASURES},
            "runs": [
                {**row, "command": commands[tuple(row[name] for name in self.key(self.jobs[0]))]}
                for row in rows
            ],
        }

    def text(self, rows: Sequence[Row], width: int, shades: str) -> str:
        """Return the leaderboard, each further game, a heat map, and the runs that were refused."""
        first, board = self.jobs[0], self.leaderboard(rows)
        total = first.parameters.total
        about = (
            f"{first.scenario.name}: {len(self.entrants)} learners, each with each and with itself,"
            f" {plural(self.seeds, 'seed')}, {plural(total, 'episode')} per run"
        )
        parts = [
            about,
            leaderboard_text(board, self.columns),
            *(_alone(board, game) for game in self.games),
        ]
        heat = heat_map_text(
            self.entrants, self.cells(rows), MEASURES[0], self.sides, width, shades
        )
        bounds = standings.bounds_text(rows)
        command = f"one run by itself: {train_command(first)}"
        notes = bounds, refused_text(rows, width), command
        return "\n\n".join(filter(None, [*parts, heat, *notes]))


def _alone(board: Sequence[LearnerStanding], game: str) -> str:
    """Return a table of each learner with itself in a game."""
    rows = [("learner", "NashConv", "close", "episodes until then", "deals", "seconds")]
    for each in board:
        own = each.games[game]
        seconds = "–" if own.seconds is None else f"{own.seconds:.2f}"
        means = with_error(own.nash_conv, ".4f"), with_error(own.reached, ",.0f")
        close, deals = f"{own.close} of {own.runs}", with_error(own.deals, ".3f")
        rows.append((each.name, means[0], close, means[1], deals, seconds))
    head = f"{game}, each learner with itself: means over seeds with 95 % intervals"
    return "\n".join([head, *table(rows, "<", ">10")])


def with_error(estimate: Estimate | None, form: str) -> str:
    """Return a mean with half the width of its interval; a dash if it is not known."""
    if estimate is None:
        return "–"
    error = f" ± {estimate.error:{form}}" if math.isfinite(estimate.error) else ""
    return f"{estimate.mean:{form}}{error}"


def _plain(value: Any) -> Any:
    """Return a value for JSON: an interval that one seed does not give is null."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value
