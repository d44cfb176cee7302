"""Copies of a program that are asked beside each other, and the answers of a cassette.

An answer becomes a unit of the cassette when it comes. All answers, those of this run too, are then
taken from units, in the order of the questions. So they are alike whichever copy gave them, and
when, and in which run.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, count
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError, NoAnswerError
from negotiation_tui.examination.cassette import Cassette, Unit, UnitName, unit_of
from negotiation_tui.examination.elicit import Asker, Draws, Inquiry
from negotiation_tui.game.roles import Role
from negotiation_tui.players.program import (
    IN_A_ROW,
    Clock,
    Manners,
    ProgramPlayer,
    Seat,
    SeatLine,
    Start,
)
from negotiation_tui.runtime.child_process import TICK, Child, ChildError
from negotiation_tui.runtime.text import joined, quoted

SAME = ("model", "prompt", "temperature")
"""Keys of `about` that must be alike in all runs of an examination."""
_OFFERS = re.compile(r"ask .* offers (\S+)(?: |$)")


def draws_of(*numbers: int) -> Draws:
    """Return random numbers of each thing's own."""
    return lambda *more: np.random.default_rng([*numbers, *more])


class _OtherError(Exception):
    """A unit of other questions: a damaged line, which costs itself."""


class _Lines:
    """A program that answers from units."""

    def __init__(self) -> None:
        self.seconds, self._lines, self._greeting = 0.0, deque[SeatLine](), deque[str]()
        self._stated: tuple[tuple[str, str], ...] = ()

    def load(self, unit: Unit) -> None:
        self.seconds, self._lines, self._stated = 0.0, deque(unit.lines), unit.stated

    def clock(self) -> float:
        return self.seconds

    def start(self, _words: Sequence[str], _farewell: str) -> "_Lines":
        about = (f"about {key} {text}".replace("about id", "id") for key, text in self._stated)
        self._greeting = deque([*about, "ready 1"])
        return self

    def send(self, line: str) -> None:
        if self._lines and self._lines[0][0] == ">":
            if self._lines[0][2] == line:
                self._lines.popleft()
            elif line.startswith(("ask ", "turn ")):
                raise _OtherError

    def receive(self, _seconds: float) -> str:
        if self._greeting:
            return self._greeting.popleft()
        if not self._lines or self._lines[0][0] == ">":
            raise _OtherError
        mark, seconds, text = self._lines.popleft()
        self.seconds += seconds
        if mark == "!":
            raise ChildError(text)
        return text

    def close(self) -> None:
        """End no program: there is none."""


