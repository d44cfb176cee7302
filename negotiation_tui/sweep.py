"""Sweeps: a grid of settings times seeds, one row a run, in a file that grows.

Rows are appended as runs are ready, so that breaking off loses none that is done; begun again, a
sweep does only what the file does not hold. A finished file has its rows in the order of the
grid, whoever worked on them in what order.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runs import RESULTS, Job, Row, carry_out
from negotiation_tui.scenario import Scenario
from negotiation_tui.settings import described, job
from negotiation_tui.storage import check_writable, written_beside
from negotiation_tui.workers import answers

Key = tuple[str, ...]
"""What a row says its run depended on, cell by cell."""


def grid(
    scenario: Scenario, values: Mapping[str, Sequence[str]], runs: int, seed: int
) -> list[Job]:
    """Every combination of values, each with the seeds `seed … seed + runs - 1`."""
    settings = [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    jobs = [job(scenario, setting, seed + n) for setting in settings for n in range(runs)]
    keys = [_key(described(each)) for each in jobs]
    if len(set(keys)) < len(keys):
        raise BadInputError("two settings of the sweep are the same, use each value once")
    return jobs


class ResultFile:
    """Rows of runs in a file, CSV or, where its name ends in .jsonl, a JSON object a line.

    Raises BadInputError for a file that holds anything but runs of these jobs.
    """

    def __init__(self, path: Path, jobs: Sequence[Job]) -> None:
        if path.suffix not in {".csv", ".jsonl"}:
            raise BadInputError(f"out: {str(path)!r} is neither .csv nor .jsonl")
        check_writable(path)
        self.path = path
        self._described = [described(each) for each in jobs]
        self._numbers = {_key(row): number for number, row in enumerate(self._described)}
        self._columns = (*self._described[0], *RESULTS)
        self._json = path.suffix == ".jsonl"
        first = json.dumps({"scenario": jobs[0].scenario.name})[:-1]
        self._beginning = (first if self._json else ",".join(self._columns)).encode()
        self._rows = self._read()

    @property
    def missing(self) -> list[int]:
        """The numbers of the jobs that have no row yet."""
        return [n for n in range(len(self._described)) if n not in self._rows]

    @property
    def how_to_go_on(self) -> str:
        """What to say after breaking off."""
        jobs, left = len(self._described), len(self.missing)
        held = f"{self.path} holds {jobs - left:,} of {jobs:,} runs"
        return f"{held}; the same command goes on from there"

    def add(self, number: int, result: Row) -> None:
        """Append the row of a job, at once."""
        row = {**self._described[number], **result}
        self._rows[number] = self._line(row)
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._rows[number])

    def put_in_order(self) -> None:
        """Whole rows only, in the order of the jobs."""
        with written_beside(self.path) as file:
            header = "" if self._json else ",".join(self._columns) + "\n"
            lines = (self._rows[number] for number in sorted(self._rows))
            file.write((header + "".join(lines)).encode())

    def rows(self) -> list[Row]:
        """The rows that are there, in the order of their jobs; numbers are numbers again."""
        lines = [self._rows[number] for number in sorted(self._rows)]
        if self._json:
            return [json.loads(line) for line in lines]
        named = csv.DictReader(lines, self._columns)
        return [{name: _value(cell) for name, cell in row.items()} for row in named]

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
            *whole, rest = content.split(b"\n")  # the rest was cut off: that run is done again
            lines = [line.decode() + "\n" for line in whole]
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
            number = self._numbers.get(self._key_of(line))
            if number is None:
                raise self._foreign(f"row {n} is of another sweep")
            rows[number] = line
        return rows

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

    def _foreign(self, reason: str) -> BadInputError:
        return BadInputError(
            f"{str(self.path)!r} is no file of this sweep, {reason}: use another name"
        )


def sweep(
    jobs: Sequence[Job], file: ResultFile, workers: int, cluster: str | None
) -> Iterator[int]:
    """Carry out what is missing, yielding the number of each run when its row is written."""
    missing, begun = file.missing, False
    for number, result in answers(carry_out, [jobs[n] for n in missing], workers, cluster):
        if not begun:  # not sooner, for there may be nobody to work
            file.put_in_order()
            begun = True
        file.add(missing[number], result)
        yield missing[number]
    file.put_in_order()


def _value(cell: str) -> Any:
    """A cell of CSV as a number, if it is one."""
    try:
        return float(cell) if cell else None
    except ValueError:
        return cell


def _key(row: Row) -> Key:
    return tuple(map(_cell, row.values()))


def _cell(value: Any) -> str:
    """A value as CSV has it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
