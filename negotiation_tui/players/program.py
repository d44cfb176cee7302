"""A program of the user's in a seat, which is asked for each move by the protocol of `haggle`.

A program is started when its seat is first asked, and again after a failure, a few times. Whatever
it does, the negotiation goes on: two answers that are refused, silence, a crash or a flood are a
walk-away. At the opening, where the rules know none, the table offers the price that is worst for
the program.
"""

import os
import re
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from negotiation_tui.errors import BadInputError, NoAnswerError
from negotiation_tui.game.negotiation import Listener, Position, Spoken, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.players import haggle
from negotiation_tui.players.haggle import Answer
from negotiation_tui.players.spec import MOST_SAID, PROGRAM, words_of
from negotiation_tui.players.thread_state import of_thread
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.child_process import MOST_LINES, Child, ChildError, NoProgramError
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import own_dict
from negotiation_tui.runtime.text import clip, one_line, plural, quoted
from negotiation_tui.strategies.base import Dependency, UserSupplied

RESTARTS = 3
ILLEGAL = 20  # answers, all illegal or unreadable, after which no more are paid for
_READABLE = re.compile(r"(move|odds) (accept|walk|offer -?\d+)( |$)")
_KINDS = {
    "late": "no answer in ",
    "cut off": "cut off: ",
    "refused": "refused: ",
    "server's error": "server's error",
}
"""The kinds of failures, each with words of its reason; any other is that the program ended."""
IN_A_ROW = 3  # questions without an answer, after which a program counts as out of reach
UNANSWERED = 0.1  # the greatest share of questions without an answer, of a program with results
SeatLine = tuple[str, float, str]
"""A mark, seconds and a text: `>` was sent, `<` received, and `!` is why nothing was received."""
Start = Callable[[Sequence[str], str], Any]
Clock = Callable[[], float]
MOST_WORDS = 600  # characters of what was said, and of the reason for a failure
_WORDS = {"id", "about", "ready", "say", "belief", "move", "odds"}  # the first ones of its lines
MOST_KEPT = 1 << 14  # answers that looks back need not ask for again
_DIGITS = 6  # of a second
_SHOWN = 60  # characters of a line that a message shows


@dataclass
class Manners:
    """The behaviour of a program in a seat, counted."""

    questions: int = 0
    refused: int = 0  # answers that got one more try
    walked: int = 0  # questions whose second answer was refused too
    failures: int = 0  # questions without an answer
    in_a_row: int = 0  # the last questions, all without an answer
    seconds: float = 0.0  # for all answers
    longest: float = 0.0
    why: str = ""  # the reason for the last refusal or failure
    kinds: dict[str, int] = field(default_factory=dict)
    """The number of questions without a legal answer by the kind of the reason."""
    stated: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by it, as in `haggle.STATED`

    @property
    def lost(self) -> int:
        """The number of questions without a legal answer."""
        return self.walked + self.failures

    def __str__(self) -> str:
        kind = "a legal" if self.walked else "an"
        asked = plural(self.questions, "question")
        return f"{self.lost:,} of {asked} without {kind} answer: {self.why}"

    def lose(self, why: str, kind: str = "") -> None:
        """Count a question without a legal answer."""
        kind = kind or next((kind for kind, words in _KINDS.items() if words in why), "ended")
        self.why, self.kinds[kind] = why, self.kinds.get(kind, 0) + 1

    @property
    def by_kind(self) -> str:
        return ", ".join(f"{kind} {n}" for kind, n in sorted(self.kinds.items()))

    def check(self, who: str, most: float = UNANSWERED) -> None:
        """Raise NoAnswerError if all questions were lost, or more than a share `most` of them."""
        if self.lost > most * self.questions or 0 < self.lost == self.questions:
            raise NoAnswerError(f"{who}: {self}")

    def check_reached(self, who: str) -> None:
        """Raise NoAnswerError after failures in a row, or illegal answers alone.

        The rest would cost time or money.
        """
        if self.walked == self.questions >= ILLEGAL:
            raise NoAnswerError(f"{who}: stopped; {self}")
        if self.in_a_row >= IN_A_ROW:
            raise NoAnswerError(f"{who}: stopped after {IN_A_ROW} failures in a row; {self}")


