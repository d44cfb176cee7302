"""Rows of results, one per finished job, in a file from which an interrupted run is resumed.

The first cells of a row describe its job. A complete file has its rows in the order of the jobs.
"""

import csv
import io
import json
from abc import ABC, abstractmethod
from codecs import BOM_UTF8
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime import validate
from negotiation_tui.runtime.files import atomic_write, check_writable, read_bytes, writing
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.runtime.text import quoted

ResultRow = dict[str, Any]
JobKey = tuple[str, ...]  # the cells that describe the job of a row
_MOST_BYTES = 100_000  # the greatest mean size of a row
_NOT_A_ROW = (ValueError, KeyError, TypeError, RecursionError, StopIteration, csv.Error)


class Work(ABC):
    """Jobs of which each gives a row: the cells that describe it, then its results."""

    name: ClassVar[str]  # in messages
    unit: ClassVar[str] = "runs"  # the name of its jobs in messages
    added: tuple[str, ...] = ()  # the results that files of older versions lack
    texts: ClassVar[tuple[str, ...]] = ()  # the results that are text; all others are numbers

    @property
    @abstractmethod
    def described(self) -> Sequence[ResultRow]:
        """The describing cells of each job."""

    @property
    @abstractmethod
    def results(self) -> tuple[str, ...]:
        """The columns of a row's results."""

    def required(self, result: ResultRow) -> Container[str]:  # noqa: ARG002
        """Return the columns that are never empty in such a result."""
        return ()

    def check_result(self, result: ResultRow) -> None:
        """Raise BadInputError, with the name of the column, for a value of another type."""
        required = self.required(result)
        for name, value in result.items():
            if value is not None or name in required:
                (validate.string if name in self.texts else validate.number)(name, value)

    def explain_mismatch(self, row: ResultRow, differing: Sequence[str]) -> str | None:  # noqa: ARG002
        """Say why a row is of another work, from a job's cells and the names that differ."""
        return None


