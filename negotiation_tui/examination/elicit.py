"""Ask a program for its whole policy: each decision in two passes, real negotiations between them.

The decisions of a limit are asked from the first one on: where an answer makes an offer, every
reply that the other may make leads to a decision that the program can reach. Each of the two passes
has a process and an order of its own, and for each decision a history of its own, in which the
program made offers that it gave as answers. The time is shared out by the number of questions, once
each decision has an answer: without one no mark is known.

Each drawn thing has random numbers of its own, and a wave of questions is drawn before the first is
asked. So the answers decide what is asked, and not who asks it when.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, ClassVar, NamedTuple

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
CHANGED, POSITION, TABLE, TEST, TALKED = 3, 4, 5, 6, 10
"""The numbers of other things that are drawn; `TALKED` is that of the first sentence."""
Draws = Callable[..., np.random.Generator]
"""The random numbers of a thing that is drawn, by its numbers."""


class Inquiry(NamedTuple):
    """A unit of what is asked: a decision with its retry, or a negotiation."""

    key: tuple[int, ...]
    run: Callable[[Seat], Any]


class LateError(Exception):
    """There is no time for another question."""


class Asker:
    """The source of answers: one seat, which is asked question by question."""

    in_waves = False  # True if all questions of a wave are drawn before the first is asked
    progress: Callable[[], object] = staticmethod(lambda: None)  # after each unit that is asked
    draws: Draws

    def __init__(
        self, new_seat: Callable[[], Seat], seed: Sequence[int], clock: Callable[[], float] = float
    ) -> None:
        self._new_seat, self._clock = new_seat, clock
        rng = np.random.default_rng(seed)
        self.draws = lambda *_: rng  # all things share it

    def clock(self) -> float:
        """Return the seconds of this role so far."""
        return self._clock()

    def pace(self, manners: Manners) -> float:
        """Return the seconds per question so far."""
        return manners.seconds / manners.questions

    def begin(self, late: Callable[[], bool], manners: Manners | None) -> None:
        """Begin a work with new processes. Without manners its failures do not count."""
        self._seat, self._late = self._new_seat(), late
        self._seat.manners = manners or Manners()

    def wave(self, tasks: Sequence[Inquiry]) -> Iterator[tuple[Inquiry, Any]]:
        """Yield the tasks that are answered, in their order, with what they return."""
        for task in tasks:
            if self._late():
                raise LateError
            yield task, task.run(self._seat)

    def offers(self, _key: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the offers before a decision that was asked in an earlier run."""
        return None

    def cuts(self) -> bool:
        """True if a negotiation is left, because the time is over."""
        return self._late()

    def end(self) -> None:
        """End the processes."""
        self._seat.close()


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
    draws: Draws
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
    over: bool = False  # True if there was no time for some question
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
        if len(positions) <= source:
            rng = self.draws(POSITION, source, *decision)
            for _ in range(TRIES):
                position = self._position(*decision, rng)
                if position not in positions:
                    positions.append(position)
                if len(positions) > source:
                    break
        position = positions[min(source, len(positions) - 1)]
        return replace(position, heard=self.heard) if self.heard and position.ply else position

    def asked_before(self, decision: DecisionPoint, source: int, prices: tuple[int, ...]) -> None:
        """Take the position of a question that was asked in an earlier run, if it is one."""
        positions = self._positions.setdefault(decision, [])
        with suppress(ValueError, LookupError):
            position = self._after_offers(decision, prices)
            known = len(positions) != source or position in positions
            if not known and DecisionPoint.of(position) == decision:
                positions.append(position)

    def _after_offers(self, decision: DecisionPoint, prices: tuple[int, ...]) -> Position:
        opener = self.role if decision.opened else self.role.other
        return Position.after(self.scenario.views[self.role][decision.limit], opener, prices)

    def after_words(self, heard: str) -> "Elicited":
        """Return a place for answers in the same positions, after these words."""
        elicited = Elicited(self.scenario, self.role, self.draws, manners=self.manners, heard=heard)
        elicited._positions = self._positions
        return elicited

    def _position(
        self, limit: int, opened: bool, number: int, standing: int, rng: np.random.Generator
    ) -> Position:
        """Return a position of a decision, after offers that the program gave as answers."""
        at: list[int] = []
        for n in range(number):
            offers = self._offered[limit, opened, n]
            at += offers[rng.integers(len(offers))]
        at = (at[1:] if opened else at) + ([] if opened and not number else [standing])
        prices = tuple(self.scenario.prices[each] for each in at)
        return self._after_offers(DecisionPoint(limit, opened, number, standing), prices)

    @property
    def answers(self) -> Answers:
        """The answers to the questions of both passes, as the marks need them."""
        game, rng = self.scenario, self.draws(TABLE)
        halves = np.zeros((2, game.n_rows(self.role), game.n_actions), np.int64)
        odds = np.zeros(halves.shape[1:])
        for half, source in zip(halves, self.sources, strict=False):
            for decision, given in source.items():
                row = self.position(decision, 0).row
                if decision not in self.by_moves:
                    odds[row] = given[0]
                    continue
                for chances in given:  # among answers by moves, odds count as a drawn action
                    half[row, rng.choice(game.n_actions, p=chances)] += 1
        return Answers(game, self.role, halves, odds)