class Seat:
    """A program in a role; one process at a time."""

    def __init__(
        self,
        of: "ProgramPlayer",
        role: Role,
        start: Start = Child,
        clock: Clock = time.monotonic,
        seeded: Callable[["Seat"], int] | None = None,
    ) -> None:
        """Be without a process yet. `seeded` names the seed of each one, instead of the play."""
        self.manners = Manners()
        self.lines: list[SeatLine] | deque[SeatLine] = deque(maxlen=0)
        """Lines since a start, for a reader that puts a list here."""
        self._role, self._start, self._clock = role, start, clock
        self._words, self._seconds, self._rate = of.words, of.seconds, of.discount_rate
        self._child: Any = None
        self._seeded, self.starts = seeded, 0
        self._number, self._rules, self._process = 0, "", os.getpid()
        self._path: tuple[int, ...] | None = None  # the offers of the negotiation that is played
        self._begun = False  # True if the program knows of this negotiation

    def ask(self, position: Position, rng: np.random.Generator | None = None) -> Answer:
        return self._question(position, "ask", rng or np.random.default_rng(0))

    def move(self, position: Position, rng: np.random.Generator) -> tuple[Spoken, Answer]:
        """Return the action in a negotiation, and the answer that it was drawn from.

        It is asked off any path if the position does not follow.
        """
        offers, prices = position.offers, position.scenario.prices
        follows = self._path is not None and len(offers) >= 2 and self._path == offers[:-1]
        begins = position.ply == len(offers) < 2
        self._begun = self._begun and not begins
        answer = self._question(position, "turn" if follows or begins else "ask", rng)
        action = _spoken(answer, rng)
        self._path = (*offers, prices[action]) if action < len(prices) else offers
        return action, answer

    def ended(self, transcript: Transcript) -> None:
        if self._begun and self._child is not None:
            if transcript.turns[-1].role is not self._role:
                self._tell(transcript.heard)
            self._child.send(haggle.end_line(transcript, self._role))
        self._path, self._begun = None, False

    def _tell(self, heard: str) -> None:
        if heard:
            self._send(haggle.heard_line(heard))

    def _send(self, line: str) -> None:
        self.lines.append((">", 0.0, line))
        self._child.send(line)

    def _receive(self, seconds: float) -> str:
        since = self._clock()
        try:
            mark, line = "<", one_line(self._child.receive(seconds))
        except ChildError as error:
            mark, line = "!", str(error)
        self.lines.append((mark, round(self._clock() - since, _DIGITS), line))
        if mark == "!":
            raise ChildError(line)
        return line

    def leave(self) -> None:
        """End the process for good, while another thread waits for its answer."""
        self.starts = RESTARTS + 1
        if (child := self._child) is not None:
            child.close()

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
        self._child, self._rules, self._path, self._begun = None, "", None, False

    def _question(self, position: Position, word: str, rng: np.random.Generator) -> Answer:
        manners, begun = self.manners, self._clock()
        manners.questions += 1
        of_thread.asked = self._role, time.monotonic()
        try:
            self._prepare(position, rng)
            if word == "turn" and not self._begun:
                self._number, self._begun = self._number + 1, True
                self._child.send(f"negotiation {self._number}")
            self._tell(position.heard)
            self._send(haggle.question_line(word, position))
            begun = self._clock()
            answer = self._listen(position)
            manners.in_a_row = 0
        except ChildError as error:
            self.close()
            manners.lose(str(error))
            manners.failures, manners.in_a_row = manners.failures + 1, manners.in_a_row + 1
            answer = _instead(position, manners.why)
        except BaseException:  # an answer may be on its way
            self.close()
            raise
        finally:
            of_thread.asked = None
        took = self._clock() - begun
        manners.seconds, manners.longest = manners.seconds + took, max(manners.longest, took)
        return answer

    def _listen(self, position: Position) -> Answer:
        """Return what the program answers to a question; the second refusal is the last."""
        manners, said, belief, tries, other = self.manners, "", None, 2, ""
        limits = position.scenario.origin.limits[self._role.other]
        until = self._clock() + self._seconds
        for _ in range(MOST_LINES):
            try:
                line = self._receive(until - self._clock())
            except ChildError as error:
                why = str(error).partition(";")[0] if tries < 2 else error  # it does flush
                raise ChildError(f"{other}{why}") from None
            try:
                if answer := haggle.answer_of(line, position):
                    return answer._replace(said=said, belief=belief)
            except haggle.RefusedError as error:
                tries, until = tries - 1, self._clock() + self._seconds
                why = f"refused {quoted(clip(line, _SHOWN))}: {error}"
                manners.refused, manners.why = manners.refused + 1, why
                if not tries:
                    manners.walked += 1
                    manners.lose(why, "illegal" if _READABLE.match(line) else "unreadable")
                    return _instead(position, why)._replace(said=said, belief=belief)
                self._send(f"{why}; one more try")  # the second, answered, would be a move
                other = f"{why}; then "
            if text := haggle.words_said(line):
                said = clip(f"{said} {text}".strip(), MOST_SAID)
            if limits and (stated := haggle.belief_of(line, limits.values)) is not None:
                belief = stated
            if line.split(" ")[0] not in _WORDS and tries == 2:
                other = f"{quoted(clip(line, _SHOWN))} is no answer, begin it with move: "
        raise ChildError(f"it wrote more than {plural(MOST_LINES, 'line')} for one question")

    def _prepare(self, position: Position, rng: np.random.Generator) -> None:
        try:
            self._ready(position, rng)
        except ChildError as error:
            self.lines.append(("!", 0.0, str(error)))
            raise

    def _ready(self, position: Position, rng: np.random.Generator) -> None:
        """Start the program if there is none, and tell it the rules if they changed."""
        if self._process != os.getpid():  # the threads of a seat are not copied
            self._child, self._rules, self._process = None, "", os.getpid()
        if self._child is None:
            if self.starts > RESTARTS:
                empty = f"; the seat is empty after {plural(self.starts, 'start')}"
                raise ChildError(self.manners.why.removesuffix(empty) + empty)
            self.starts += 1
            try:
                self._child = self._start(self._words, "quit")
                self._greet()
            except (NoProgramError, ChildError) as error:
                if self.starts > 1:
                    raise ChildError(str(error)) from None
                if isinstance(error, NoProgramError):
                    raise
                expected = f"{self._words[0]}: expected ready after haggle {haggle.VERSION}"
                raise NoProgramError(f"{expected}, got none: {error}") from None
            drawn = deepcopy(rng)  # the play draws the same, however often it starts
            seed = self._seeded(self) if self._seeded else drawn.integers(2**31)
            self._child.send(f"seed {seed}")
        game = position.scenario.origin
        rules = haggle.game_line(game, self._role, game.discount(self._rate), self._seconds)
        if rules != self._rules:
            self._child.send(rules)
            self._rules = rules

    def _greet(self) -> None:
        self._child.send(f"haggle {haggle.VERSION}")
        until = self._clock() + haggle.START_SECONDS
        for _ in range(MOST_LINES):
            line = one_line(self._child.receive(until - self._clock()))
            if stated := haggle.stated_of(line):
                key, text = stated
                earlier = self.manners.stated.get(key, ())
                self.manners.stated[key] = tuple(dict.fromkeys((*earlier, text)))
            if line.split(" ")[0] == "ready":
                return
        raise ChildError("it wrote no ready")


