"""Check that a program keeps to the protocol `haggle 1`; a failure shows the last lines.

Each part has a process of its own, so that a program that fails in one part can pass the next.
"""

import operator
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from negotiation_tui.players.checks.check import Check
from negotiation_tui.players.checks.strategy import CLOSES, INSIDE, OPENS, gaps, positions
from negotiation_tui.players.program import Seat, from_spec
from negotiation_tui.runtime.child_process import Child, ChildError
from negotiation_tui.runtime.text import clip, plural, printable, quoted
from negotiation_tui.solvers.subgame_perfect import DISCOUNT

READY, TURNS = "says ready in time", "answers turn in time"
ONCE = "answers each question once"
END = "goes on after end, which needs no answer"
READS = "writes answers that can be read"
AGAIN = "answers again after refused"
ASKS = "answers ask in time"
CALM = "forgets an ask in the middle of a negotiation"
NEWER = "ignores unknown first words, and new keys at the end of a line"
REPEATS = "repeats its answers in a new process"
LEAVES = "leaves no process behind"
ORIGINAL, HIDDEN = Scenario.original(), Scenario.with_hidden_limits()
GAMES = {
    "plays at other prices": Scenario.of("10x7"),
    "plays at prices with gaps, some negative": gaps(more=-5),
    "plays after limits became hidden": HIDDEN,
    "plays 100 rounds": Scenario.from_dict({"name": "long", "prices": 5, "rounds": 100}),
}
OPENING, REPLY = (Position.after(ORIGINAL, *at) for at in ((Role.SELLER, ()), (Role.BUYER, (3,))))
ASKED = 40  # the most questions off any path per role
SECONDS = 5.0  # for a part; later it asks no more questions
QUIET = 0.2  # seconds in which no line may follow
SHOWN, WIDTH = 6, 120  # the lines of an exchange, and their characters
_HINTS = {
    TURNS: "; did it flush its output?",
    AGAIN: "; write another answer if refused ends with one more try",
    ASKS: "; answer ask as you answer turn",
}
_WORDS = {"id", "ready", "say", "belief", "move", "odds"}


class _Over(Exception):  # noqa: N818 - no error
    """A part of the check ends early."""


class _Recorded(Child):
    """A program whose lines and times are noted."""

    def __init__(self, table: "_Table", words: Sequence[str], farewell: str) -> None:
        super().__init__(words, farewell)
        self._table, self._sent, table.child = table, 0.0, self

    def send(self, line: str) -> None:
        newer = self._table.part == NEWER and line.startswith(("game", "turn", "ask"))
        for each in ("novelty 1 2", f"{line} novelty 1") if newer else (line,):
            self._table.lines.append(f"> {each}")
            super().send(each)
        self._sent = time.monotonic()

    def receive(self, seconds: float) -> str:
        line = super().receive(min(seconds, self._table.most))
        self._table.lines.append(f"< {line}")
        if line.startswith(("move", "odds")):
            self._table.took.append(time.monotonic() - self._sent)
        return line