class Copies(Asker):
    """Seats of one program in a role, which share the questions of a wave."""

    in_waves = True

    def __init__(
        self,
        cassette: Cassette,
        player: ProgramPlayer,
        role: Role,
        seed: int = 0,
        n: int = 1,
        start: Start = Child,
        clock: Clock = time.monotonic,
    ) -> None:
        self._cassette, self._player, self._role, self._n = cassette, player, role, n
        self.draws = draws_of(seed, role)
        self._seed, self._start, self._clock = seed, start, clock
        self._since, self._before = clock(), cassette.elapsed[role]
        self._known = [dict(unit.stated) for unit in cassette.units.values() if unit.stated]
        self._numbers, self._lock = count(cassette.processes + 1), Lock()
        self._seats, self._begun = list[Seat](), dict[Seat, int]()
        """The seats of a work, and the numbers of processes of which no unit tells yet."""
        self._held = dict[Seat, dict[UnitName, dict[str, Any]]]()
        """Failures in a seat, until it answers again."""

    def clock(self) -> float:
        return self._before + self._clock() - self._since

    def pace(self, _manners: Manners) -> float:
        tape = self._cassette
        return max(tape.elapsed[self._role], 1e-9) / max(1, tape.asked[self._role])

    def cuts(self) -> bool:
        return False

    def begin(self, late: Callable[[], bool], manners: Manners | None) -> None:
        self._late, self._optional, self._lines = late, manners is None, _Lines()
        lines = self._lines
        self._judged = Seat(self._player, self._role, lines.start, lines.clock)
        self._judged.manners, self._judged.starts = manners or Manners(), -(10**9)

    def end(self) -> None:
        for entry in chain(*(held.values() for held in self._held.values())):
            self._cassette.note(entry)
        self._leave()

    def _leave(self) -> None:
        """End all processes at once; what they still answer is not noted."""
        with self._lock:
            seats, self._seats = self._seats, []
            self._held.clear()
        ends = [Thread(target=seat.leave) for seat in seats]
        for each in ends:
            each.start()
        for each in ends:
            each.join()

    def offers(self, key: tuple[int, ...]) -> tuple[int, ...] | None:
        unit = self._cassette.units.get((self._role, key))
        for _, _, text in unit.lines if unit else ():
            if found := _OFFERS.match(text):
                return tuple(int(each) for each in found[1].split(",") if each != "-")
        return None

    def wave(self, tasks: Sequence[Inquiry]) -> Iterator[tuple[Inquiry, Any]]:
        units, role = self._cassette.units, self._role
        missing = [task for task in tasks if not self._fits(task)] if self._cassette.live else []
        if missing and not self._late():
            try:
                self._ask(missing)
            except BaseException as error:
                self._leave()
                if isinstance(error, NoAnswerError):
                    self._cassette.note({"stopped": str(error)})
                raise
        held = {key: unit_of(entry) for each in self._held.values() for key, entry in each.items()}
        for task in tasks:
            if unit := units.get((role, task.key)) or held.get((role, task.key)):
                with suppress(_OtherError):
                    yield task, self._replayed(unit, task)

    def _fits(self, task: Inquiry) -> bool:
        """True if a unit is there whose questions are those of a task."""
        unit = self._cassette.units.get((self._role, task.key))
        manners, self._judged.manners = self._judged.manners, Manners()
        try:
            return bool(unit and self._replayed(unit, task))
        except _OtherError:
            return False
        finally:
            self._judged.manners = manners

    def _replayed(self, unit: Unit, task: Inquiry) -> Any:
        self._lines.load(unit)
        self._judged.close()
        return task.run(self._judged)

    def _ask(self, tasks: Sequence[Inquiry]) -> None:
        todo, done = deque(tasks), SimpleQueue[BaseException | bool]()
        n = min(self._n, len(tasks))
        while len(self._seats) < n:
            seat = Seat(self._player, self._role, self._start, self._clock, self._seed_of)
            self._seats.append(seat)
        for seat in self._seats[:n]:
            Thread(target=self._work, args=(seat, todo, done), name="copy", daemon=True).start()
        try:
            while n:
                with suppress(Empty):  # Windows cannot interrupt a longer wait
                    found = done.get(timeout=TICK)
                    if isinstance(found, BaseException):
                        raise found
                    n -= found
                    self.progress()
        finally:
            todo.clear()

    def _work(
        self, seat: Seat, todo: deque[Inquiry], done: SimpleQueue[BaseException | bool]
    ) -> None:
        """Ask in a seat while there are questions; put False per unit, and True or an error."""
        try:
            while todo and not self._late():
                with suppress(IndexError):  # another copy took the last one
                    task = todo.popleft()
                    self._take(seat, task)
                    done.put(False)
                if self._optional and seat.manners.in_a_row >= IN_A_ROW:
                    break
            done.put(True)
        except BaseException as error:
            done.put(error)

    def _take(self, seat: Seat, task: Inquiry) -> None:
        """Ask, and note the answers; a failure is noted once the seat answers again."""
        seat.lines, key = [], (self._role, task.key)
        task.run(seat)
        with self._lock:
            if seat not in self._seats:
                return
            at, lines = round(self.clock(), 3), seat.lines
            entry: dict[str, Any] = {"of": [str(self._role), *task.key], "at": at, "lines": lines}
            if number := self._begun.pop(seat, 0):
                entry |= {"process": number, "stated": _stated(seat)}
            held = self._held.setdefault(seat, {})
            held[key] = entry
            if not seat.manners.in_a_row:
                try:
                    for each in held.values():
                        self._cassette.note(each)
                except BaseException:
                    self._seats = []  # no more is written after half a line
                    raise
                held.clear()
            if not self._optional:
                seat.manners.check_reached(self._player.spec)

    def _seed_of(self, seat: Seat) -> int:
        """Return the seed of a new process. Raises BadInputError if it is another player."""
        said, number = dict(_stated(seat)), next(self._numbers)
        for key, text in ((key, said.get(key, "nothing")) for key in SAME):
            known = sorted({each.get(key, "nothing") for each in self._known} - {text})
            if known:
                expected = (
                    f"expected a program of {key} {quoted(joined(known))}, got {quoted(text)}"
                )
                raise BadInputError(f"cassette: {expected}; name another file")
        self._known.append(said)
        self._begun[seat] = number
        return int(np.random.default_rng([self._seed, self._role, number]).integers(2**31))


def _stated(seat: Seat) -> list[tuple[str, str]]:
    return [(key, text) for key, texts in seat.manners.stated.items() for text in texts]