@sealed(frozen=True)
class ProgramPlayer(UserSupplied, Listener):
    """A program as a player; each role that it plays has a process of its own."""

    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "own", "opener", "history"})
    words: tuple[str, ...]
    seconds: float = haggle.SECONDS
    discount_rate: float | None = None  # that of the scenario
    seats: dict[Role, Seat] = own_dict()
    answers: dict[object, Answer] = own_dict()
    """The newest answers in negotiations, by the random state and the position."""

    def seat(self, role: Role) -> Seat:
        if role not in self.seats:
            self.seats[role] = Seat(self, role)
        return self.seats[role]

    def support(self, position: Position) -> Sequence[int]:
        """Ask off any path; return the actions that the answer makes possible."""
        return np.flatnonzero(self.seat(position.role).ask(position).chances).tolist()

    def act(self, position: Position, rng: np.random.Generator) -> int:
        seat = self.seat(position.role)
        moment = position.role, position.limit, position.offers, position.heard
        key = str(rng.bit_generator.state), *moment
        if of_thread.off_path:
            return _spoken(self.answers.get(key) or seat.ask(position, rng), rng)
        action, self.answers[key] = seat.move(position, rng)
        if len(self.answers) > MOST_KEPT:
            del self.answers[next(iter(self.answers))]
        return action

    def ended(self, transcript: Transcript, role: Role) -> None:
        if not of_thread.off_path:
            self.seat(role).ended(transcript)

    def __deepcopy__(self, _memory: dict[int, Any]) -> "ProgramPlayer":
        return self  # its processes cannot be copied

    def __reduce__(self) -> tuple[Any, ...]:
        return ProgramPlayer, (self.spec, self.words, self.seconds, self.discount_rate)


