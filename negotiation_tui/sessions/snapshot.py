"""Snapshots of a two-agent session: immutable values that any thread may read, arrays included."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from numpy.typing import NDArray

from negotiation_tui.game.learned import NOTHING_LEARNED, LearnedOfBoth
from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.plan import Plan, bytes_of_plans, plan_of
from negotiation_tui.game.roles import Opener, Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Policies
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvs, Reached
from negotiation_tui.learning.spec import LEARNED, Specs, learns
from negotiation_tui.learning.statistics import CycleCounts, CycleStatistics, Learners
from negotiation_tui.players.run import Run
from negotiation_tui.players.spec import is_program
from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.runtime.status import Status
from negotiation_tui.sessions.answers import AnswersOfBoth
from negotiation_tui.sessions.human_player import PERSON, Score
from negotiation_tui.sessions.story.fact import Fact, Story
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.solvers.best_response import NashConv
from negotiation_tui.solvers.expected_play import Coins
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.strategies.registry import STRATEGIES

if TYPE_CHECKING:
    from negotiation_tui.learning.ancestry import Ancestry
    from negotiation_tui.learning.evaluation import Evaluation
    from negotiation_tui.learning.updates import Update

Equilibria = tuple[tuple[Equilibrium, ...], tuple[Equilibrium, ...]]
BothBeliefs = tuple[tuple[Belief, ...] | None, tuple[Belief, ...] | None]
"""Beliefs of the other role about each role's hidden limit, seller's limit first: before and after
each turn. None without hidden limits, and if the role plays by no table."""
_NO_STATISTICS = CycleCounts().statistics()
_SNAPSHOT, _BELIEF = 2250, 170  # bytes of these without their arrays


class GameKey(NamedTuple):
    """The place of a game on its line: a training has one line from each start."""

    episode: int = 0  # number of episodes of the training up to the game
    extra: int = 0  # number of games since the last episode; 0 for the episode itself

    @property
    def number(self) -> int:
        """The number of the game in `--at`: games after the training count on."""
        return self.episode + self.extra

    def follows(self, other: "GameKey") -> bool:
        """True if nothing was played between the other game and this one."""
        if self.extra:
            return other == (self.episode, self.extra - 1)
        return other.episode == self.episode - 1


@dataclass(frozen=True, slots=True)
class Negotiation:
    """A negotiation and its place in the training; finished, unless a person takes part."""

    key: GameKey
    transcript: Transcript
    learners: tuple[Role, ...] = ()  # the roles that learned from it
    epsilon: float = 0.0
    what_if: int | None = None  # the turn at which a what-if departs; None if it is none
    person: Role | None = None  # the role that a person plays, None without one
    beliefs: BothBeliefs = (None, None)
    specs: tuple[str, str] = (LEARNED, LEARNED)  # of the players, seller first

    @property
    def test(self) -> bool:
        """True for a negotiation by the present plans: nobody learns or explores."""
        return self.key.extra > 0

    @property
    def fixed(self) -> bool:
        """True if two fixed rules played it."""
        return not any(map(learns, self.specs))

    @property
    def nbytes(self) -> int:
        more = (_BELIEF + each.chances.nbytes for beliefs in self.beliefs for each in beliefs or ())
        return self.transcript.nbytes + sum(more)


@dataclass(frozen=True, slots=True)
class Course:
    """The moments of a timeline: numbers of episodes, or of recorded games."""

    now: int = 0
    end: int = 0  # the last moment that is planned
    stops: Sequence[int] = (0,)  # the moments at the ends of cycles, ascending, from 0 on
    unit: str = "cycle"  # the unit that a moment is named in; "game" if only games are known
    per: int = 1  # the length of a unit
    changes: tuple[tuple[int, str], ...] = ()  # moment and words of each change by the user
    goal: int = 0  # the moment up to which the present of a recording goes; 0 without one

    @property
    def behind(self) -> bool:
        """True of a present that is still on its way to the end of a recording."""
        return self.now < self.goal

    @property
    def last(self) -> int:
        """The present, or the end of the recording that leads to it."""
        return max(self.now, self.goal)

    def before(self, moment: int) -> int | None:
        n = bisect_left(self.stops, moment)
        return self.stops[n - 1] if n else None

    def after(self, moment: int) -> int | None:
        n = bisect_right(self.stops, moment)
        return self.stops[n] if n < len(self.stops) else None

    def named(self, moment: int) -> str:
        whole, rest = divmod(moment, self.per)
        return f"{self.unit} {whole + 1:,}, game {rest:,}" if rest else f"{self.unit} {whole:,}"


@dataclass(frozen=True, eq=False)
class Seating:
    """The players of both seats, now and before."""

    specs: tuple[str, str] = (LEARNED, LEARNED)  # of the player in each seat, seller first
    algorithms: tuple[str, str] = (LEARNED, LEARNED)  # of the last learner in each seat
    given: tuple[str, ...] = ()  # all so far that are not built in, such as files

    @classmethod
    def of(cls, specs: Sequence[str | None]) -> "Seating":
        """Return the seats with the player of each spec; None is Q-learning."""
        seating = cls()
        for role in Role:
            seating = seating.occupied(role, specs[role])
        return seating

    @property
    def strategies(self) -> Specs:
        """The spec of the strategy in each seat, seller first; None for a learner."""
        return pair(None if learns(spec) else spec for spec in self.specs)

    @property
    def has_program(self) -> bool:
        """True if a program plays: a negotiation may take long, and is not played again."""
        return any(map(is_program, self.specs))

    def occupied(self, role: Role, spec: str | None) -> "Seating":
        """Return the seats with another player in one; None is the learner that sat there last."""
        spec = spec or self.algorithms[role]
        specs = pair(spec if each is role else self.specs[each] for each in Role)
        algorithms = pair(new if learns(new) else self.algorithms[n] for n, new in enumerate(specs))
        outside = not learns(spec) and spec.split(":")[0] not in STRATEGIES
        return Seating(specs, algorithms, tuple(dict.fromkeys((*self.given, *[spec] * outside))))


@dataclass(frozen=True, eq=False)
class Theory:
    """The solutions of a game, and the distance of the present players from them."""

    equilibria: Equilibria = ((), ())  # per opener, one with each rule for breaking ties
    ceiling: float | None = None
    """The most that a rule could reach of the first best, undiscounted, if limits are hidden. The
    rule is incentive compatible and individually rational, without outside money. None if limits
    are known, before it is computed, or without scipy."""
    ceiling_with_waits: float | None = None
    """Likewise if a round counts the run's γ to both roles, so that deals may also wait."""
    nash_conv: NashConv | None = None  # None without tables, or if not evaluated yet
    coins: Coins | None = None  # of the present players; None likewise
    rules: Coins | None = None  # of the two fixed rules that open the story
    rule_tables: Policies = (None, None)  # of these


