"""Batches of runs with a row each, and contests: leaderboards and heat maps of entrants."""

import math
import textwrap
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.players.program import lost_answers
from negotiation_tui.players.run import Run, players_of_run
from negotiation_tui.players.spec import file_of, is_program
from negotiation_tui.runtime.child_process import NoProgramError
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.output import with_progress
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.result_file import ResultFile, ResultRow, Work
from negotiation_tui.runtime.text import clip, one_line, plural, table

NAME = 40  # greatest width of an entrant's name in the leaderboard; longer names are cut
_LABEL = 24  # greatest width of an entrant's name in the heat map; longer names are cut
_CELL = 5
REASONS = 5  # of refused jobs, which the text shows
LOST = "lost"  # a further column if programs play: the questions without an answer
SHADES, ASCII_SHADES = " ░▒▓█", " .:+#"  # marks from low to high, written after a number
Axes = tuple[tuple[str, ...], tuple[str, ...]]
CellKey = tuple[str, ...]
Cells = Mapping[CellKey, ResultRow]
"""The values of each cell by the names of its row, its column and, if there are, its page."""


class Measure(NamedTuple):
    """A result of a pair that a matrix can show."""

    name: str  # its name in a cell
    title: str
    percent: bool = False
    missing: str = "no deal"  # the meaning of a cell without a value


@sealed(frozen=True, slots=True)
class AnyStanding:
    """An entrant's line of a leaderboard."""

    rank: int | None  # one more than the number of better entrants; None without a rank
    name: str


@sealed(frozen=True, slots=True)
class RankingColumn:
    """A column of a leaderboard."""

    name: str  # the attribute of a standing; of an interval the mean is shown
    title: str
    width: int
    form: str  # the format of its values
    sort: str = ""  # the name of this order; empty if there is none
    rising: bool = False  # true to sort from low to high
    reward: bool = False  # true for rewards, which a screen shows in coins

    def value(self, standing: AnyStanding) -> Any:
        value = getattr(standing, self.name)
        return value.mean if isinstance(value, Estimate) else value

    def text(self, standing: AnyStanding, coins: int | None = None) -> str:
        """Return a value as text; a reward in money, if `coins` is what a reward of 1 is worth."""
        value = self.value(standing)
        if value is None:
            return "–"
        if coins is not None and self.reward:
            return f"{value * coins:.2f}"
        return format(value, self.form)


S = TypeVar("S", bound=AnyStanding)
BY_NAME = RankingColumn("name", "entrant", 0, "", "name", rising=True)
"""The last order of each leaderboard."""


def sorted_by(column: RankingColumn, standings: Sequence[S]) -> list[S]:
    """Return a leaderboard sorted by a column; None comes last."""
    sign = 1 if column.rising else -1

    def key(each: S) -> tuple[bool, Any, float]:
        value = column.value(each)
        return value is None, sign * (0.0 if value is None else value), place(each)

    return sorted(standings, key=key)


def place(each: AnyStanding) -> float:
    return float("inf") if each.rank is None else each.rank


def ranked(standings: Sequence[S], score: Callable[[S], float | None]) -> list[S]:
    """Return a leaderboard with its ranks, the lowest score first; without a score, no rank."""
    scores = [mine for mine in map(score, standings) if mine is not None]

    def with_rank(each: S) -> S:
        mine = score(each)
        return each if mine is None else replace(each, rank=1 + sum(one < mine for one in scores))

    return sorted(map(with_rank, standings), key=place)


def mean(values: Sequence[float]) -> float | None:
    # `sum` rounds differently from Python 3.12 on, `fsum` does not.
    return math.fsum(values) / len(values) if values else None


def matrix(
    axes: Axes, cells: Cells, measure: Measure, page: tuple[str, ...] = ()
) -> list[list[float | None]]:
    """Return a measure by row and column; None if it is not known or does not apply."""
    down, across = axes
    return [[cells.get((a, b, *page), {}).get(measure.name) for b in across] for a in down]


def short_number(value: float, width: int, percent: bool = False) -> str:
    """Return a number in at most `width` characters, with two decimals if they fit."""
    if percent:
        return f"{100 * value:.0f}"
    for unit, size in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        scaled = value / size
        exact = f"{scaled:.2f}"
        for text in (exact, exact.removeprefix("0"), f"{scaled:.1f}", f"{scaled:.0f}"):
            if len(text + unit) <= width:
                return (text + unit).replace("-", "−")
    return "#" * width


def none_played(rows: Sequence[ResultRow]) -> bool:
    """True if all rows are refused, or all of a program."""
    played = {row[role] for row in rows if row["refused"] is None for role in ("seller", "buyer")}
    programs = {row[role] for row in rows for role in ("seller", "buyer") if is_program(row[role])}
    return bool(rows) and not (played and programs <= played)