class _Table:
    """A program that is checked, and the first failure of each check."""

    child: _Recorded

    def __init__(self, words: Sequence[str], seed: int, seconds: float) -> None:
        self.words, self.seed, self.seconds = words, seed, seconds
        self.most = 2 * seconds  # for a line; twice, because of `ready`; less after silence
        self.broken: dict[str, Check] = {}
        self.lines, self.took = list[str](), list[float]()

    @contextmanager
    def seat(
        self, part: str = "", role: Role = Role.SELLER, usual: Sequence[str] = (), drawn: int = 1
    ) -> Iterator[Seat]:
        """Seat a new process for a part of the check, which gets the failures that are new.

        With `usual` the answers to `play` must be these. `drawn` is the program's seed.
        """
        self.lines.clear()
        self.part, self.role, self.until = part, role, time.monotonic() + SECONDS
        self.answers, self.usual, self.drawn = list[str](), [*usual], drawn
        seat = Seat(self.words, role, self.seconds, DISCOUNT, partial(_Recorded, self))
        try:
            yield seat
        except _Over:
            pass
        except BadInputError as error:
            hint = " Does it wait for more input (mawk: add -W interactive)?"
            hint *= "in time" in str(error)
            self.breaks(READY, f"{error}{hint}")
        finally:
            seat.close()

    def breaks(self, name: str, why: str) -> None:
        if name not in self.broken:
            name = self.part or name
            exchange = tuple(clip(printable(line), WIDTH) for line in self.lines[-SHOWN:])
            self.broken.setdefault(name, Check(name, why, exchange))

    def result(self, name: str) -> Check:
        return self.broken.get(name, Check(name))

    def ask(self, seat: Seat, position: Position, word: str = "turn") -> int:
        """Return the move; note the failures of the answer. Raises _Over if no answer comes."""
        rng: Any = SimpleNamespace(integers=lambda _most: self.drawn, random=lambda: 0.5)
        move, reply = seat.move(position, rng) if word == "turn" else (-1, seat.ask(position, rng))
        asked = [n for n, line in enumerate(self.lines) if line.startswith(f"> {word}")]
        since = self.lines[asked[-1] if asked else 0 :]
        where = f"{position.role} in {position.scenario.origin.name}: "
        limits = position.scenario.origin.limits[position.role.other]
        written = [line[2:] for line in since if line.startswith("<")]
        for line in written:
            try:
                haggle.answer_of(line, position)
            except haggle.RefusedError as error:
                name, why = _refused(line, position, error)
                self.breaks(name, where + why)
            if limits and "belief" in line[:6] and haggle.belief_of(line, limits.values) is None:
                why = "expected pairs of one of other-worths and a chance"
                self.breaks(READS, f"{where}{quoted(clip(line, 60))}: {why}")
        if reply.answer is None and not reply.why.startswith("refused"):
            again = any(line.startswith("> refused") for line in since)
            name = AGAIN if again else TURNS if word == "turn" else ASKS
            why = reply.why
            if "in time" in why:
                why = why.partition(";")[0] + _HINTS[name]
                self.most = min(self.most, max(SECONDS, 4 * max(self.took, default=0)))
            for line in written:
                if line.split(" ")[0] not in _WORDS:
                    why = f"{quoted(clip(line, 60))} is no answer: begin an answer with move"
            self.breaks(name, where + why)
            raise _Over
        return move

    def play(self, seat: Seat, game: Scenario, opener: Role, hard: bool = True) -> None:
        """Play against an opponent who never accepts."""
        rng = np.random.default_rng(self.seed)

        def choose(position: Position) -> int:
            if time.monotonic() > self.until:
                raise _Over
            if position.role is not self.role:
                offers = position.scenario.offers(position.role)
                best = offers[-1 if position.role is Role.SELLER else 0]
                offer = best if hard else int(rng.choice(offers))
                return position.scenario.walk_away if position.last_decision else offer
            if self.part == CALM:
                self.ask(seat, Position.after(position.scenario, self.role, ()), "ask")
            move = self.ask(seat, position)
            self.answers.append(self.lines[-1])
            if self.usual and (was := self.usual.pop(0)) != self.lines[-1]:
                self.breaks("", f"without that it answers {quoted(was[2:])}")
                raise _Over
            return move

        seat.ended(play_out(draw_limits(game, rng), opener, choose))

    def games(self, part: str, *games: Scenario) -> Check:
        """Play these games one after another in each role; then ask off any path in the last."""
        for role in Role:
            with self.seat(part, role) as seat:
                for game, opener, hard in product(games, Role, (False, True)):
                    self.play(seat, game, opener, hard)
            off = [each for each in positions(games[-1:], self.seed) if each.role is role]
            chosen = np.random.default_rng(self.seed).permutation(len(off))[:ASKED].tolist()
            with self.seat(part, role) as seat:
                while chosen and time.monotonic() < self.until and ASKS not in self.broken:
                    self.ask(seat, off[chosen.pop()], "ask")
        return self.result(part)

    def negotiate(self, part: str, usual: Sequence[str] = (), drawn: int = 1) -> list[str]:
        """Return all answers of two negotiations."""
        with self.seat(part, usual=usual, drawn=drawn) as seat:
            for opener in Role:
                self.play(seat, ORIGINAL, opener)
            if part == NEWER:
                self.quiet(NEWER, "unknown words")
        return [*self.answers]

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
        raise _Over

    def other_role(self) -> Check:
        position = Position.after(gaps(), Role.SELLER, (17,))
        with self.seat("plays the other role after a new game") as seat:
            self.ask(seat, Position.after(gaps(), Role.SELLER, ()))
            self.child.send(haggle.game_line(gaps(), Role.BUYER, DISCOUNT, self.seconds))
            self.child.send("negotiation 2")
            self.child.send(haggle.question_line("turn", position))
            try:
                while haggle.answer_of(self.child.receive(self.seconds), position) is None:
                    pass
            except (ChildError, haggle.RefusedError) as error:
                self.breaks("", f"{error}; the newest game line names its role")
        return self.result(self.part)

    def leave(self, part: str) -> Check:
        with self.seat(part) as seat:
            self.ask(seat, OPENING)
            self.child.send("quit") if "quit" in part else self.child.end_input()
            itself, others = self.child.goes_on(1.0)
            if itself:
                self.breaks("", "it goes on: leave the loop there")
            elif others:
                self.part = LEAVES
                self.breaks("", "a process that it started goes on: end it, or wait for it")
        return self.result(part)


