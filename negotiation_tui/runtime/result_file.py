"""Rows of results in a file that grows, CSV or JSON lines: broken off, it goes on where it was.

A row says first what its job depended on, cell by cell, then what came of it. Rows are appended
as jobs are ready, so that breaking off loses none that is done; begun again, only what the file
does not hold is done. A finished file has its rows in the order of the jobs, whoever worked on
them in what order.
"""

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import atomic_write, check_writable
from negotiation_tui.runtime.progress_bar import with_progress

J = TypeVar("J")
Row = dict[str, Any]
Key = tuple[str, ...]
"""What a row says its job depended on, cell by cell."""


class ResultFile:
    """Rows of jobs in a file, CSV or, where its name ends in .jsonl, a JSON object a line.

    `described` says of each job what it depends on; `columns` names what comes of one; `work` and
    `unit` are what all jobs together and each of them are called. Raises BadInputError for a file
    that holds anything but rows of these jobs; `explain_mismatch` may say why a row is not one,
    given a job's columns and the names of those that differ. `earlier_words` maps names and cells
    of an earlier version to those of today.
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
            raise BadInputError(f"out: {str(path)!r} is neither .csv nor .jsonl")
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
        self._begun = False
        self._rows = self._read()

    @property
    def missing(self) -> list[int]:
        """The numbers of the jobs that have no row yet."""
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        """What to say after breaking off."""
        jobs, left = len(self._described), len(self.missing)
        held = f"{self.path} holds {jobs - left:,} of {jobs:,} {self._unit}"
        return f"{held}; the same command goes on from there"

    def add(self, number: int, result: Row) -> None:
        """Append the row of a job, at once, to whole rows."""
        if not self._begun:  # not sooner, for there may be nobody to work
            self.put_in_order()
            self._begun = True
        row = {**self._described[number], **result}
        self._rows[number] = self._line(row)
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._rows[number])

    def put_in_order(self) -> None:
        """Whole rows only, in the order of the jobs."""
        with atomic_write(self.path) as file:
            header = "" if self._json else ",".join(self._columns) + "\n"
            lines = (self._rows[number] for number in sorted(self._rows))
            file.write((header + "".join(lines)).encode())

    def rows(self) -> list[Row]:
        """The rows that are there, in the order of their jobs; numbers are numbers again."""
        return [self._row(number) for number in sorted(self._rows)]

    def _row(self, number: int) -> Row:
        line, described = self._rows[number], self._described[number]
        if self._json:
            found = json.loads(line)
            return {**described, **{name: found[name] for name in self._columns[len(described) :]}}
        cells = next(csv.reader([line]))[len(described) :]
        named = zip(self._columns[len(described) :], cells, strict=True)
        return {**described, **{name: _value(cell) for name, cell in named}}

    def _line(self, row: Row) -> str:
        ordered = {name: row.get(name) for name in self._columns}
        if self._json:
            return json.dumps(ordered) + "\n"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(map(_cell, ordered.values()))
        return text.getvalue()

    def _read(self) -> dict[int, str]:
        """The whole lines that the file holds, by the numbers of their jobs."""
        if not self.path.exists():
            return {}
        try:
            content = self.path.read_bytes()
            *whole, rest = content.split(b"\n")  # the rest was cut off: that job is done again
            lines = [self._current(line.decode()) + "\n" for line in whole]
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
        now = self._earlier_words
        if not any(word in line for word in now):
            return line
        if not self._json:
            return ",".join(now.get(cell, cell) for cell in line.split(","))
        return re.sub(r'"([^"]*)"', lambda word: f'"{now.get(word[1], word[1])}"', line)

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
        """What makes a row none of these jobs', as far as it can be told."""
        for row in self._described:
            differing = [name for name, a, b in zip(row, key_of(row), key, strict=False) if a != b]
            reason = self._explain_mismatch(row, differing) if key else None
            if reason:
                return reason
        return f"is of another {self._work}"

    def _foreign(self, reason: str) -> BadInputError:
        return BadInputError(
            f"{str(self.path)!r} is no file of this {self._work}, {reason}: use another name"
        )


def key_of(row: Row) -> Key:
    """The cells of a row as they are compared."""
    return tuple(map(_cell, row.values()))


def _value(cell: str) -> Any:
    """A cell of CSV as a number, if it is one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell)
    return cell or None


def _cell(value: Any) -> str:
    """A value as CSV has it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def run_missing_jobs(
    file: ResultFile,
    function: Callable[[J], Row],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
) -> Iterator[int]:
    """Carry out what is missing, yielding the number of each job when its row is written."""
    from negotiation_tui.runtime.process_pool import run_jobs  # most commands need no processes

    missing = file.missing
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
    """What comes of every job, in their order, with a bar; by way of the file, if there is one.

    With a file the rows say what they depended on too. Broken off, it says how to go on.
    """
    from negotiation_tui.runtime.process_pool import run_jobs

    try:
        if file is not None:
            ready = run_missing_jobs(file, function, jobs, workers, cluster)
            for _ in with_progress(ready, len(file.missing), unit):
                pass
            return file.rows()
        found = with_progress(run_jobs(function, jobs, workers, cluster), len(jobs), unit)
        return [row for _, row in sorted(found, key=itemgetter(0))]
    except KeyboardInterrupt:
        lost = "nothing was kept: with --out FILE one can go on later"
        sys.stderr.write(f"{file.how_to_go_on if file else lost}\n")
        raise
