"""Snapshots of a two-agent session: plain, immutable values that any thread may read.

A `Snapshot` joins parts, one per subject. Every field but the scenario has a default, so that a
session names only what it knows. All arrays are read-only.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.plan import Plan, learned_plan, plan_of
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.ancestry import Ancestry
from negotiation_tui.learning.checkpoint import Policies, Specs
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.learning.nash_conv_series import NashConvs, Reached
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.learning.statistics import CycleStatistics, Learners
from negotiation_tui.sessions.human_player import PERSON, Score
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.time_line import TimeLine
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.solvers.best_response import NashConv
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.strategies.registry import STRATEGIES

Tables = tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]
Equilibria = tuple[tuple[Equilibrium, ...], tuple[Equilibrium, ...]]
Beliefs = tuple[tuple[Belief, ...] | None, tuple[Belief, ...] | None]
"""Beliefs of the other role about each role's hidden limit, seller's limit first: before and after
each turn. None without hidden limits, and if the role plays by no table."""
_NO_TIME = TimeLine()
_NO_STATISTICS = CycleStatistics(np.zeros((0, N_COUNTS), np.int64))


@dataclass(frozen=True, slots=True)
class Negotiation:
    """A negotiation and its place in the training; finished, unless a person takes part."""

    number: int
    """The number of negotiations so far, counting this one."""
    cycle: int
    """The cycle, from 0."""
    episode: int
    """The episode within the cycle, from 0."""
    learner: Role | None
    """The role that learned from the negotiation, one of them if both did; None if none did."""
    epsilon: float
    test: bool
    """True for a negotiation by the present plans: nobody learns or explores."""
    transcript: Transcript
    what_if: int | None = None
    """Index of the turn at which a what-if departs from the recorded negotiation; None if it is
    not a what-if."""
    person: Role | None = None
    """The role that a person plays, None without one."""
    together: bool = False
    """True if both roles learned from it."""
    beliefs: Beliefs = (None, None)

    def learned_from(self, role: Role) -> bool:
        """True if a role learned from the negotiation."""
        return self.learner is role or (self.together and self.learner is not None)


@dataclass(frozen=True, eq=False)
class TrainingSetup:
    """The rules and the training, fixed for a whole session."""

    scenario: Scenario
    parameters: Parameters = field(default_factory=Parameters)
    seed: int = 0
    recording: str | None = None
    """The name of the file that is played back; None for a training."""


@dataclass(frozen=True, eq=False)
class Seats:
    """The players of both seats, and who opens."""

    strategies: Specs = (None, None)
    """The spec of the strategy in each seat, seller first; None for a learner."""
    algorithms: tuple[str, str] = (LEARNED, LEARNED)
    """The spec of the learner that sits in each seat, or sat there last."""
    opener: Opener = Opener.ALTERNATE
    given: tuple[str, ...] = ()
    """Specs of strategies that are not built in, such as files, and took a seat so far."""
    score: Score | None = None
    """The score of the person who plays; None if nobody does."""
    policies: Policies = (None, None)
    """The table of each strategy; None for a learner, and for a strategy without a table."""

    def occupied(self, role: Role, spec: str | None) -> "Seats":
        """Return the seats with another strategy or learner in one.

        None is the learner that sat there last. `given` gets strategies that are not built in.
        """
        strategies, algorithms = list(self.strategies), list(self.algorithms)
        if spec is None or learns(spec):
            strategies[role], algorithms[role] = None, spec or algorithms[role]
        else:
            strategies[role] = spec
        given = self.given
        if spec and not learns(spec) and spec.split(":")[0] not in STRATEGIES:
            given = tuple(dict.fromkeys((*given, spec)))
        return replace(
            self,
            strategies=(strategies[0], strategies[1]),
            algorithms=(algorithms[0], algorithms[1]),
            given=given,
        )

    @property
    def specs(self) -> tuple[str, str]:
        """The spec of the strategy or learner in each seat, seller first."""
        seller, buyer = zip(self.strategies, self.algorithms, strict=True)
        return seller[0] or seller[1], buyer[0] or buyer[1]


@dataclass(frozen=True, eq=False)
class Progress:
    """The progress of the training, and the latest negotiations."""

    negotiations: int = 0
    """Number of negotiations played in training so far."""
    finished: bool = False
    """True if all cycles are done; further negotiations are tests."""
    negotiation: Negotiation | None = None
    what_if: Negotiation | None = None
    """The latest what-if."""
    time_line: TimeLine = _NO_TIME
    past: "Past | None" = None
    """The answer to `GoTo`, until the next command."""
    ancestry: Ancestry | None = None
    """The answer to the last `Explain`."""
    unsaved: float = 0.0
    """Processor seconds of training since tables were saved."""


@dataclass(frozen=True, eq=False)
class Learned:
    """The tables of the learners, the counts per cycle and the last test."""

    q_tables: Tables = (None, None)
    """The values of actions, shape (n_states, n_actions) each; None if no learner ever took the
    seat, or if it has no values."""
    learned_policies: Policies = (None, None)
    """The policy of each learner; None: greedy by its values."""
    statistics: CycleStatistics = _NO_STATISTICS
    learners: Learners = ()
    """The roles that learned, each time with the cycle from which on they did."""
    tests: tuple[Evaluation, ...] = ()
    """The results of the latest test: corrected and as published."""


@dataclass(frozen=True, eq=False)
class Theory:
    """The equilibria of the scenario, and the distance of the seats from equilibrium."""

    equilibria: Equilibria = ((), ())
    """Per opener, the equilibrium with each rule for breaking ties."""
    nash_conv: NashConv | None = None
    """NashConv of the players; None if they have no tables, or have not been judged yet."""
    nash_convs: NashConvs = ()
    """NashConv after the judged cycles, the same at any pace."""
    reached: tuple[Reached, ...] = ()
    """With hidden limits: what was reached after these cycles."""
    ceiling: float | None = None
    """The most that play by any rule could reach of the first best, if each role knows its own
    limit alone; None without hidden limits, before it is computed, or without scipy."""


@dataclass(frozen=True, eq=False)
class Story:
    """The facts of the training, as they are found and told."""

    news: tuple[Fact, ...] = ()
    """The facts, not told yet, of the last cycle that had any; the most important first."""
    found: tuple[Fact, ...] = ()
    """All facts so far, in their order; of one cycle the most important first."""
    caption: Fact | None = None
    """The fact that the newest negotiation shows; None if it shows none."""


@dataclass(frozen=True, eq=False)
class Status:
    """The state of the session itself: commands, notices and speed."""

    notice: str = ""
    """The latest message for the user."""
    notices: int = 0
    """Number of messages so far."""
    handled: int = 0
    """Number of commands carried out."""
    per_second: float | None = None
    """Negotiations per second, or ticks of a market; None unless running."""
    compiled: bool = False


@dataclass(frozen=True, eq=False)
class Snapshot(Status, Story, Theory, Learned, Progress, Seats, TrainingSetup):
    """The state of a two-agent session at one moment: the fields of all parts side by side."""

    @classmethod
    def of(
        cls, *parts: TrainingSetup | Seats | Progress | Learned | Theory | Story | Status
    ) -> "Snapshot":
        """Join the parts; missing parts have their defaults."""
        return cls(**{name: value for part in parts for name, value in vars(part).items()})

    def learned_plan(self, role: Role, limit: int = 0) -> Plan | None:
        """The plan of the learner that sits in a seat, or sat there last; None without one.

        `limit` is the index of a hidden limit.
        """
        values, policy = self.q_tables[role], self.learned_policies[role]
        return learned_plan(self.scenario, role, values, policy, limit)

    def plan(self, role: Role, position: Position | None = None, limit: int = 0) -> Plan | None:
        """The plan of the learner or the strategy in a seat, None without one.

        A memory holds what it held in `position`, or nothing. `limit` is the index of a hidden
        limit.
        """
        if self.strategies[role] in {None, PERSON}:
            return self.learned_plan(role, limit)
        policy = self.policies[role]
        if policy is None:
            return None
        number = policy.number(position) if position else 0
        return plan_of(self.scenario, role, policy, number, limit)


Past = tuple[Snapshot, Snapshot | None]
"""Snapshots of an earlier moment and of one negotiation before it; None if there was none."""
