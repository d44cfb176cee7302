"""A cassette of an older version: all lines between this table and a program, with their times.

Each line of the file begins with a mark: `=` a program is started, `>` the table wrote, `<` the
program wrote after so many seconds, `!` the reason why it answered no more, `~` the number of the
first late part of the marks. The first line holds the settings of the examination. Times are
virtual: their sum is the clock. Such a cassette is judged, and never continued.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination.cassette import LONGEST_FILE, WRITTEN_BY, first_line
from negotiation_tui.examination.elicit import Asker
from negotiation_tui.examination.marks import Timed
from negotiation_tui.examination.results import ExamSetup
from negotiation_tui.game.roles import Role
from negotiation_tui.players.program import ProgramPlayer, Seat
from negotiation_tui.runtime.child_process import ChildError
from negotiation_tui.runtime.files import read_bytes, reading
from negotiation_tui.runtime.text import clip, quoted

_SHOWN = 80  # characters of a line in a message
_ANSWER = re.compile(r"(?P<mark>[<!]) (?P<seconds>\d{1,9}\.\d+) (?P<text>.*)")


class Replayer:
    """Answers from a cassette, as the programs of the examination did."""

    live, runs, stopped, asked = False, 1, "", dict[Role, int]()

    def __init__(self, path: str) -> None:
        self.seconds, self._at, self._path = 0.0, 1, path
        with reading(path, "cassette", WRITTEN_BY):
            self._lines = BytesIO(read_bytes(path, LONGEST_FILE))
            self.setup = ExamSetup.from_dict(first_line(self._lines.readline())["setup"])

    def asker(self, player: ProgramPlayer, role: Role) -> Asker:
        seat = partial(Seat, player, role, self.start, self.clock)
        return Asker(seat, [self.setup.seed, role], self.clock)

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
    def timed(self, _role: Role, seconds: float) -> Iterator[Timed]:
        """Give the marks of a role the time that they had, at most their seconds."""
        before, line = self._lines.tell(), self._line()
        late = re.fullmatch(r"~ (\d{1,9})", line)
        if not late:
            self._at -= 1
            self._lines.seek(before)
        yield Timed(first_late=int(late[1])) if late else Timed(seconds)

    def close(self) -> None:
        """End no program: there is none."""

    def _line(self) -> str:
        self._at += 1
        with reading(self._path, "cassette", WRITTEN_BY):
            return self._lines.readline().decode().rstrip("\r\n")  # "\r" by git on Windows

    def _other(self, expected: str, got: str) -> BadInputError:
        what = f"expected {clip(expected, _SHOWN)}, got {quoted(clip(got, _SHOWN))}"
        return BadInputError(f"{self._path}, line {self._at:,}: {what}; examine the program again")
