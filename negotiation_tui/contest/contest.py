"""Batches of runs whose rows a file can hold, and contests, which rank their entrants."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from negotiation_tui.contest.standings import (
    AnyStanding,
    Cells,
    Column,
    Measure,
    heat_map_text,
    leaderboard_text,
    matrix,
    refused_text,
)
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.players.run import Run, explain_mismatch, players_of_run
from negotiation_tui.runtime.result_file import ResultFile, Row, check_numbers, rows_of
from negotiation_tui.runtime.validate import number, string


@dataclass(frozen=True, eq=False)
class Batch(ABC):
    """Runs, each of which gives one row: all that it depends on, then its results."""

    jobs: tuple[Run, ...]

    name: ClassVar[str]
    unit: ClassVar[str] = "runs"
    """The name of its runs."""

    @property
    @abstractmethod
    def results(self) -> tuple[str, ...]:
        """The columns of a row's results."""

    @abstractmethod
    def key(self, job: Run) -> Row:
        """Return all that a run depends on: the first columns of its row."""

    @abstractmethod
    def runner(self, saved: bool, jobs: int = 1) -> Callable[[Run], Row]:
        """Return the function that returns the results of one of `jobs` runs.

        It raises BadInputError if the file of a player is missing or has changed. A saved row must
        not record that, because the file may come back.
        """

    def check_result(self, result: Row) -> None:
        """Raise BadInputError, with the name of the column, for a result that cannot be."""
        check_numbers(result)

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

    def rows(
        self, file: ResultFile | None = None, workers: int | None = 1, cluster: str | None = None
    ) -> tuple[Row, ...]:
        """Do every run that the file does not contain yet; a terminal shows the progress."""
        left = len(self.jobs if file is None else file.missing)
        run = self.runner(file is not None, left)
        results = rows_of(run, self.jobs, file, workers, cluster, self.unit)
        return tuple({**self.key(job), **row} for job, row in zip(self.jobs, results, strict=True))


@dataclass(frozen=True, eq=False)
class Contest(Batch):
    """Entrants who meet in runs, with a leaderboard and a heat map of pairs."""

    entrants: tuple[str, ...]

    sides: ClassVar[tuple[str, str]]
    """The names of rows and columns of the heat map."""
    scores: ClassVar[str]
    """A note on the leaderboard's values."""
    texts: ClassVar[tuple[str, ...]] = ("refused",)
    """The columns that are no numbers."""

    @property
    @abstractmethod
    def play(self) -> Callable[..., Row]:
        """The function of a run, its players and the number of runs ahead that returns results.

        It raises BadInputError or IllegalActionError if these players cannot do that.
        """

    @abstractmethod
    def always(self, result: Row) -> Sequence[str]:
        """Return the columns that are not empty in a result that is not refused."""

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
    def job_of(self, one: str, other: str) -> Run:
        """Return the run, or the first run, of a cell of the heat map."""

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

    def runner(self, saved: bool, jobs: int = 1) -> Callable[[Run], Row]:
        return partial(_results, self.play, self.results, saved, jobs)

    def check_result(self, result: Row) -> None:
        check_numbers({name: result[name] for name in result if name not in self.texts})
        for name in self.texts:
            if result[name] is not None:
                string(name, result[name])
        if result["refused"] is None:
            for name in self.always(result):
                number(name, result[name])

    def matrices(self, cells: Cells) -> Mapping[str, list[list[float | None]]]:
        return {each.name: matrix(self.entrants, cells, each) for each in self.measures}

    def parts(self, rows: Sequence[Row], width: int, shades: str) -> tuple[str, str, str]:
        """Return the leaderboard, the heat map of the first measure, and what was refused."""
        cells, first = self.cells(rows), self.measures[0]
        return (
            leaderboard_text(self.leaderboard(rows), self.columns),
            heat_map_text(self.entrants, cells, first, self.sides, width, shades),
            refused_text(rows, width),
        )


def _results(
    play: Callable[..., Row], columns: Sequence[str], saved: bool, jobs: int, run: Run
) -> Row:
    """Return the results of a run; one that cannot be done has only `refused`, the reason."""
    error: BadInputError | IllegalActionError
    try:
        players = players_of_run(run)
    except BadInputError as failure:
        if saved:
            raise
        error = failure
    else:
        try:
            return play(run, players, jobs)
        except (BadInputError, IllegalActionError) as failure:
            error = failure
    return {**dict.fromkeys(columns), "refused": " ".join(str(error).split())}
