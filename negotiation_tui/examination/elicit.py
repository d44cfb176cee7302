"""Ask a program for its whole policy: each decision in two passes, real negotiations between them.

The decisions of a limit are asked from the first one on: where an answer makes an offer, every
reply that the other may make leads to a decision that the program can reach. Each of the two passes
has a process and an order of its own, and for each decision a history of its own, in which the
program made offers that it gave as answers. The time is shared out by the number of questions, once
each decision has an answer: without one no mark is known.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np

from negotiation_tui.examination.answers import Answers
from negotiation_tui.examination.defaults import ASK, SENTENCES
from negotiation_tui.game.limits import MAX_AMOUNT
from negotiation_tui.game.negotiation import Listener, Position, Transcript, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.players.haggle import Answer
from negotiation_tui.players.program import Manners, ProgramPlayer, Seat
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import own_dict
from negotiation_tui.strategies.base import Dependency, Strategy, UserSupplied

MEETINGS = 2  # negotiations per opponent, opener and own limit
MOVED = 20  # decisions that are asked again with other prices
_CHANGES = ("100 higher", 1, 100), ("ten times as high", 10, 0)  # of the prices
TRIES = 10  # to find another history
PLAY = 2  # the number of the answers in play among the sources


class DecisionPoint(NamedTuple):
    """A decision of a role; numbers and indices count from 0."""

    limit: int  # the index of its own limit
    opened: bool
    number: int  # of its decisions so far
    standing: int  # the grid index of the offer on the table; 0 at the opening

    @classmethod
    def of(cls, position: Position) -> "DecisionPoint":
        limit = position.scenario.limit_index(position.role)
        return cls(limit, position.opened, position.ply // 2, position.standing_offer_index)


@dataclass
class Elicited:
    """All that a program answered in a role of an opener-aware scenario."""

    scenario: Scenario
    role: Role
    rng: np.random.Generator
    sources: tuple[dict[DecisionPoint, list[Floats]], ...] = field(
        default_factory=lambda: ({}, {}, {})
    )
    """The chances of actions, an array per answer: in the first and second pass, and in play."""
    by_moves: set[DecisionPoint] = field(default_factory=set)
    """The decisions with an answer that was a move, not odds, which are exact."""
    beliefs: dict[str, list[tuple[Position, Floats, int]]] = field(default_factory=dict)
    """The beliefs stated in play, by opponent, as `calibration` takes them."""
    played: list[tuple[str, Transcript]] = field(default_factory=list)
    meetings: Counter[str] = field(default_factory=Counter)  # to be played, by opponent
    manners: Manners = field(default_factory=Manners)  # of all processes, but for other prices
    given: int = 0  # answers to questions
    follows: tuple["Follows", ...] = ()
    reachable: set[DecisionPoint] = field(default_factory=set)
    late: Callable[[], bool] = lambda: False  # true once there is no time for another question
    over: bool = False  # True if there was none for some question
    heard: str = ""  # the words of the other side before each question but that of the opening
    talked: tuple["Elicited", ...] = ()  # with talk, the answers after each of `SENTENCES`
    _offered: dict[tuple[int, bool, int], list[tuple[int, int]]] = field(default_factory=dict)
    """For each limit, part and number: the standing offers and the offers that were answered."""
    _moves: dict[int, Floats] = field(default_factory=dict)
    _positions: dict[DecisionPoint, list[Position]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for limit in range(self.scenario.n_tables(self.role)):
            for opener in self.scenario.opener.roles:
                first = [DecisionPoint(limit, True, 0, 0)], self._after(limit, False, -1)
                self.reachable.update(first[opener is not self.role])

    def note(self, source: int, position: Position, answer: Answer) -> None:
        """Note an answer, and the decisions that it can lead to."""
        decision, chances = DecisionPoint.of(position), answer.chances
        if not answer.by_odds:
            self.by_moves.add(decision)
            chances = self._moves.setdefault(int(chances.argmax()), chances)  # each held once
        self.sources[source].setdefault(decision, []).append(chances)
        self.given += source < PLAY
        offers = np.flatnonzero(chances[: position.scenario.accept]).tolist()
        if offers:
            known = self._offered.setdefault(decision[:3], [])
            known += [(decision.standing, offer) for offer in offers]
            self.reachable.update(self._after(*decision[:3]))

    def _after(self, limit: int, opened: bool, number: int) -> Iterator[DecisionPoint]:
        if number + 1 < self.scenario.rounds:
            for standing in self.scenario.offers(self.role.other):
                yield DecisionPoint(limit, opened, number + 1, standing)

    def position(self, decision: DecisionPoint, source: int) -> Position:
        """Return the position in which a decision is asked: after other offers in each pass."""
        positions = self._positions.setdefault(decision, [])
        for _ in range(TRIES):
            if len(positions) > source:
                break
            position = self._position(*decision)
            if position not in positions:
                positions.append(position)
        position = positions[min(source, len(positions) - 1)]
        return replace(position, heard=self.heard) if self.heard and position.ply else position

    def after_words(self, heard: str) -> "Elicited":
        """Return a place for answers in the same positions, after these words."""
        elicited = Elicited(self.scenario, self.role, self.rng, manners=self.manners, heard=heard)
        elicited._positions = self._positions
        return elicited

    def _position(self, limit: int, opened: bool, number: int, standing: int) -> Position:
        """Return a position of a decision, after offers that the program gave as answers."""
        at: list[int] = []
        for n in range(number):
            offers = self._offered[limit, opened, n]
            at += offers[self.rng.integers(len(offers))]
        at = (at[1:] if opened else at) + ([] if opened and not number else [standing])
        view = self.scenario.views[self.role][limit]
        opener = self.role if opened else self.role.other
        return Position.after(view, opener, tuple(view.prices[each] for each in at))

    @property
    def answers(self) -> Answers:
        """The answers to the questions of both passes, as the marks need them."""
        game = self.scenario
        halves = np.zeros((2, game.n_rows(self.role), game.n_actions), np.int64)
        odds = np.zeros(halves.shape[1:])
        for half, source in zip(halves, self.sources, strict=False):
            for decision, given in source.items():
                row = self.position(decision, 0).row
                if decision not in self.by_moves:
                    odds[row] = given[0]
                    continue
                for chances in given:  # among answers by moves, odds count as a drawn action
                    half[row, self.rng.choice(game.n_actions, p=chances)] += 1
        return Answers(game, self.role, halves, odds)


class _LateError(Exception):
    """A negotiation is left because its time is over."""


@dataclass
class _Noting(Listener):
    """A program in a negotiation, whose answers are noted."""

    seat: Seat
    elicited: Elicited
    opponent: str
    limit: int  # the index of the opponent's limit

    def act(self, position: Position, rng: np.random.Generator) -> int:
        if self.elicited.late():
            raise _LateError
        action, answer = self.seat.move(position, rng)
        self.elicited.note(PLAY, position, answer)
        if answer.belief is not None:
            stated = position, answer.belief, self.limit
            self.elicited.beliefs.setdefault(self.opponent, []).append(stated)
        return action

    def ended(self, transcript: Transcript, _role: Role) -> None:
        self.elicited.played.append((self.opponent, transcript))
        self.seat.ended(transcript)


def elicit(
    elicited: Elicited,
    new_seat: Callable[[], Seat],
    opponents: Sequence[tuple[str, TabularPolicy]],
    ask: int,
    seconds: float,
    clock: Callable[[], float],
    progress: Callable[[], None] = lambda: None,
) -> None:
    """Let a program play and answer for at most some seconds of a clock, so perhaps a sample.

    Each decision is asked `ask` times, once per pass if the answers are odds; with talk also once
    after each sentence. `progress` is called before each question.
    """
    scenario = elicited.scenario
    sentences = SENTENCES.values() if scenario.talk else ()
    elicited.talked = tuple(map(elicited.after_words, sentences))
    works: list[Callable[[Seat], Iterator[None]]] = [
        partial(_asked, elicited, 0, (ask + 1) // 2),
        partial(_played, elicited, opponents),
        partial(_asked, elicited, 1, ask // 2),
        *(partial(_talked, elicited, each) for each in elicited.talked),
        partial(_changed, elicited),
    ]
    counts = scenario, elicited.role, len(opponents)
    shares = _questions(*counts, 2), _questions(*counts, ask)  # odds are asked once per pass
    end = clock() + seconds
    for n, work in enumerate(works):
        seat, begun = new_seat(), clock()

        def late(n: int = n, begun: float = begun) -> bool:
            ahead = shares[bool(elicited.by_moves)][n:]
            until = begun + ahead[0] / sum(ahead) * (end - begun)
            return clock() >= (end if len(elicited.sources[0]) < len(elicited.reachable) else until)

        elicited.late = late
        if n + 1 < len(works):
            seat.manners = elicited.manners
        for _ in work(seat):
            progress()
            if late():
                elicited.over = True
                break
        seat.close()


def questions_ahead(scenario: Scenario, role: Role, n_opponents: int, ask: int) -> tuple[int, int]:
    """Return about how many questions a role is asked if it answers by odds, and by moves."""
    most, least = (_questions(scenario, role, n_opponents, each) for each in (ask, 2))
    least[1] = least[1] * (scenario.rounds + 1) // (2 * scenario.rounds)
    return sum(least), sum(most)


def _questions(scenario: Scenario, role: Role, n_opponents: int, ask: int) -> list[int]:
    """Return about how many questions each work of `elicit` takes if the answers are moves."""
    openers, rounds, n_tables = scenario.opener.roles, scenario.rounds, scenario.n_tables(role)
    standing, played = len(scenario.offers(role.other)), n_opponents * len(openers) * MEETINGS
    faced = sum(rounds - (opener is role) for opener in openers) * standing + (role in openers)
    asked = [n * n_tables * faced for n in ((ask + 1) // 2, ask // 2)]
    talked = [n_tables * faced] * len(SENTENCES) * scenario.talk
    return [asked[0], played * n_tables * rounds, asked[1], *talked, len(_CHANGES) * MOVED]


def _played(
    elicited: Elicited, opponents: Sequence[tuple[str, TabularPolicy]], seat: Seat
) -> Iterator[None]:
    """Play against each opponent, with each opener and own limit; yield before each negotiation."""
    game, role, rng = elicited.scenario, elicited.role, elicited.rng
    limits, chances = range(game.n_tables(role)), game.chances(role.other)
    meetings = [*product(opponents, game.opener.roles, limits)] * MEETINGS
    elicited.meetings.update(name for (name, _), *_ in meetings)
    for at in rng.permutation(len(meetings)).tolist():
        (name, table), opener, own = meetings[at]
        other = int(rng.choice(len(chances), p=chances))
        noting = _Noting(seat, elicited, name, other)
        yield
        with suppress(_LateError):
            if role is Role.SELLER:
                negotiate(game.drawn(own, other), noting, table, opener, rng)
            else:
                negotiate(game.drawn(other, own), table, noting, opener, rng)


def _asked(elicited: Elicited, source: int, times: int, seat: Seat) -> Iterator[None]:
    """Ask each decision that is reachable, in a random order; yield before each question."""
    rng = elicited.rng
    for n in range(times):
        asked = elicited.reachable - elicited.by_moves if n else set[DecisionPoint]()
        if asked == elicited.reachable:  # all by odds: once is enough
            break
        while pending := sorted(elicited.reachable - asked):
            for at in rng.permutation(len(pending)).tolist():
                position = elicited.position(pending[at], source)
                yield
                elicited.note(source, position, seat.ask(position, rng))
            asked.update(pending)


def _talked(elicited: Elicited, after: Elicited, seat: Seat) -> Iterator[None]:
    """Ask after words what was asked without them, and what the answers now lead to."""
    after.reachable.update(elicited.sources[0])
    yield from _asked(after, 0, 1, seat)


class Follows(NamedTuple):
    """The number of answers that stay alike if all prices change, of those that never varied."""

    change: str
    alike: int
    asked: int


def _changed(elicited: Elicited, seat: Seat) -> Iterator[None]:
    """Ask some decisions again, with all prices 100 higher, and ten times as high."""
    game, role, rng = elicited.scenario, elicited.role, elicited.rng
    first, second, _ = elicited.sources
    answers = {each: np.array(given + second.get(each, [])) for each, given in first.items()}
    known = sorted(each for each, given in answers.items() if np.ptp(given, axis=0).max() == 0)
    some = [known[at] for at in sorted(rng.permutation(len(known))[:MOVED].tolist())]
    for change, times, more in _CHANGES:
        if max(map(abs, game.prices)) * times + more > MAX_AMOUNT:
            continue
        elsewhere, alike, before = game.moved(times, more), 0, elicited.follows
        for n, decision in enumerate(some, 1):
            position = elicited.position(decision, 0)
            offers = tuple(times * each + more for each in position.offers)
            opener = role if decision.opened else role.other
            view = elsewhere.views[role][decision.limit]
            yield
            answer = seat.ask(Position.after(view, opener, offers), rng)
            alike += not answer.why and np.allclose(answer.chances, answers[decision][0])
            elicited.follows = (*before, Follows(change, alike, n))


@sealed(frozen=True)
class AskedProgram(UserSupplied):
    """A program that is asked for its whole table, for work that needs tables."""

    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})
    player: ProgramPlayer
    _tables: dict[tuple[Scenario, Role], TabularPolicy] = own_dict()

    def support(self, position: Position) -> Sequence[int]:
        return self.tabulated(position.scenario.origin, position.role).support(position)

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy:
        if (scenario, role) not in self._tables:
            elicited = Elicited(scenario.with_opener, role, np.random.default_rng(0))
            for source in (0, 1):
                seat = Seat(self.player, role)
                seat.manners = elicited.manners
                for _ in _asked(elicited, source, ASK // 2, seat):
                    elicited.manners.check_reached(self.spec)
                seat.close()
            elicited.manners.check(f"{self.spec} as the {role}")
            self._tables[scenario, role] = elicited.answers.table
        return self._tables[scenario, role]


def with_table(player: Strategy | None) -> Strategy | None:
    """Return a program as one that is asked for its table; another player as it is."""
    return AskedProgram(player.spec, player) if isinstance(player, ProgramPlayer) else player


def tabular_strategy(spec: str) -> Strategy | None:
    """Return the strategy of a spec as `strategy_from_spec` does, a program with its table."""
    return with_table(strategy_from_spec(spec))
