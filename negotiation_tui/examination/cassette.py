"""A cassette: all answers that a program gave, to go on from them, and to be judged again.

Each line of the file is JSON. The first one has the format and the settings, `setup` those of a
later run. A unit, a decision with its retry or a negotiation, has a name in `of`: the role, the
work, and numbers; `at`, the role's seconds so far in all runs; and `lines`, each with a mark:
`>` was sent, `<` received after some seconds, `!` is the reason for no answer. The first unit of a
process has its number and what it `stated`. `late` is the number of a role's first late part of the
marks, `stopped` the reason why a run ended. Lines are appended as answers come, never changed: a
damaged one costs itself.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination.marks import Timed
from negotiation_tui.examination.results import ExamSetup
from negotiation_tui.game.roles import Role
from negotiation_tui.players.program import SeatLine
from negotiation_tui.runtime.files import open_to_append, read_bytes, reading, writing
from negotiation_tui.runtime.validate import integer, number, string

SUFFIX = ".cassette"
_FORMATS = "negotiation-tui cassette 1", "negotiation-tui cassette 2"
WRITTEN_BY = "examine --cassette"
LONGEST_FILE = 1 << 27  # about 110 million are to be expected for bazaar, the largest scenario here
UnitName = tuple[Role, tuple[int, ...]]
_LONGEST_HEADING = 1_000_000  # bytes
_MOST_SECONDS = 1e9
_HEAD = f'{{"format": "{_FORMATS[-1]}", '.encode()


class Unit(NamedTuple):
    """The lines of a decision or of a negotiation."""

    lines: tuple[SeatLine, ...]
    stated: tuple[tuple[str, str], ...] = ()  # by a process that began with this unit


def first_line(line: bytes, newest: bool = False) -> dict[str, Any]:
    """Return the first line of a cassette. Raises an error if it is none, or not of the newest."""
    table: dict[str, Any] = json.loads(line) if len(line) <= _LONGEST_HEADING else {}
    if table.get("format") not in _FORMATS:
        raise ValueError
    if newest and table["format"] != _FORMATS[-1]:
        hint = "it can be judged, but not continued; name another file"
        raise BadInputError(f"expected a cassette of this version, got an older one; {hint}")
    return table


def is_old(path: str) -> bool:
    """True for a cassette of an older version, which can only be judged."""
    with reading(path, "cassette", WRITTEN_BY):
        first = read_bytes(path, LONGEST_FILE).partition(b"\n")[0]
        return bool(first_line(first)["format"] != _FORMATS[-1])


class Cassette:
    """The answers of a program by the names of their units, with a file or without one."""

    def __init__(self, path: str | None = None, *, live: bool = False) -> None:
        """Read a file, and be ready to write it if the program is there to be asked."""
        self.units, self.late = dict[UnitName, Unit](), dict[Role, int | None]()
        self.elapsed = dict.fromkeys(Role, 0.0)  # seconds of answers in all runs
        self.asked = dict.fromkeys(Role, 0)  # questions with an answer, or a failure, in units
        self.setup: ExamSetup | None = None
        self.live, self.runs, self.processes, self.stopped = live, 0, 0, ""
        self._path, self._file, self._size = path or "", None, 0
        self._settings, contents = dict[str, Any](), b""
        self._joint: bytes | None = None  # before the next line, which a cut off one makes room for
        if path is None:
            return
        self._file = open_to_append(path) if live else None
        with reading(path, "cassette", WRITTEN_BY):
            if not self._file:
                contents = read_bytes(path, LONGEST_FILE)
            elif self._file.readable():
                contents = self._file.read(LONGEST_FILE + 1) or b""
            self._read(contents)
            if contents:
                whole = not self._size or contents[self._size - 1 : self._size] == b"\n"
                self._joint = b"" if whole else b"\n"
            if not live and not self.setup:
                raise ValueError

    def _read(self, contents: bytes) -> None:
        if len(contents) > LONGEST_FILE:
            raise BadInputError(f"expected at most {LONGEST_FILE:,} bytes, got more")
        *lines, rest = contents.split(b"\n")
        if not lines and _HEAD.startswith(rest[: len(_HEAD)]):  # there was no room for more
            return
        for n, line in enumerate((*lines, rest)):
            if not n:
                self._take(first_line(line, newest=True))
            elif not self._taken(line) and n == len(lines):
                break  # the last line was cut off
            self._size += len(line) + (n < len(lines))

    def _taken(self, line: bytes) -> bool:
        """Take a line; a damaged one costs that line."""
        try:
            self._take(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return False
        return True

    def begin(self, setup: ExamSetup) -> None:
        """Write the settings: the first ones at once, later ones with their first answer."""
        settings = {"setup": setup.to_dict()}
        if self.setup:
            self.setup, self.stopped, self._settings = setup, "", settings
        else:
            self.note({"format": _FORMATS[-1], **settings})

    def note(self, entry: dict[str, Any]) -> None:
        """Append an entry, after the settings if they are not there yet."""
        if self._settings and "of" in entry:
            settings, self._settings = self._settings, {}
            self.note(settings)
        self._append(f"{json.dumps(entry, ensure_ascii=False)}\n".encode(errors="replace"))
        self._take(entry)

    def _append(self, line: bytes) -> None:
        if self._file is None:
            return
        if self._joint is not None:
            with writing(self._path):
                self._file.truncate(self._size)  # without a last line that was cut off
            line, self._joint = self._joint + line, None
        self._size += len(line)
        if self._size > LONGEST_FILE:
            most = f"cassette: expected at most {LONGEST_FILE:,} bytes, got more"
            raise BadInputError(f"{most}; let the program say less, or lower --ask")
        with writing(self._path):
            while line:
                line = line[self._file.write(line) or 0 :]

    def _take(self, entry: dict[str, Any]) -> None:
        if "setup" in entry:
            self.setup, self.stopped = ExamSetup.from_dict(entry["setup"]), ""
            self.runs += 1
        elif "of" in entry:
            name, *numbers = entry["of"]
            key = Role.of(name), tuple(integer("of", each, 0) for each in numbers)
            at = number("at", entry["at"], 0, _MOST_SECONDS)
            unit = unit_of(entry)
            self.processes = max(self.processes, integer("process", entry.get("process", 0), 0))
            self.asked[key[0]] += sum(map(_is_question, unit.lines))
            self.elapsed[key[0]] = max(self.elapsed[key[0]], at)
            self.units[key] = unit
        elif "late" in entry:
            self.late[Role.of(entry["role"])] = entry["late"] and integer("late", entry["late"], 1)
        elif "stopped" in entry:
            self.stopped = string("stopped", entry["stopped"])

    @contextmanager
    def timed(self, role: Role, seconds: float) -> Iterator[Timed]:
        """Give the marks of a role their time, and note if it was over, or as it was noted."""
        known = None if self.live else self.late.get(role)
        timed = Timed(first_late=known) if known else Timed(seconds)
        yield timed
        late = int(timed.first_late) if timed.late else None
        if self.live and self.late.get(role, -1) != late:
            self.note({"late": late, "role": str(role)})

    def close(self) -> None:
        if self._file:
            self._file.close()


def unit_of(entry: dict[str, Any]) -> Unit:
    pairs = entry.get("stated", [])
    stated = tuple((string("key", a), string("text", b)) for a, b in pairs)
    return Unit(tuple(map(_line, entry["lines"])), stated)


def _line(line: Any) -> SeatLine:
    mark, seconds, text = line
    if mark not in set("<>!"):
        raise ValueError
    return mark, number("seconds", seconds, 0, _MOST_SECONDS), string("text", text)


def _is_question(line: SeatLine) -> bool:
    return line[0] == ">" and line[2].startswith(("ask ", "turn "))