class ResultFile:
    """The rows of finished jobs, in memory and, with a path, in a file .csv or .jsonl.

    Raises BadInputError for rows of other work.
    """

    def __init__(self, work: Work, path: Path | None = None) -> None:
        self.path, self._json = path, path is not None and path.suffix == ".jsonl"
        self._in_order = path is None
        self._work, self._described = work, (described := work.described)
        self._columns = self._there = (*described[0], *work.results)
        self._rows: dict[int, ResultRow] = {}
        if path is not None:
            if path.suffix not in {".csv", ".jsonl"}:
                raise validate.refusal("out", str(path), "a name that ends in .csv or .jsonl")
            check_writable(path)
            self._size = located(path).stat().st_size if located(path).exists() else None
            self._read(path)
            if len(self._there) < len(self._columns) and self.missing:
                lacks = f"{self._work.added[0]} and other columns"
                raise self._foreign(f"it is of an older version, without {lacks}, and not complete")

    @property
    def missing(self) -> list[int]:
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        if self.path is None:
            return "nothing was saved; use --out FILE to be able to resume"
        done, jobs = len(self._rows), f"{len(self._described):,} {self._work.unit}"
        return f"{self.path} holds {done:,} of {jobs}; resume with the same command"

    @contextmanager
    def telling_how_to_go_on(self) -> Iterator[None]:
        """Tell the number of rows, and how to resume, after Ctrl-C or if processes are lost."""
        try:
            yield
        except KeyboardInterrupt:
            notice(self.how_to_go_on)
            raise
        except BrokenOffError as error:
            raise BrokenOffError(f"{error}; {self.how_to_go_on}") from None

    def add(self, number: int, result: ResultRow) -> ResultRow:
        """Add the results of a job, and return its whole row."""
        row = {**self._described[number], **result}
        if self.path is not None:
            row = {name: row.get(name) for name in self._columns}
        with uninterrupted():  # or `how_to_go_on` counts other rows than the file holds
            # Not sooner: without workers the file stays as it is. Again if it was removed.
            if not self._in_order or (self.path and not self._is_there()):
                self.put_in_order()
            if self.path is not None:
                with writing(self.path), located(self.path).open("r+b") as file:
                    file.seek(0, io.SEEK_END)
                    file.write(self._line(row).encode())
                    self._size = file.tell()
            self._rows[number] = row
        return row

    def put_in_order(self) -> None:
        self._in_order = True
        if self.path is not None:
            self._is_there()
            with atomic_write(self.path) as file:
                header = "" if self._json else ",".join(self._there) + "\n"
                file.write((header + "".join(map(self._line, self.rows()))).encode())
                self._size = file.tell()

    def _is_there(self) -> bool:
        """True if the file exists. Raises BadInputError if another program changed it."""
        place = located(self.path or "")
        if (exists := place.exists()) and place.stat().st_size != self._size:
            raise BadInputError(f"{quoted(str(self.path))}: another program changed it meanwhile")
        return exists

    def rows(self) -> list[ResultRow]:
        return [row for _, row in sorted(self._rows.items())]

    def _line(self, row: ResultRow) -> str:
        row = {name: row[name] for name in self._there if name in row}
        if self._json:
            return json.dumps(row) + "\n"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(map(_cell, row.values()))
        return text.getvalue()

    def _row(self, line: str) -> ResultRow:
        """Return the cells by column; _NOT_A_ROW if it is none."""
        if self._json:
            cells = json.loads(line)
            if set(cells) != set(self._there):
                raise ValueError
            return {name: cells.get(name) for name in self._columns}
        row: ResultRow = dict(zip(self._there, next(csv.reader([line])), strict=True))
        return {**row, **{name: _value(row.get(name, "")) for name in self._work.results}}

    def _read(self, path: Path) -> None:
        numbers = {job_key(row): number for number, row in enumerate(self._described)}
        for n, line in enumerate(self._lines(path), 1):
            if not line.strip():
                continue
            try:
                row = self._row(line)
                key = tuple(_cell(row[name]) for name in self._described[0])
            except _NOT_A_ROW:
                row, key = {}, ()
            number = numbers.get(key)
            if number is None:
                raise self._foreign(f"row {n} {self._difference(key)}")
            results = {name: row[name] for name in self._work.results}
            self._rows[number] = {**self._described[number], **results}
            try:
                self._work.check_result(results)
            except BadInputError as error:
                where, hint = f"{quoted(path)}: row {n}", "remove the row to do its job again"
                raise BadInputError(f"{where}, {error}; {hint}") from None

    def _lines(self, path: Path) -> list[str]:
        if not located(path).exists():
            return []
        older = tuple(name for name in self._columns if name not in self._work.added)
        try:
            content = read_bytes(path, _MOST_BYTES * (len(self._described) + 10))
            content = content.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")  # of Windows
            first, ended, _ = content.partition(b"\n")
            if ended and older != self._columns and self._work.added[0].encode() not in first:
                self._there = older
            header = ",".join(self._there) + "\n"
            begins = (f'{{"{self._columns[0]}": ' if self._json else header).encode()
            complete, _, _ = content.rpartition(b"\n")  # the job of a partial line is done again
            lines = complete.decode().split("\n")
        except (OSError, UnicodeDecodeError):
            raise self._foreign("it is not text") from None
        except BadInputError as error:
            raise self._foreign(str(error)) from None
        if not (content.startswith(begins) or begins.startswith(content)):
            raise self._foreign("it begins with other columns")
        return lines[not self._json :]

    def _difference(self, key: JobKey) -> str:
        for row in self._described if key else ():
            differing = [name for name, a, b in zip(row, job_key(row), key, strict=False) if a != b]
            if reason := self._work.explain_mismatch(row, differing):
                return reason
        return f"is of another {self._work.name}"

    def _foreign(self, reason: str) -> BadInputError:
        what = f"{quoted(str(self.path))} is not a file of this {self._work.name}"
        return BadInputError(f"{what}: {reason}; use another name")


def job_key(row: ResultRow) -> JobKey:
    return tuple(map(_cell, row.values()))


def _value(cell: str) -> Any:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(cell)
    return cell or None


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
