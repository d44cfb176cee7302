"""A contest: all that its screen, its session and its commands need to know."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from negotiation_tui.contest.standings import AnyStanding, Cells, Column, Measure
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.players.run import Run, explain_mismatch
from negotiation_tui.runtime.result_file import ResultFile, Row, rows_of


@dataclass(frozen=True, eq=False)
class Contest(ABC):
    """Entrants and jobs; each job is one row of results."""

    entrants: tuple[str, ...]
    jobs: tuple[Run, ...]

    name: ClassVar[str]
    unit: ClassVar[str]
    """The name of its jobs."""
    sides: ClassVar[tuple[str, str]]
    """The names of rows and columns of the heat map."""
    scores: ClassVar[str]
    """A note on the leaderboard's values."""

    @property
    @abstractmethod
    def run_job(self) -> Callable[..., Row]:
        """The function from a run, one of `jobs`, to its results."""

    @staticmethod
    @abstractmethod
    def check_result(result: Row) -> None:
        """Raise BadInputError for a result that `run_job` cannot return."""

    @property
    @abstractmethod
    def results(self) -> tuple[str, ...]:
        """The columns of a row's results; `refused` is the last."""

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """The values that the heat map can show."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The columns of the leaderboard, the most important first."""

    @property
    @abstractmethod
    def about(self) -> tuple[str, ...]:
        """The scenario and other settings, for the title."""

    @abstractmethod
    def key(self, job: Run) -> Row:
        """Return all that a job depends on: the first columns of its row."""

    @abstractmethod
    def job_of(self, one: str, other: str) -> Run:
        """Return the job, or the first job, of a cell of the heat map."""

    @abstractmethod
    def cells(self, rows: Sequence[Row]) -> Cells:
        """Return what the rows say of each pair."""

    @abstractmethod
    def leaderboard(self, rows: Sequence[Row]) -> Sequence[AnyStanding]:
        """Return every entrant, the best first; those without a rank come last."""

    @abstractmethod
    def to_dict(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return leaderboard, matrices and rows as plain values."""

    @abstractmethod
    def text(self, rows: Sequence[Row], width: int, shades: str) -> str:
        """Return the leaderboard and a heat map as text."""

    def file(self, path: Path) -> ResultFile:
        """Return the result file, which need not exist yet."""
        return ResultFile(
            path,
            [self.key(job) for job in self.jobs],
            self.results,
            self.name,
            self.unit,
            explain_mismatch,
            check_result=self.check_result,
        )

    def runner(self, saved: bool, jobs: int) -> Callable[[Run], Row]:
        """Return the function that does one of `jobs` jobs.

        A saved row must not record that a file is missing or has changed, because it may come back.
        """
        run = self.run_job
        return partial(run if saved else partial(_catching, run, self.results), jobs=jobs)

    def rows(
        self, file: ResultFile | None, workers: int | None, cluster: str | None
    ) -> tuple[Row, ...]:
        """Do every job that the file does not contain yet; a terminal shows the progress."""
        left = len(self.jobs if file is None else file.missing)
        run = self.runner(file is not None, left)
        results = rows_of(run, self.jobs, file, workers, cluster, self.unit)
        return tuple({**self.key(job), **row} for job, row in zip(self.jobs, results, strict=True))


def _catching(run: Callable[..., Row], results: Sequence[str], job: object, jobs: int = 1) -> Row:
    """Do a job whose row is not saved: a missing or changed file is in `refused` too."""
    try:
        return run(job, jobs=jobs)
    except BadInputError as error:
        return refusal_row(results, error)


def refusal_row(results: Sequence[str], error: BadInputError | IllegalActionError) -> Row:
    """Return the row of a job that cannot be done: only `refused` is set."""
    return {**dict.fromkeys(results), "refused": " ".join(str(error).split())}