@dataclass(frozen=True, eq=False)
class Replies:
    """The answers to the questions that the user asked last."""

    past: "PastSnapshots | None" = None  # to `GoTo`, until the next command
    ancestry: "Ancestry | None" = None  # to `Explain`
    what_if: Negotiation | None = None  # to `WhatIf`
    tests: "tuple[Evaluation, ...]" = ()  # to `Test`: by the rules and as published
    tested: "Snapshot | None" = None  # the moment whose players these tests are of


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot:
    """The state of a two-agent session at one moment: a training, and parts with other makers.

    `negotiation` is the newest game. All else is as it was after that game, with the players of
    that game in both seats.
    """

    # The training, made by `RunTimeline` or by the timeline of a recording.
    scenario: Scenario
    parameters: Parameters = field(default_factory=Parameters)
    seed: int = 0
    line: int = 0  # number of starts before the one of this training: keys count from there
    recording: str | None = None  # the name of the file that is played back; None for a training
    opener: Opener = Opener.ALTERNATE
    negotiations: int = 0  # number of negotiations played in training so far
    extra: int = 0  # number of those since then from which nobody learned
    finished: bool = False  # True if all cycles are done; further negotiations are tests
    course: Course = field(default_factory=Course)
    agents: LearnedOfBoth = (NOTHING_LEARNED, NOTHING_LEARNED)  # by the last learner of each seat
    statistics: CycleStatistics = _NO_STATISTICS
    learners: Learners = ()  # the roles that learned, with the cycle from which on they did
    nash_convs: NashConvs = ()  # NashConv after the evaluated cycles, the same at any pace
    reached: tuple[Reached, ...] = ()  # with hidden limits: what was reached after these cycles

    run: Run | None = None  # with its changes; None if only games are known
    settings: tuple[tuple[str, Any], ...] = ()  # that can change, with their values; of ε now

    # Made by the session.
    seating: Seating = field(default_factory=Seating)
    negotiation: Negotiation | None = None  # the newest one, for the bar
    updates: "tuple[Update, ...] | None" = None  # that it brought; None if they were not noted
    score: Score | None = None  # the score of the person who plays; None if nobody does
    answers: AnswersOfBoth = (None, None)  # so far, of each player without a table
    unsaved: float = 0.0  # processor seconds of training since tables were saved
    thinking: tuple[Role, int] | None = None  # a role that is awaited, and whole seconds since
    replies: Replies = field(default_factory=Replies)
    status: Status = field(default_factory=Status)

    # Made by `NashConvMonitor`, the story by `Narrator`.
    policies: Policies = (None, None)  # of each strategy with a table; None for all others
    theory: Theory = field(default_factory=Theory)
    story: Story = field(default_factory=Story)

    @property
    def only_games(self) -> bool:
        """True of a recording that is not played again."""
        return self.course.unit == "game"

    @property
    def game(self) -> Scenario:
        return replace(self.scenario, opener=self.opener)

    @property
    def key(self) -> tuple[int, GameKey]:
        """The place of the snapshot: its line, and its game on that line."""
        return self.line, GameKey(self.negotiations, self.extra)

    def follows(self, other: "Snapshot") -> bool:
        """True if its negotiation, by the players of the other snapshot, came after that."""
        same = self.line == other.line and self.seating.specs == other.seating.specs
        return same and self.key[1].follows(other.key[1])

    @property
    def cycle(self) -> int:
        """The cycle of the last episode, from 1; 0 before the training."""
        return -(-self.negotiations // self.parameters.episodes)

    @property
    def told(self) -> Fact | None:
        """The fact that the game shows; None if it shows none."""
        story = self.story
        return story.caption if self.negotiation and story.key == self.negotiation.key else None

    @property
    def opens(self) -> bool:
        """True if two fixed rules play it, with which the story opens."""
        return self.told is not None and self.told.rules

    def by_rules(self, specs: tuple[str, str]) -> "Snapshot":
        """Return the snapshot with fixed rules in both seats, which open the story."""
        theory = replace(self.theory, nash_conv=None, coins=self.theory.rules)
        seating, agents = Seating.of(specs), (NOTHING_LEARNED, NOTHING_LEARNED)
        policies = self.theory.rule_tables
        return replace(self, seating=seating, agents=agents, theory=theory, policies=policies)

    @property
    def whole_cycles(self) -> CycleStatistics:
        """The finished rows of the statistics: the present, partial one would look like a fall."""
        every = self.statistics
        whole = self.negotiations // (self.parameters.episodes * every.period)
        rows = every.rows if whole <= len(every.rows) else every.counts
        return CycleStatistics(rows[:whole], every.period)

    def learned_plan(self, role: Role, limit: int = 0) -> Plan | None:
        """The plan, for the limit of an index, of the last learner in a seat; None without one."""
        learned = self.agents[role]
        if learned.nothing:
            return None
        return plan_of(self.scenario, role, learned, limit=limit)

    def plan(self, role: Role, position: Position | None = None, limit: int = 0) -> Plan | None:
        """The plan, for the limit of an index, of the player in a seat; None without one.

        A memory holds what it held in `position`, or nothing.
        """
        if self.seating.strategies[role] in {None, PERSON}:
            return self.learned_plan(role, limit)
        policy = self.policies[role]
        if policy is None:
            return None
        number = policy.number(position) if position else 0
        return plan_of(self.scenario, role, policy, number, limit)

    @property
    def arrays(self) -> Iterator[NDArray[Any]]:
        """The arrays of all parts, also those that are computed when they are needed."""
        yield self.statistics.rows
        moments = *(self.replies.past or ()), self.replies.tested
        parts = *self.agents, *self.answers, self.theory.nash_conv, *moments
        for part in filter(None, parts):
            yield from part.arrays

    def bytes_beyond(self, before: "Snapshot | None") -> int:
        """Return the bytes of a snapshot beyond those that it shares with the one before."""
        shared = {_owner(array) for array in before.arrays} if before else set()
        arrays = sum(array.nbytes for array in self.arrays if _owner(array) not in shared)
        new = [role for role in Role if not before or self.agents[role] not in before.agents]
        plans = sum(bytes_of_plans(self.scenario, role) for role in new)
        played = self.negotiation.nbytes if self.negotiation else 0
        return _SNAPSHOT + arrays + plans + played + 8 * len(self.nash_convs)


def _owner(array: NDArray[Any]) -> int:
    return id(array if array.base is None else array.base)


PastSnapshots = tuple[Snapshot, Snapshot | None]
"""Snapshots of an earlier moment and of one negotiation before it; None if there was none."""
