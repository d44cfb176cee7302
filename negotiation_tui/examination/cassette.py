"""A cassette: all lines between this table and a program, with their times, to be played again.

Each line of the file begins with a mark: `=` a program is started, `>` the table wrote, `<` the
program wrote after so many seconds, `!` the reason why it answered no more, `~` the number of the
first late part of the marks. The first line holds the settings of the examination. Times are
virtual: their sum is the clock of both directions, so that an examination of a cassette repeats to
the bit.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import inf
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination.marks import Timed
from negotiation_tui.examination.results import ExamSetup
from negotiation_tui.runtime.child_process import Child, ChildError
from negotiation_tui.runtime.files import atomic_write, read_bytes, reading
from negotiation_tui.runtime.text import clip, quoted

SUFFIX = ".cassette"
_FORMAT = "negotiation-tui cassette 1"
WRITTEN_BY = "examine --cassette"
_MOST_BYTES = 1 << 27  # about 70 million are to be expected for bazaar, the largest scenario here
_DIGITS = 6  # of a second
_SHOWN = 80  # characters of a line in a message
_ANSWER = re.compile(r"(?P<mark>[<!]) (?P<seconds>\d{1,9}\.\d+) (?P<text>.*)")


class Recorder:
    """Starts programs and notes their lines."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.seconds, self._lines = 0.0, BytesIO()
        self.note("", json.dumps({"format": _FORMAT, **settings}))

    def clock(self) -> float:
        return self.seconds

    def start(self, words: Sequence[str], farewell: str) -> "_Recorded":
        child = Child(words, farewell)
        self.note("= ", " ".join(words))
        return _Recorded(self, child)

    @contextmanager
    def timed(self, seconds: float) -> Iterator[Timed]:
        """Give the marks of a role their time, and note if it was over."""
        timed = Timed(seconds)
        yield timed
        if timed.late:
            self.note("~ ", str(timed.first_late))

    def note(self, mark: str, text: str) -> None:
        """Note a line. Raises BadInputError if it is one too many to be read again."""
        line = f"{mark}{text}\n".encode()
        if self._lines.tell() + len(line) > _MOST_BYTES:
            most = f"cassette: expected at most {_MOST_BYTES:,} bytes, got more"
            raise BadInputError(f"{most}; let the program say less, or lower --ask")
        self._lines.write(line)

    def save(self, path: str) -> None:
        with atomic_write(path) as file:
            file.write(self._lines.getbuffer())


class _Recorded:
    def __init__(self, recorder: Recorder, child: Child) -> None:
        self._recorder, self._child, self.close = recorder, child, child.close
        self._since = time.monotonic()  # the last line; a reader of many lines takes time too

    def send(self, line: str) -> None:
        self._recorder.note("> ", line)
        self._child.send(line)
        self._since = time.monotonic()

    def receive(self, seconds: float) -> str:
        mark = "<"
        try:
            line = self._child.receive(seconds)
        except ChildError as error:
            line, mark = str(error), "!"
        begun, self._since = self._since, time.monotonic()
        took = round(self._since - begun, _DIGITS)
        self._recorder.seconds += took
        self._recorder.note(f"{mark} {took:.{_DIGITS}f} ", line)
        if mark == "!":
            raise ChildError(line)
        return line


class Replayer:
    """Answers from a cassette, as the programs of the examination did."""

    def __init__(self, path: str) -> None:
        self.seconds, self._at, self._path = 0.0, 1, path
        with reading(path, "cassette", WRITTEN_BY):
            self._lines = BytesIO(read_bytes(path, _MOST_BYTES))
            self.settings: dict[str, Any] = json.loads(self._lines.readline())
            if self.settings.get("format") != _FORMAT:
                raise ValueError

    @property
    def setup(self) -> ExamSetup:
        with reading(self._path, "cassette", WRITTEN_BY):
            return ExamSetup.from_dict(self.settings["setup"])

    def clock(self) -> float:
        return self.seconds

    def start(self, _words: Sequence[str], _farewell: str) -> "Replayer":
        line = self._line()
        if not line.startswith("= "):
            raise self._other("a program that is started", line)
        return self

    def send(self, line: str) -> None:
        if (found := self._line()) != f"> {line}":
            raise self._other(f"> {line}", found)

    def receive(self, _seconds: float) -> str:
        line = self._line()
        answer = _ANSWER.fullmatch(line)
        if answer is None:
            raise self._other("an answer", line)
        self.seconds += float(answer["seconds"])
        if answer["mark"] == "!":
            raise ChildError(answer["text"])
        return answer["text"]

    @contextmanager
    def timed(self, _seconds: float) -> Iterator[Timed]:
        """Give the marks of a role the time that they had."""
        before, line = self._lines.tell(), self._line()
        late = re.fullmatch(r"~ (\d{1,9})", line)
        if not late:
            self._at -= 1
            self._lines.seek(before)
        yield Timed(first_late=int(late[1]) if late else inf)

    def close(self) -> None:
        """End no program: there is none."""

    def _line(self) -> str:
        self._at += 1
        with reading(self._path, "cassette", WRITTEN_BY):
            return self._lines.readline().decode().rstrip("\r\n")  # "\r" by git on Windows

    def _other(self, expected: str, got: str) -> BadInputError:
        what = f"expected {clip(expected, _SHOWN)}, got {quoted(clip(got, _SHOWN))}"
        return BadInputError(f"{self._path}, line {self._at:,}: {what}; examine the program again")
