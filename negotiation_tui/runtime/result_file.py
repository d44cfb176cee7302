"""Append rows of results to a CSV or JSON Lines file, and resume an interrupted run from it.

The first cells of a row describe its job; the others hold the result. Each row is appended when
its job is finished, so that an interruption loses no finished job. A restarted run does only the
jobs that have no row. A complete file has its rows in the order of the jobs.
"""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime.files import atomic_write, check_writable
from negotiation_tui.runtime.progress_bar import with_progress
from negotiation_tui.runtime.validate import refusal

J = TypeVar("J")
Row = dict[str, Any]
_LOST = "nothing was saved; use --out FILE to be able to resume"
Key = tuple[str, ...]
"""The cells that describe the job of a row."""


class ResultFile:
    """A file with one row per job: CSV, or one JSON object per line if its name ends in .jsonl.

    `described` holds the describing cells of each job, and `columns` the names of the result's
    cells. `work` names the whole run and `unit` its jobs, in messages. `earlier_words` maps column
    names and cells of an earlier version to today's.

    Raises BadInputError if the file holds rows of other jobs. `explain_mismatch` may return the
    reason for such a row, from the cells of a job and the names of the cells that differ.
    """

    def __init__(
        self,
        path: Path,
        described: Sequence[Row],
        columns: Sequence[str],
        work: str = "sweep",
        unit: str = "runs",
        explain_mismatch: Callable[[Row, list[str]], str | None] = lambda _row, _differing: None,
        earlier_words: Mapping[str, str] | None = None,
    ) -> None:
        if path.suffix not in {".csv", ".jsonl"}:
            raise refusal("out", str(path), "a name that ends in .csv or .jsonl")
        check_writable(path)
        self.path = path
        self._described, self._work, self._unit = described, work, unit
        self._explain_mismatch = explain_mismatch
        self._earlier_words = earlier_words or {}
        self._numbers = {key_of(row): number for number, row in enumerate(self._described)}
        self._columns = (*described[0], *columns)
        self._json = path.suffix == ".jsonl"
        name, value = next(iter(described[0].items()))
        first = json.dumps({name: value})[:-1]
        self._beginning = (first if self._json else ",".join(self._columns)).encode()
        self._started = False
        self._rows = self._read()

    @property
    def missing(self) -> list[int]:
        """The numbers of the jobs that have no row yet."""
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        """The message after an interruption: the number of rows, and how to resume."""
        done, jobs = len(self._rows), len(self._described)
        return f"{self.path} holds {done:,} of {jobs:,} {self._unit}; resume with the same command"

    def add(self, number: int, result: Row) -> None:
        """Append the row of job `number` to the file immediately."""
        if not self._started:  # not sooner: without workers the file stays as it is
            self.put_in_order()
            self._started = True
        row = {**self._described[number], **result}
        self._rows[number] = self._line(row)
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._rows[number])

    def put_in_order(self) -> None:
        """Rewrite the file: complete rows only, in the order of the jobs."""
        with atomic_write(self.path) as file:
            header = "" if self._json else ",".join(self._columns) + "\n"
            lines = (self._rows[number] for number in sorted(self._rows))
            file.write((header + "".join(lines)).encode())

    def rows(self) -> list[Row]:
        """Return the rows so far in the order of their jobs, with numbers parsed."""
        return [self._row(number) for number in sorted(self._rows)]

    def _row(self, number: int) -> Row:
        line, described = self._rows[number], self._described[number]
        columns = self._columns[len(described) :]
        if self._json:
            cells = json.loads(line)
            return {**described, **{name: cells[name] for name in columns}}
        values = map(_value, next(csv.reader([line]))[len(described) :])
        return {**described, **dict(zip(columns, values, strict=True))}

    def _line(self, row: Row) -> str:
        ordered = {name: row.get(name) for name in self._columns}
        if self._json:
            return json.dumps(ordered) + "\n"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(map(_cell, ordered.values()))
        return text.getvalue()

    def _read(self) -> dict[int, str]:
        """Return the complete lines of the file by the numbers of their jobs."""
        if not self.path.exists():
            return {}
        try:
            content = self.path.read_bytes()
            *complete, rest = content.split(b"\n")  # the job of a partial line is done again
            lines = [self._current(line.decode()) + "\n" for line in complete]
        except (OSError, UnicodeDecodeError):
            raise self._foreign("it is not text") from None
        if not lines and not self._beginning.startswith(rest[: len(self._beginning)]):
            raise self._foreign("it begins with other columns")
        if lines and not self._json and lines.pop(0) != ",".join(self._columns) + "\n":
            raise self._foreign("it begins with other columns")
        rows: dict[int, str] = {}
        for n, line in enumerate(lines, 1):
            if not line.strip():
                continue
            key = self._key_of(line)
            number = self._numbers.get(key)
            if number is None:
                raise self._foreign(f"row {n} {self._difference(key)}")
            rows[number] = line
        return rows

    def _current(self, line: str) -> str:
        """Return a line with the words of an earlier version replaced."""
        current = self._earlier_words
        if not any(word in line for word in current):
            return line
        if not self._json:
            return ",".join(current.get(cell, cell) for cell in line.split(","))
        return re.sub(r'"([^"]*)"', lambda word: f'"{current.get(word[1], word[1])}"', line)

    def _key_of(self, line: str) -> Key:
        names = tuple(self._described[0])
        try:
            if not self._json:
                cells = next(csv.reader([line]), [])
                return tuple(cells[: len(names)]) if len(cells) == len(self._columns) else ()
            row = json.loads(line)
            if set(row) != set(self._columns):
                return ()
            return tuple(_cell(row[name]) for name in names)
        except (ValueError, KeyError, TypeError, RecursionError, csv.Error):
            return ()

    def _difference(self, key: Key) -> str:
        """The reason, if it is known, that a row belongs to none of the jobs."""
        for row in self._described:
            differing = [name for name, a, b in zip(row, key_of(row), key, strict=False) if a != b]
            reason = self._explain_mismatch(row, differing) if key else None
            if reason:
                return reason
        return f"is of another {self._work}"

    def _foreign(self, reason: str) -> BadInputError:
        return BadInputError(
            f"{str(self.path)!r} is not a file of this {self._work}: {reason}; use another name"
        )