def leaderboard_text(standings: Sequence[AnyStanding], columns: Sequence[RankingColumn]) -> str:
    *columns, names = sorted(columns, key=lambda column: column.name == BY_NAME.name)
    rows = [("rank", names.title, *(column.title for column in columns))]
    for each in standings:
        rank = "–" if each.rank is None else str(each.rank)
        rows.append((rank, clip(each.name, NAME), *(column.text(each) for column in columns)))
    return "\n".join(table(rows, ">", "<", ">6"))


def refused_text(rows: Sequence[ResultRow], width: int) -> str:
    """Return the refused jobs by their reason; empty if there are none."""
    refused: dict[str, dict[str, dict[str, None]]] = {}
    for row in rows:
        if row["refused"] is not None:
            pairs = refused.setdefault(row["refused"], {})
            pairs.setdefault(row["seller"], {})[row["buyer"]] = None
    lines = []
    for reason, pairs in [*refused.items()][:REASONS]:
        text = "; ".join(f"{seller} with {', '.join(buyers)}" for seller, buyers in pairs.items())
        lines += textwrap.wrap(f"× {reason}: {text}", max(40, width), subsequent_indent="  ")
    more = len(refused) - REASONS
    lines += [f"{plural(more, 'more reason')} under refused in --out or --json"] * (more > 0)
    return "\n".join(lines)


def lost_text(spec: str, rows: Sequence[ResultRow]) -> str:
    """Return the questions that a program lost first, and in how many pairings; empty if none."""
    asked = [row for row in rows if spec in (row["seller"], row["buyer"])]
    texts = (f"{row['refused'] or ''}; {row.get(LOST) or ''}" for row in asked)
    lost = [text for text in texts if f"{spec} as the " in text]
    pairings = f"in {len(lost):,} of {plural(len(asked), 'pairing')} such questions"
    return f"{lost[0].strip('; ')}; {pairings}" if lost else ""


class Batch(Work):
    """Runs, each of which gives one row: all that it depends on, then its results."""

    def __init__(self, jobs: tuple[Run, ...]) -> None:
        self.jobs = jobs

    def key(self, job: Run) -> ResultRow:
        """Return all that a run depends on: the first columns of its row."""
        return job.row

    @abstractmethod
    def runner(self, saved: bool, jobs: int = 1) -> Callable[[Run], ResultRow]:
        """Return the function that returns the results of one of `jobs` runs.

        It raises BadInputError for a changed file: a saved row must not record that.
        """

    @property
    def described(self) -> list[ResultRow]:
        return [self.key(job) for job in self.jobs]

    def explain_mismatch(self, row: ResultRow, differing: Sequence[str]) -> str | None:
        if list(differing) != ["rules"]:
            return None
        files = dict.fromkeys(filter(None, map(file_of, (row["seller"], row["buyer"]))))
        causes = [f"other contents of {' or '.join(files)}"] if files else []
        return f"was played with {', or '.join([*causes, 'other rules'])}"

    def file(self, path: str | PathLike[str] | None = None) -> ResultFile:
        """Return the rows of a file, or without a path none yet."""
        return ResultFile(self, None if path is None else Path(path))

    def rows(
        self, file: ResultFile | None = None, workers: int | None = 1, cluster: str | None = None
    ) -> tuple[ResultRow, ...]:
        """Do every run that the file does not contain yet, and return the rows of all.

        A terminal shows the progress. An interruption prints how to resume.
        """
        from negotiation_tui.runtime.process_pool import run_jobs  # most commands need none

        file = file or self.file()
        left = file.missing
        jobs = [self.jobs[number] for number in left]
        run = self.runner(file.path is not None, len(left))
        results = run_jobs(run, jobs, workers, cluster)
        with file.telling_how_to_go_on():
            for number, result in with_progress(results, len(left), self.unit):
                file.add(left[number], result)
        file.put_in_order()
        return tuple(file.rows())