def check_program(
    spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0, seconds: float = haggle.SECONDS
) -> Iterator[Check]:
    """Run every check in turn, also in the given scenarios; `seconds` is the time for an answer.

    If it fails the first questions, the other checks are left out. Raises BadInputError if there
    is no such program.
    """
    table = _Table(from_spec(spec).words, seed, seconds)
    try:
        Child(table.words, "quit").close()
    except BadInputError as error:
        yield Check("starts", f"{error}; a script begins with #! and its interpreter")
        return
    yield Check("starts")
    with table.seat() as seat:
        table.ask(seat, OPENING)
        table.quiet(ONCE, "the answer")
        table.child.send("end walk buyer round 1 reward 0")
        table.quiet(END, "end")
        table.ask(seat, REPLY)
        table.quiet(ONCE, "the answer")
    first = READY, TURNS, ONCE, END  # what fails there makes others fail
    for at, name in enumerate(first):
        if name in table.broken:
            yield from map(table.result, first[: at + 1])
            return
    for scenario in dict.fromkeys((ORIGINAL, HIDDEN, *scenarios)):
        table.games("", scenario)
    legal = READS, OPENS, CLOSES, INSIDE
    refused = [AGAIN] * any(name in table.broken for name in legal)
    yield from map(table.result, (*first, *legal, *refused, ASKS))
    usual, same, other = (table.negotiate(REPEATS, drawn=drawn) for drawn in (1, 1, 2))
    repeats = all(map(operator.eq, usual, same))  # the time may end one of them early
    steady = usual if repeats and all(map(operator.eq, usual, other)) else []
    if steady and ASKS not in table.broken:
        table.negotiate(CALM, steady)
        yield table.result(CALM)
    for part, game in GAMES.items():
        yield table.games(part, ORIGINAL, game)
    yield table.other_role()
    table.negotiate(NEWER, steady)
    yield table.result(NEWER)
    yield table.leave("ends within a second after quit")
    yield table.leave("ends within a second at the end of its input")
    yield table.result(LEAVES)
    note = "draws without the seed: runs with it will not repeat"
    yield table.result(REPEATS) if repeats or REPEATS in table.broken else Check(note)
    took = [f"{1000 * of(table.took):.3g} ms" for of in (median, max)]
    questions = plural(len(table.took), "question")
    yield Check(f"answers in {took[0]} (median), {took[1]} at most: {questions}")


def _refused(line: str, position: Position, error: haggle.RefusedError) -> tuple[str, str]:
    """Return the check that a refused answer fails, and how to mend it."""
    if not isinstance(error, haggle.IllegalError):
        return READS, f"{quoted(clip(line, 60))}: {error}"
    words = line.split(" ")
    if position.standing_offer is None and {"accept", "walk"} & {*words}:
        return OPENS, "accepts or walks away at the opening; make an offer if standing is -"
    if position.last_decision and "offer" in words:
        return CLOSES, "makes an offer at the last decision; accept or walk there"
    return (
        INSIDE,
        "offers or accepts a price outside its range; compare it with range in each question",
    )