def key_of(row: Row) -> Key:
    """The cells of a row as text, for comparison."""
    return tuple(map(_cell, row.values()))


def _value(cell: str) -> Any:
    """Parse a CSV cell: an int, a float, text, or None if it is empty."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell)
    return cell or None


def _cell(value: Any) -> str:
    """Write a value as a CSV cell."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def telling_how_to_go_on(file: ResultFile | None) -> Iterator[None]:
    """Let the line about lost processes end with the number of rows, and how to resume."""
    try:
        yield
    except BrokenOffError as error:
        hint = file.how_to_go_on if file else _LOST
        raise BrokenOffError(f"{error}; {hint}") from None


def run_missing_jobs(
    file: ResultFile,
    function: Callable[[J], Row],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
) -> Iterator[int]:
    """Run the jobs that have no row; yield the number of each job when its row is written."""
    from negotiation_tui.runtime.process_pool import run_jobs  # most commands need no processes

    missing = file.missing
    with telling_how_to_go_on(file):
        for number, result in run_jobs(function, [jobs[n] for n in missing], workers, cluster):
            file.add(missing[number], result)
            yield missing[number]
    file.put_in_order()


def rows_of(
    function: Callable[[J], Row],
    jobs: Sequence[J],
    file: ResultFile | None,
    workers: int,
    cluster: str | None,
    unit: str,
) -> list[Row]:
    """Run all jobs with a progress bar and return their rows in the order of the jobs.

    With a file, finished jobs are skipped, and each row begins with the cells that describe its
    job. An interruption prints how to resume.
    """
    from negotiation_tui.runtime.process_pool import run_jobs

    try:
        if file is not None:
            finished = run_missing_jobs(file, function, jobs, workers, cluster)
            for _ in with_progress(finished, len(file.missing), unit):
                pass
            return file.rows()
        results = with_progress(run_jobs(function, jobs, workers, cluster), len(jobs), unit)
        with telling_how_to_go_on(None):
            return [row for _, row in sorted(results, key=itemgetter(0))]
    except KeyboardInterrupt:
        sys.stderr.write(f"{file.how_to_go_on if file else _LOST}\n")
        raise