class RunGrid(Batch):
    """Runs in the cells of a table, whose rows and columns have names: the work of one screen."""

    sides: tuple[str, str]  # the names of rows and columns
    axes: Axes  # the names along the rows and along the columns
    pages: tuple[tuple[str, ...], ...] = ((),)  # what the key of a cell has beyond both names
    measures: tuple[Measure, ...]  # the values that a cell can show
    about: tuple[str, ...]  # the scenario and other settings, for the title

    @abstractmethod
    def numbers_of(self, key: CellKey) -> Sequence[int]:
        """Return the numbers of the runs of a cell, the first seed first."""

    @abstractmethod
    def cells(self, rows: Sequence[ResultRow], numbers: Sequence[int] = ()) -> Cells:
        """Return what the rows, of the jobs with these numbers, say of each cell."""

    def in_turn(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return the numbers of jobs in the order in which a screen does them."""
        return numbers


class Contest(RunGrid):
    """Entrants who meet in runs, with a leaderboard and a heat map of pairs."""

    texts = "sample", LOST, "refused"
    scores: ClassVar[str]  # a note on the leaderboard's values
    columns: tuple[RankingColumn, ...]  # the columns of the leaderboard, the most important first
    play: Callable[..., ResultRow]
    """The function of a run, its players and the number of runs ahead that returns results; it
    raises BadInputError or IllegalActionError if these players cannot do that."""

    def __init__(self, jobs: tuple[Run, ...], entrants: tuple[str, ...]) -> None:
        super().__init__(jobs)
        self.entrants, self.axes = entrants, (entrants, entrants)

    @abstractmethod
    def leaderboard(self, rows: Sequence[ResultRow]) -> Sequence[AnyStanding]:
        """Return every entrant, the best first; those without a rank come last."""

    @abstractmethod
    def to_dict(self, rows: Sequence[ResultRow]) -> dict[str, Any]:
        """Return leaderboard, matrices and rows as plain values."""

    @abstractmethod
    def text(self, rows: Sequence[ResultRow], width: int, shades: str) -> str:
        """Return the leaderboard and a heat map as text."""

    def runner(self, saved: bool, jobs: int = 1) -> Callable[[Run], ResultRow]:
        return partial(_results, self.play, self.results, saved, jobs)

    def matrices(self, rows: Sequence[ResultRow]) -> Mapping[str, list[list[float | None]]]:
        cells = self.cells(rows)
        return {each.name: matrix(self.axes, cells, each) for each in self.measures}

    def heat_map(self, rows: Cells, measure: Measure, width: int, shades: str = SHADES) -> str:
        """Return a matrix of a measure as text, in parts that fit the width.

        A column has the number of its entrant's row. The shade after a value says how high it is.
        """
        entrants = self.entrants
        longest = min(_LABEL, max(map(len, entrants)))
        values = matrix(self.axes, rows, measure)
        numbers = [value for row in values for value in row if value is not None]
        low, high = (min(numbers), max(numbers)) if numbers else (0.0, 0.0)

        def cell(one: str, other: str, value: float | None) -> str:
            refused = rows.get((one, other), {}).get("refused") is not None
            if refused or value is None:
                return f"{'×' if refused else '–':>{_CELL}} "
            share = (value - low) / (high - low) if high > low else 0.0
            shade = shades[min(len(shades) - 1, int(share * len(shades)))]
            return f"{short_number(value, _CELL - 1, measure.percent):>{_CELL}}{shade}"

        columns = max(1, (width - longest - 4) // (_CELL + 1))
        parts = []
        for start in range(0, len(entrants), columns):
            across = range(start, min(start + columns, len(entrants)))
            lines = [" " * (longest + 4) + "".join(f"{n + 1:>{_CELL}} " for n in across)]
            for n, entrant in enumerate(entrants):
                cells = "".join(cell(entrant, entrants[k], values[n][k]) for k in across)
                lines.append(f"{n + 1:>3} {clip(entrant, longest):<{longest}}{cells}")
            parts.append("\n".join(line.rstrip() for line in lines))
        span = f"; from {low:.2f} {shades[1:]} to {high:.2f}" if numbers else ""
        sides = "{} down, {} across".format(*self.sides)
        return "\n\n".join([f"{measure.title}, {sides}{span}; – {measure.missing}", *parts])

    def parts(self, rows: Sequence[ResultRow], width: int, shades: str) -> tuple[str, str, str]:
        """Return the leaderboard, the heat map of the first measure, and what was refused."""
        board, what = leaderboard_text(self.leaderboard(rows), self.columns), self.measures[0]
        heat = self.heat_map(self.cells(rows), what, width, shades)
        return board, heat, refused_text(rows, width)


def _results(
    play: Callable[..., ResultRow], columns: Sequence[str], saved: bool, jobs: int, run: Run
) -> ResultRow:
    players = None
    try:
        players = players_of_run(run)
        result, lost = play(run, players, jobs), lost_answers(players)
        for who, manners in lost:
            manners.check(who)
    except (BadInputError, IllegalActionError) as error:
        if (saved and players is None) or isinstance(error, NoProgramError):
            raise
        return {**dict.fromkeys(columns), "refused": one_line(error)}
    if LOST in columns:
        result[LOST] = "; ".join(f"{who}: {manners}" for who, manners in lost) or None
    return result
