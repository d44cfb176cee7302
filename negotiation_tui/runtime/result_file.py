"""Append rows of results to a CSV or JSON Lines file, and resume an interrupted run from it.

The first cells of a row describe its job; the others hold the result. Each row is appended when
its job is finished, so that an interruption loses no finished job. A restarted run does only the
jobs that have no row. A complete file has its rows in the order of the jobs.
"""

import csv
import io
import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime import validate
from negotiation_tui.runtime.files import atomic_write, check_writable, read_bytes, writing
from negotiation_tui.runtime.output import notice, with_progress
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.runtime.text import quoted

J = TypeVar("J")
Row = dict[str, Any]
_LOST = "nothing was saved; use --out FILE to be able to resume"
Key = tuple[str, ...]
"""The cells that describe the job of a row."""
_MOST = 10**18
"""No number of a result is beyond ± this."""
_MOST_BYTES = 100_000
"""The greatest mean size of a row."""
_NOT_A_ROW = (ValueError, KeyError, TypeError, RecursionError, StopIteration, csv.Error)


def check_numbers(result: Row) -> None:
    for name, value in result.items():
        if value is not None:
            validate.number(name, value, -_MOST, _MOST)


class ResultFile:
    """A file with one row per job: CSV, or one JSON object per line if its name ends in .jsonl.

    `described` holds the describing cells of each job, and `columns` the names of the result's
    cells. `work` names the whole run and `unit` its jobs, in messages. `check_result` raises
    BadInputError, with the name of the column, for a result that cannot be.

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
        check_result: Callable[[Row], None] = check_numbers,
    ) -> None:
        if path.suffix not in {".csv", ".jsonl"}:
            raise validate.refusal("out", str(path), "a name that ends in .csv or .jsonl")
        check_writable(path)
        self.path = path
        self._described, self._work, self._unit = described, work, unit
        self._explain_mismatch = explain_mismatch
        self._check_result = check_result
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
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        """The message after an interruption: the number of rows, and how to resume."""
        done, jobs = len(self._rows), len(self._described)
        return f"{self.path} holds {done:,} of {jobs:,} {self._unit}; resume with the same command"

    def add(self, number: int, result: Row) -> None:
        line = self._line({**self._described[number], **result})
        with uninterrupted():  # or `how_to_go_on` counts other rows than the file holds
            if not self._started:  # not sooner: without workers the file stays as it is
                self.put_in_order()
                self._started = True
            with writing(self.path), self.path.open("a", encoding="utf-8", newline="") as file:
                file.write(line)
            self._rows[number] = line

    def put_in_order(self) -> None:
        with atomic_write(self.path) as file:
            header = "" if self._json else ",".join(self._columns) + "\n"
            lines = (self._rows[number] for number in sorted(self._rows))
            file.write((header + "".join(lines)).encode())

    def rows(self) -> list[Row]:
        """Return the rows so far in the order of their jobs, with numbers parsed."""
        return [
            {**self._described[number], **self._result(self._rows[number])}
            for number in sorted(self._rows)
        ]

    def _result(self, line: str) -> Row:
        cells, names = self._cells(line), self._columns[len(self._described[0]) :]
        return {name: cells[name] if self._json else _value(cells[name]) for name in names}

    def _cells(self, line: str) -> Row:
        """Return the cells of a line by column, those of CSV as text; _NOT_A_ROW if it is none."""
        if not self._json:
            return dict(zip(self._columns, next(csv.reader([line])), strict=True))
        cells = json.loads(line)
        if not isinstance(cells, dict) or set(cells) != set(self._columns):
            raise ValueError
        return cells

    def _line(self, row: Row) -> str:
        ordered = {name: row.get(name) for name in self._columns}
        if self._json:
            return json.dumps(ordered) + "\n"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(map(_cell, ordered.values()))
        return text.getvalue()

    def _read(self) -> dict[int, str]:
        """Return the complete rows of the file by the numbers of their jobs."""
        rows: dict[int, str] = {}
        for n, line in enumerate(self._lines(), 1):
            if not line.strip():
                continue
            key = self._key_of(line)
            number = self._numbers.get(key)
            if number is None:
                raise self._foreign(f"row {n} {self._difference(key)}")
            rows[number] = line
            try:
                self._check_result(self._result(line))
            except BadInputError as error:
                raise BadInputError(
                    f"{quoted(self.path)}: row {n}, {error}; remove the row to do its job again"
                ) from None
        return rows

    def _lines(self) -> list[str]:
        """Return the complete lines of the file, without a heading."""
        if not self.path.exists():
            return []
        if not self.path.is_file():  # to read it might never end
            raise self._foreign("it is a device or a pipe")
        try:
            content = read_bytes(self.path, _MOST_BYTES * (len(self._described) + 10))
            content = content.removeprefix(BOM_UTF8)  # editors on Windows add it, and "\r"
            *complete, rest = content.split(b"\n")  # the job of a partial line is done again
            lines = [line.decode().removesuffix("\r") + "\n" for line in complete]
        except (OSError, UnicodeDecodeError):
            raise self._foreign("it is not text") from None
        except BadInputError as error:
            raise self._foreign(str(error)) from None
        if not lines and not self._beginning.startswith(rest[: len(self._beginning)]):
            raise self._foreign("it begins with other columns")
        if lines and not self._json and lines.pop(0) != ",".join(self._columns) + "\n":
            raise self._foreign("it begins with other columns")
        return lines

    def _key_of(self, line: str) -> Key:
        try:
            cells = self._cells(line)
            return tuple(_cell(cells[name]) for name in self._described[0])
        except _NOT_A_ROW:
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
            f"{quoted(self.path)} is not a file of this {self._work}: {reason}; use another name"
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


def rows_of(
    function: Callable[[J], Row],
    jobs: Sequence[J],
    file: ResultFile | None,
    workers: int | None,
    cluster: str | None,
    unit: str,
) -> list[Row]:
    """Run all jobs with a progress bar and return their rows in the order of the jobs.

    With a file, finished jobs are skipped, and each row begins with the cells that describe its
    job. An interruption prints how to resume.
    """
    from negotiation_tui.runtime.process_pool import run_jobs  # most commands need no processes

    rows: dict[int, Row] = {}
    left = range(len(jobs)) if file is None else file.missing
    try:
        with telling_how_to_go_on(file):
            for number, result in with_progress(
                run_jobs(function, [jobs[n] for n in left], workers, cluster), len(left), unit
            ):
                if file is None:
                    rows[number] = result
                else:
                    file.add(left[number], result)
    except KeyboardInterrupt:
        notice(file.how_to_go_on if file else _LOST)
        raise
    if file is None:
        return [rows[number] for number in left]
    file.put_in_order()
    return file.rows()