@dataclass
class _Noting(Listener):
    """A program in a negotiation, whose answers are noted."""

    seat: Seat
    opponent: str
    limit: int  # the index of the opponent's limit
    late: Callable[[], bool]
    answers: list[tuple[Position, Answer]] = field(default_factory=list)
    transcript: Transcript | None = None

    def act(self, position: Position, rng: np.random.Generator) -> int:
        if self.late():
            raise LateError
        action, answer = self.seat.move(position, rng)
        self.answers.append((position, answer))
        return action

    def ended(self, transcript: Transcript, _role: Role) -> None:
        self.transcript = transcript
        self.seat.ended(transcript)


def elicit(
    elicited: Elicited,
    asker: Asker,
    opponents: Sequence[tuple[str, TabularPolicy]],
    ask: int,
    end: float,
) -> None:
    """Let a program play and answer until the end by the asker's clock, so perhaps a sample.

    Each decision is asked `ask` times, once per pass if the answers are odds; with talk also once
    after each sentence.
    """
    scenario = elicited.scenario
    sentences = [*[""] * asker.in_waves, *SENTENCES.values()] if scenario.talk else []
    elicited.talked = tuple(map(elicited.after_words, sentences))
    counts = scenario, elicited.role, len(opponents)
    works: list[Callable[[Asker], Iterator[None]]] = [
        partial(_asked, elicited, 0, (ask + 1) // 2),
        partial(_played, elicited, opponents),
        partial(_asked, elicited, 1, ask // 2),
        *(partial(_talked, elicited, n) for n in range(len(elicited.talked))),
        partial(_changed, elicited),
    ]
    shares = [_questions(*counts, n, asker.in_waves) for n in (2, ask)]  # odds: once per pass
    for n, work in enumerate(works):

        def late(n: int = n, begun: float = asker.clock()) -> bool:
            ahead = shares[bool(elicited.by_moves)][n:]
            until = begun + ahead[0] / sum(ahead) * (end - begun)
            first = len(elicited.sources[0]) < len(elicited.reachable)
            return asker.clock() >= (end if first else until)

        asker.begin(late, elicited.manners if n + 1 < len(works) else None)
        try:
            for _ in work(asker):
                pass
        except LateError:
            elicited.over = True
        finally:
            asker.end()


def _answered(elicited: Elicited, asker: Asker, tasks: Sequence[Inquiry]) -> Iterator[Any]:
    """Yield the tasks with their answers; note if there was no time for one."""
    left = len(tasks)
    for each in asker.wave(tasks):
        left -= 1
        yield each
    elicited.over |= left > 0


def questions_ahead(
    scenario: Scenario, role: Role, n_opponents: int, ask: int, in_waves: bool = True
) -> tuple[int, int]:
    """Return about how many questions a role is asked if it answers by odds, and by moves."""
    most, least = (_questions(scenario, role, n_opponents, n, in_waves) for n in (ask, 2))
    least[1] = least[1] * (scenario.rounds + 1) // (2 * scenario.rounds)
    return sum(least), sum(most)


def _questions(
    scenario: Scenario, role: Role, n_opponents: int, ask: int, in_waves: bool
) -> list[int]:
    """Return about how many questions each work of `elicit` takes if the answers are moves."""
    openers, rounds, n_tables = scenario.opener.roles, scenario.rounds, scenario.n_tables(role)
    standing, played = len(scenario.offers(role.other)), n_opponents * len(openers) * MEETINGS
    faced = sum(rounds - (opener is role) for opener in openers) * standing + (role in openers)
    asked = [n * n_tables * faced for n in ((ask + 1) // 2, ask // 2)]
    talked = [n_tables * faced] * (in_waves + len(SENTENCES)) * scenario.talk
    return [asked[0], played * n_tables * rounds, asked[1], *talked, len(_CHANGES) * MOVED]


def _played(
    elicited: Elicited, opponents: Sequence[tuple[str, TabularPolicy]], asker: Asker
) -> Iterator[None]:
    """Play against each opponent, with each opener and own limit; yield after each negotiation."""
    game, role = elicited.scenario, elicited.role
    limits, chances = range(game.n_tables(role)), game.chances(role.other)
    meetings = [*product(opponents, game.opener.roles, limits)] * MEETINGS
    elicited.meetings.update(name for (name, _), *_ in meetings)

    def play(at: int, other: int, seat: Seat) -> _Noting:
        (name, table), opener, own = meetings[at]
        rng = elicited.draws(PLAY, 1 + at, 1)
        noting = _Noting(seat, name, other, asker.cuts)
        with suppress(LateError):
            if role is Role.SELLER:
                negotiate(game.drawn(own, other), noting, table, opener, rng)
            else:
                negotiate(game.drawn(other, own), table, noting, opener, rng)
        return noting

    order = elicited.draws(PLAY).permutation(len(meetings))
    for some in _waves(asker, order):
        tasks = list[Inquiry]()
        for at in some:
            other = int(elicited.draws(PLAY, 1 + at).choice(len(chances), p=chances))
            tasks.append(Inquiry((PLAY, at), partial(play, at, other)))
        for _, noting in _answered(elicited, asker, tasks):
            for position, answer in noting.answers:
                elicited.note(PLAY, position, answer)
                if answer.belief is not None:
                    stated = position, answer.belief, noting.limit
                    elicited.beliefs.setdefault(noting.opponent, []).append(stated)
            if noting.transcript:
                elicited.played.append((noting.opponent, noting.transcript))
            yield


def _waves(asker: Asker, order: np.ndarray) -> list[list[int]]:
    return [order.tolist()] if asker.in_waves else order[:, None].tolist()


def _asked(
    elicited: Elicited, source: int, times: int, asker: Asker, work: int | None = None
) -> Iterator[None]:
    """Ask each decision that is reachable, in a random order; yield after each answer."""
    work = source if work is None else work
    for n in range(times):
        asked = elicited.reachable - elicited.by_moves if n else set[DecisionPoint]()
        given, wave = elicited.given, 0
        if asked == elicited.reachable:  # all by odds: once is enough
            break
        while pending := sorted(elicited.reachable - asked):
            order, wave = elicited.draws(work, n, wave).permutation(len(pending)), wave + 1
            for some in _waves(asker, order):
                positions, tasks = dict[tuple[int, ...], Position](), list[Inquiry]()
                for decision in (pending[at] for at in some):
                    key = work, *map(int, decision), n
                    if (offers := asker.offers(key)) is not None:
                        elicited.asked_before(decision, source, offers)
                    positions[key] = position = elicited.position(decision, source)
                    if asker.in_waves and not work:  # before later answers, however many
                        elicited.position(decision, 1)
                    ask = partial(Seat.ask, position=position, rng=elicited.draws(*key))
                    tasks.append(Inquiry(key, ask))
                for task, answer in _answered(elicited, asker, tasks):
                    elicited.note(source, positions[task.key], answer)
                    yield
            asked.update(pending)
        if elicited.given == given:  # nothing was answered, however often it is to be asked
            break


def _talked(elicited: Elicited, n: int, asker: Asker) -> Iterator[None]:
    """Ask after words what was asked without them, and what the answers now lead to."""
    after = elicited.talked[n]
    after.reachable.update(elicited.sources[0])
    yield from _asked(after, 0, 1, asker, TALKED + n)


class Follows(NamedTuple):
    """The number of answers that stay alike if all prices change, of those that never varied."""

    change: str
    alike: int
    asked: int


def _changed(elicited: Elicited, asker: Asker) -> Iterator[None]:
    """Ask some decisions again, with all prices 100 higher, and ten times as high."""
    game, role = elicited.scenario, elicited.role
    first, second, _ = elicited.sources
    answers = {each: np.array(given + second.get(each, [])) for each, given in first.items()}
    known = sorted(each for each, given in answers.items() if np.ptp(given, axis=0).max() == 0)
    order = elicited.draws(CHANGED).permutation(len(known))
    if asker.in_waves:  # much the same ones, whichever others are known
        order = np.argsort([elicited.draws(CHANGED, 1, *each).random() for each in known])
    some = [known[at] for at in sorted(order[:MOVED].tolist())]
    for number, (change, times, more) in enumerate(_CHANGES):
        if max(map(abs, game.prices)) * times + more > MAX_AMOUNT:
            continue
        elsewhere, before, n, alike = game.moved(times, more), elicited.follows, 0, 0
        for part in _waves(asker, np.arange(len(some))):
            tasks = []
            for decision in (some[at] for at in part):
                position = elicited.position(decision, 0)
                offers = tuple(times * each + more for each in position.offers)
                opener = role if decision.opened else role.other
                moved = Position.after(elsewhere.views[role][decision.limit], opener, offers)
                key = CHANGED, number, *map(int, decision)
                ask = partial(Seat.ask, position=moved, rng=elicited.draws(*key))
                tasks.append(Inquiry(key, ask))
            for task, answer in asker.wave(tasks):
                was = answers[DecisionPoint(task.key[2], bool(task.key[3]), *task.key[4:])][0]
                n, alike = n + 1, alike + (not answer.why and np.allclose(answer.chances, was))
                elicited.follows = (*before, Follows(change, int(alike), n))
                yield


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
            asker = Asker(partial(Seat, self.player, role), [0])
            elicited = Elicited(scenario.with_opener, role, asker.draws)
            for source in (0, 1):
                asker.begin(lambda: False, elicited.manners)
                for _ in _asked(elicited, source, ASK // 2, asker):
                    elicited.manners.check_reached(self.spec)
                asker.end()
            elicited.manners.check(f"{self.spec} as the {role}")
            self._tables[scenario, role] = elicited.answers.table
        return self._tables[scenario, role]


def with_table(player: Strategy | None) -> Strategy | None:
    """Return a program as one that is asked for its table; another player as it is."""
    return AskedProgram(player.spec, player) if isinstance(player, ProgramPlayer) else player


def tabular_strategy(spec: str) -> Strategy | None:
    """Return the strategy of a spec as `strategy_from_spec` does, a program with its table."""
    return with_table(strategy_from_spec(spec))
