"""Append a row of results per finished job to a file, and resume an interrupted run from it.

The first cells of a row describe its job. A complete file has its rows in the order of the jobs.
"""

import csv
import io
import json
from abc import ABC, abstractmethod
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime import validate
from negotiation_tui.runtime.files import atomic_write, check_writable, read_bytes, writing
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.runtime.text import quoted

Row = dict[str, Any]
_LOST = "nothing was saved; use --out FILE to be able to resume"
Key = tuple[str, ...]  # the cells that describe the job of a row
_MOST = 10**18  # no number of a result is beyond ± this
_ROUNDING = 1e-9  # relative; a result may be beyond its bounds by so much
_MOST_BYTES = 100_000  # the greatest mean size of a row
_NOT_A_ROW = (ValueError, KeyError, TypeError, RecursionError, StopIteration, csv.Error)


class Bounds(NamedTuple):
    """The least and the greatest value of a column of numbers; `whole` for integers."""

    low: float = -_MOST
    high: float = _MOST
    whole: bool = False
    text: bool = False  # true for a column that is no number

    def check(self, name: str, value: Any) -> None:
        if self.text:
            validate.string(name, value)
            return
        if self.whole:
            validate.integer(name, value, self.low, self.high)
            return
        low = self.low - _ROUNDING * max(1.0, abs(self.low))
        high = self.high + _ROUNDING * max(1.0, abs(self.high))
        if not low <= validate.number(name, value) <= high:
            validate.number(name, value, self.low, self.high)


_ANY, TEXT = Bounds(), Bounds(text=True)


class Work(ABC):
    """Jobs of which each gives a row: the cells that describe it, then its results."""

    name: ClassVar[str]  # in messages
    unit: ClassVar[str] = "runs"  # the name of its jobs in messages
    results: tuple[str, ...]  # the columns of a row's results

    @property
    @abstractmethod
    def described(self) -> Sequence[Row]:
        """The describing cells of each job."""

    def bounds(self, number: int) -> Mapping[str, Bounds]:  # noqa: ARG002
        """Return the bounds of the results of a job, by column."""
        return {}

    def check_result(self, number: int, result: Row) -> None:
        """Raise BadInputError, with the name of the column, for a result that cannot be."""
        bounds = self.bounds(number)
        for name, value in result.items():
            if value is not None:
                bounds.get(name, _ANY).check(name, value)

    def explain_mismatch(self, row: Row, differing: Sequence[str]) -> str | None:  # noqa: ARG002
        """Say why a row is of another work, from a job's cells and the names that differ."""
        return None


class ResultFile:
    """A file with a row per job, .csv or .jsonl. Raises BadInputError for rows of other work."""

    def __init__(self, path: Path, work: Work) -> None:
        if path.suffix not in {".csv", ".jsonl"}:
            raise validate.refusal("out", str(path), "a name that ends in .csv or .jsonl")
        check_writable(path)
        self.path = path
        self._work, self._described = work, (described := work.described)
        self._numbers = {key_of(row): number for number, row in enumerate(described)}
        self._columns = (*described[0], *work.results)
        self._json = path.suffix == ".jsonl"
        first = json.dumps(dict([*described[0].items()][:1]))[:-1]
        self._beginning = (first if self._json else ",".join(self._columns)).encode()
        self._started = False
        self._rows = self._read()

    @property
    def missing(self) -> list[int]:
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        done, jobs = len(self._rows), f"{len(self._described):,} {self._work.unit}"
        return f"{self.path} holds {done:,} of {jobs}; resume with the same command"

    def add(self, number: int, result: Row) -> None:
        row = {**self._described[number], **result}
        ordered = {name: row.get(name) for name in self._columns}
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(map(_cell, ordered.values()))
        line = json.dumps(ordered) + "\n" if self._json else text.getvalue()
        with uninterrupted():  # or `how_to_go_on` counts other rows than the file holds
            if not self._started:  # not sooner: without workers the file stays as it is
                self.put_in_order()
                self._started = True
            place = located(self.path)
            with writing(self.path), place.open("a", encoding="utf-8", newline="") as file:
                file.write(line)
            self._rows[number] = line

    def put_in_order(self) -> None:
        with atomic_write(self.path) as file:
            header = "" if self._json else ",".join(self._columns) + "\n"
            lines = (line for _, line in sorted(self._rows.items()))
            file.write((header + "".join(lines)).encode())

    def rows(self) -> list[Row]:
        rows = sorted(self._rows.items())
        return [{**self._described[number], **self._result(line)} for number, line in rows]

    def _result(self, line: str) -> Row:
        cells, names = self._cells(line), self._columns[len(self._described[0]) :]
        return {name: cells[name] if self._json else _value(cells[name]) for name in names}

    def _cells(self, line: str) -> Row:
        """Return the cells by column, those of CSV as text; _NOT_A_ROW if it is none."""
        if not self._json:
            return dict(zip(self._columns, next(csv.reader([line])), strict=True))
        cells = json.loads(line)
        if not isinstance(cells, dict) or set(cells) != set(self._columns):
            raise ValueError
        return cells

    def _read(self) -> dict[int, str]:
        rows: dict[int, str] = {}
        for n, line in enumerate(self._lines(), 1):
            if not line.strip():
                continue
            try:
                cells = self._cells(line)
                key: Key = tuple(_cell(cells[name]) for name in self._described[0])
            except _NOT_A_ROW:
                key = ()
            number = self._numbers.get(key)
            if number is None:
                raise self._foreign(f"row {n} {self._difference(key)}")
            rows[number] = line
            try:
                self._work.check_result(number, self._result(line))
            except BadInputError as error:
                where, hint = f"{quoted(self.path)}: row {n}", "remove the row to do its job again"
                raise BadInputError(f"{where}, {error}; {hint}") from None
        return rows

    def _lines(self) -> list[str]:
        place = located(self.path)
        if not place.exists():
            return []
        if not place.is_file():  # to read it might never end
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
        begins = lines or self._beginning.startswith(rest[: len(self._beginning)])
        if lines and not self._json:
            begins = lines.pop(0) == ",".join(self._columns) + "\n"
        if not begins:
            raise self._foreign("it begins with other columns")
        return lines

    def _difference(self, key: Key) -> str:
        for row in self._described if key else ():
            differing = [name for name, a, b in zip(row, key_of(row), key, strict=False) if a != b]
            if reason := self._work.explain_mismatch(row, differing):
                return reason
        return f"is of another {self._work.name}"

    def _foreign(self, reason: str) -> BadInputError:
        what = f"{quoted(self.path)} is not a file of this {self._work.name}"
        return BadInputError(f"{what}: {reason}; use another name")


def key_of(row: Row) -> Key:
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


@contextmanager
def telling_how_to_go_on(file: ResultFile | None) -> Iterator[None]:
    """Tell the number of rows, and how to resume, after Ctrl-C or if processes are lost."""
    try:
        yield
    except KeyboardInterrupt:
        notice(file.how_to_go_on if file else _LOST)
        raise
    except BrokenOffError as error:
        hint = file.how_to_go_on if file else _LOST
        raise BrokenOffError(f"{error}; {hint}") from None