def _spoken(answer: Answer, rng: np.random.Generator) -> Spoken:
    """Return the action that is drawn from an answer, and the words."""
    said = " ".join(filter(None, (answer.said, answer.why and f"[{answer.why}]")))
    return Spoken(answer.drawn(rng), clip(said, MOST_WORDS), failed=bool(answer.why))


def _instead(position: Position, why: str) -> Answer:
    """Return the answer in the place of a player that gave none."""
    scenario, chances = position.scenario, np.zeros(position.scenario.n_actions)
    worst = scenario.offers(position.role)[0 if position.role is Role.SELLER else -1]
    chances[scenario.walk_away if position.ply else worst] = 1.0
    return Answer(chances, why=why)


def lost_answers(players: Iterable[object]) -> list[tuple[str, Manners]]:
    """Return the name and the manners of each program among players that lost a question."""
    return [
        (f"{player.spec} as the {role}", seat.manners)
        for player in players
        if isinstance(player, ProgramPlayer)
        for role, seat in sorted(player.seats.items())
        if seat.manners.lost
    ]


def tell_lost(players: Iterable[object]) -> None:
    """Print a line per program that lost a question; raise NoAnswerError if it never answered."""
    for who, manners in lost_answers(players):
        manners.check(who, most=1)
        notice(f"{who}: {manners}")


def told_discount(player: Occupant, rate: float) -> Occupant:
    """Return a program that is told a discount rate; another player as it is."""
    return replace(player, discount_rate=rate) if isinstance(player, ProgramPlayer) else player


def from_spec(spec: str) -> ProgramPlayer:
    """Return the player of a spec `cmd:PROGRAM ARGUMENTS`; BadInputError without such a program."""
    restricted.forbid(f"{spec}: code")
    try:
        words = tuple(words_of(spec))
    except ValueError as error:
        raise BadInputError(f"{spec}: it cannot be split into words: {error}") from None
    expected = "expected a program that can be run"
    if not words:
        raise BadInputError(f"{spec}: {expected}, got none; write {PROGRAM}./bot or such")
    if shutil.which(words[0]) is None:
        found = os.path.exists(words[0])  # noqa: PTH110 - the text of a command, not a path
        hint = "chmod +x makes it so" if found else "there is no such file"
        raise BadInputError(f"{spec}: {expected}, got {quoted(words[0])}; {hint}")
    return ProgramPlayer(spec, words)
