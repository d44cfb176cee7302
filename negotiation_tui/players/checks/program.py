"""Check that a program keeps to the protocol `haggle 1`; a failure shows the last lines.

Each part has a process of its own, so that a program that fails in one part can pass the next.
"""

import math
import operator
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, draw_limits, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players import haggle
from negotiation_tui.players.checks import CheckResult, Named, run_checks
from negotiation_tui.players.checks.strategy import CLOSES, GAPS, IN_RANGE, OPENS, positions
from negotiation_tui.players.defaults import CHECK_MINUTES
from negotiation_tui.players.program import IN_A_ROW, ProgramPlayer, Seat, from_spec
from negotiation_tui.runtime.child_process import Child, ChildError
from negotiation_tui.runtime.output import SOON, ProgressBar, notice, tell_left
from negotiation_tui.runtime.text import clip, duration, one_line, plural, printable, quoted

STARTS, READY, TURNS = "starts", "says ready in time", "answers turn in time"
ONCE = "answers each question once"
END = "goes on after end, which needs no answer"
READS = "writes answers that can be read"
_AGAIN = "answers again after refused"
ASKS = "answers ask in time"
CALM = "forgets an ask in the middle of a negotiation"
NEWER = "ignores unknown first words, and new keys at the end of a line"
QUIT, FINISH = (f"ends within a second {at}" for at in ("after quit", "at the end of its input"))
LEAVES = "leaves no process behind"
REPEATS = "repeats its answers in a new process"
_ALL = "is checked to the end"
_SEATS = 32  # the processes of all checks
_ORIGINAL, HIDDEN = Scenario.original(), Scenario.of("hidden")
_GAMES = {
    "plays at other prices": Scenario.of("10x7"),
    "plays at prices with gaps, some negative": GAPS.moved(1, -5),
    "plays after limits became hidden": HIDDEN,
    "plays where time costs": Scenario.of("impatience"),
    "plays 100 rounds": Scenario.from_dict({"name": "long", "prices": 5, "rounds": 100}),
}
OPENING = Position.after(_ORIGINAL, Role.SELLER, ())
ASKED = 40  # the most questions off any path per role
_SECONDS = 5.0  # for a part; later it asks no more questions
QUIET = 0.2  # seconds in which no line may follow
_SHOWN, _WIDTH = 6, 120  # the lines of an exchange, and their characters


def check_program(
    spec: str,
    scenarios: Sequence[Scenario] = (),
    seed: int = 0,
    seconds: float = haggle.SECONDS,
    minutes: float = CHECK_MINUTES,
) -> Iterator[CheckResult]:
    """Run every check, in more scenarios too, for at most some minutes; a bar shows the questions.

    `seconds` is the time for an answer. After some failures in a row the rest is left out.
    """
    with ProgressBar("questions") as bar:
        table = _Table(replace(from_spec(spec), seconds=seconds), seed, minutes, bar)
        yield from run_checks(table.checks((_ORIGINAL, HIDDEN, *scenarios)), needed=5)


class _StoppedError(Exception):
    """The reason why the rest of the checks is left out."""


class _Recorded(Child):
    def __init__(self, table: "_Table", words: Sequence[str], farewell: str) -> None:
        super().__init__(words, farewell)
        self._table, table.child = table, self
        self._sent = self._most = math.inf

    def send(self, line: str) -> None:
        now = time.monotonic()
        refused = line.startswith("refused")  # as slow as the answer before, or it never comes
        self._most = max(_SECONDS, 4 * (now - self._sent)) if refused else math.inf
        self._sent = now
        newer = self._table.part == NEWER and line.startswith(("game", "turn", "ask"))
        for each in ("novelty 1 2", f"{line} novelty 1") if newer else (line,):
            self._table.lines.append(f"> {each}")
            super().send(each)

    def receive(self, seconds: float) -> str:
        line = super().receive(min(seconds, self._table.most, self._most))
        self._table.lines.append(f"< {line}")
        return line


class _Table:
    """A program that is checked, and the first failure of each check."""

    child: _Recorded

    def __init__(self, player: ProgramPlayer, seed: int, minutes: float, bar: ProgressBar) -> None:
        self.player, self.seed, self.minutes, self.bar = player, seed, minutes, bar
        self.begun, self.ahead, self.seats, self.in_a_row = time.monotonic(), 0, 0, 0
        self.shown = set[str]()  # the names of the checks that were told
        self.most = 2 * player.seconds  # for a line; twice, because of `ready`; less after silence
        self.broken: dict[str, str] = {}
        self.steady = list[str]()  # answers that depend on no seed
        self.lines, self.took = list[str](), list[float]()

    def checks(self, scenarios: Sequence[Scenario]) -> Iterator[Named]:
        scenarios = tuple(dict.fromkeys(scenarios))
        games = [*scenarios, *(each for game in _GAMES.values() for each in (_ORIGINAL, game))]
        # In each role twice with each opener, then off any path; and the parts of one role.
        self.ahead = sum(8 * each.rounds for each in games) + 14 * _ORIGINAL.rounds
        self.ahead += 2 * ASKED * (len(scenarios) + len(_GAMES))
        limit = duration(60 * self.minutes)
        notice(f"up to {plural(self.ahead, 'question')}, in at most {limit} (--minutes)")
        try:
            yield from self.parts(scenarios)
        except _StoppedError as stop:
            yield from self.results(*(name for name in self.broken if name not in self.shown))
            why = str(stop)
            yield _ALL, lambda: why

    def parts(self, scenarios: Sequence[Scenario]) -> Iterator[Named]:
        with self.seat() as seat:
            self.ask(seat, OPENING)
            self.quiet(ONCE, "the answer")
            self.child.send("end walk buyer round 1 reward 0")
            self.quiet(END, "end")
            self.ask(seat, OPENING)
            self.quiet(ONCE, "the answer")
        yield from self.results(STARTS, READY, TURNS, ONCE, END)
        for scenario in scenarios:
            self.games("", scenario)
        legal = READS, OPENS, CLOSES, IN_RANGE
        refused = [_AGAIN] * any(name in self.broken for name in legal)
        yield from self.results(*legal, *refused, ASKS)
        usual, same, other = (self.negotiate(REPEATS, drawn=drawn) for drawn in (1, 1, 2))
        repeats = all(map(operator.eq, usual, same))  # the time may end one of them early
        self.steady = usual if repeats and all(map(operator.eq, usual, other)) else []
        if self.steady and ASKS not in self.broken:
            self.negotiate(CALM)
            yield from self.results(CALM)
        for part, game in _GAMES.items():
            self.games(part, _ORIGINAL, game)
            yield from self.results(part)
        self.negotiate(NEWER)
        yield from self.results(NEWER)
        self.leave(QUIT)
        self.leave(FINISH)
        draws = "draws without the seed: runs with it will not repeat"
        yield from self.results(QUIT, FINISH, LEAVES)
        yield from self.results(REPEATS if repeats or REPEATS in self.broken else draws)
        took = [f"{1000 * of(self.took):.3g} ms" for of in (median, max)]
        questions = plural(len(self.took), "question")
        yield from self.results(f"answers in {took[0]} (median), {took[1]} at most: {questions}")

    def results(self, *names: str) -> Iterator[Named]:
        self.shown.update(names)
        return ((name, partial(self.broken.get, name)) for name in names)

    @contextmanager
    def seat(self, part: str = "", role: Role = Role.SELLER, drawn: int = 1) -> Iterator[Seat]:
        """Seat a new process for a part of the check, which gets the failures that are new."""
        now, end = time.monotonic(), self.begun + 60 * self.minutes
        if self.in_a_row >= IN_A_ROW:
            raise _StoppedError(f"stopped after {IN_A_ROW} failures in a row")
        if now > end:
            limit = duration(60 * self.minutes)
            raise _StoppedError(f"stopped after {limit}; more --minutes leave time for the rest")
        self.lines.clear()
        self.part, self.drawn, self.until = part, drawn, min(end, now + _SECONDS)
        self.seats += 1
        seat = Seat(self.player, role, partial(_Recorded, self))
        try:
            yield seat
        except ChildError:  # the part ends early
            pass
        except BadInputError as error:
            if "cannot be started" in str(error):
                self.breaks(STARTS, f"{error}; a script begins with #! and its interpreter")
            hint = " Does it wait for more input (mawk: add -W interactive)?"
            self.breaks(READY, f"{error}{hint * ('in time' in str(error))}")
        finally:
            seat.close()

    def breaks(self, name: str, why: str) -> None:
        if name not in self.broken:
            shown = (clip(printable(line), _WIDTH) for line in self.lines[-_SHOWN:])
            self.broken.setdefault(self.part or name, "\n  ".join((why, *shown)))

    def ask(self, seat: Seat, position: Position, word: str = "turn") -> int:
        """Return the move; note the faults of the answer. Raises ChildError if none comes."""
        rng: Any = SimpleNamespace(integers=lambda _most: self.drawn, random=lambda: 0.5)
        del self.lines[:-_SHOWN]
        before, seconds, failures = len(self.lines), seat.manners.seconds, seat.manners.failures
        move, answer = seat.move(position, rng) if word == "turn" else (-1, seat.ask(position, rng))
        where = f"{position.role} in {position.scenario.origin.name}: "
        name, hint = TURNS, "did it flush its output?"
        if word == "ask":
            name, hint = ASKS, "answer ask as you answer turn"
        why, late = answer.why.partition("; did")[0], "no answer in time" in answer.why
        for line in self.lines[before:]:
            if line.startswith("> refused"):
                name, hint = _AGAIN, "write another answer if refused ends with one more try"
            for fault, text in _faults(one_line(line[2:]), position) if line[0] == "<" else ():
                self.breaks(fault, where + text)
        if seat.manners.failures > failures:
            self.in_a_row += 1
            if late:
                why += f"; {hint}"
                self.most = min(self.most, max(_SECONDS, 4 * max(self.took, default=0)))
            self.breaks(name, where + why)
            raise ChildError
        self.in_a_row = 0
        self.took.append(seat.manners.seconds - seconds)
        most, spent = 60 * self.minutes, time.monotonic() - self.begun
        share = min(1.0, max(len(self.took) / self.ahead, spent / max(most, spent)))
        self.bar.show(int(share * self.ahead), self.ahead)
        if len(self.took) == SOON:
            each = sum(self.took) / SOON
            ahead = min(self.ahead * each, (_SEATS - self.seats) * (_SECONDS + each))
            tell_left(min(ahead, most - spent))
        return move

    def games(self, part: str, *games: Scenario) -> None:
        """Play games twice in each role; then ask off any path in the last."""
        for role in Role:
            self.negotiate(part, *games, *games, role=role)
            off = [each for each in positions(games[-1:], self.seed) if each.role is role]
            with self.seat(part, role) as seat:
                for at in np.random.default_rng(self.seed).permutation(len(off))[:ASKED].tolist():
                    if time.monotonic() < self.until and ASKS not in self.broken:
                        self.ask(seat, off[at], "ask")

    def negotiate(
        self, part: str, *games: Scenario, role: Role = Role.SELLER, drawn: int = 1
    ) -> list[str]:
        """Play against one who never accepts; return the answers. `drawn` is a program's seed."""
        rng, answers = np.random.default_rng(self.seed), list[str]()

        def choose(position: Position) -> int:
            if time.monotonic() > self.until:
                raise ChildError
            if position.role is not role and position.last_decision:
                return position.scenario.walk_away
            if position.role is not role:
                return int(rng.choice(position.scenario.offers(position.role)))
            if part == CALM:
                self.ask(seat, Position.after(position.scenario, role, ()), "ask")
            move = self.ask(seat, position)
            answers.append(self.lines[-1])
            usual = self.steady[: len(answers)] if part in {CALM, NEWER} else []
            if usual != answers[: len(usual)]:
                self.breaks("", f"without that it answers {quoted(usual[-1][2:])}")
                raise ChildError
            return move

        with self.seat(part, role, drawn) as seat:
            for game, opener in product(games or (_ORIGINAL,), Role):
                seat.ended(play_out(draw_limits(game, rng), opener, choose))
            if part == NEWER:
                self.quiet(NEWER, "unknown words")
        return answers

    def quiet(self, name: str, after: str) -> None:
        """Fail if a line comes now, or the program ends."""
        try:
            line = self.child.receive(QUIET)
            why = f"{quoted(clip(line, 60))} comes after {after}: write nothing there"
        except ChildError as error:
            if "in time" in str(error):
                return
            why = f"{error} after {after}: wait for the next line"
        self.breaks(name, why)
        raise ChildError

    def leave(self, part: str) -> None:
        with self.seat(part) as seat:
            self.ask(seat, OPENING)
            self.child.send("quit") if part == QUIT else self.child.end_input()
            itself, others = self.child.goes_on(1.0)
            self.part = part if itself else LEAVES
            if itself:
                self.breaks("", "it goes on: leave the loop there")
            elif others:
                self.breaks("", "a process that it started goes on: end it, or wait for it")


def _faults(line: str, position: Position) -> Iterator[tuple[str, str]]:
    """Yield each check that a line of a program fails, and how to mend it."""
    text, limits = quoted(clip(line, 60)), position.scenario.origin.limits[position.role.other]
    try:
        haggle.answer_of(line, position)
    except haggle.IllegalError:
        words, range_ = {*line.split(" ")}, "its range; compare it with range in each question"
        if position.standing_offer is None and words & {"accept", "walk"}:
            yield OPENS, "accepts or walks away at the opening; make an offer if standing is -"
        elif position.last_decision and "offer" in words:
            yield CLOSES, "makes an offer at the last decision; accept or walk there"
        else:
            yield IN_RANGE, f"offers or accepts a price outside {range_}"
    except haggle.RefusedError as error:
        yield READS, f"{text}: {error}"
    if limits and line.startswith("belief") and haggle.belief_of(line, limits.values) is None:
        yield READS, f"{text}: expected pairs of one of other-worths and a chance"
