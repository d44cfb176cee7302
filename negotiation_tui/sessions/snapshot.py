"""Snapshots of a two-agent session: plain, immutable values that any thread may read.

Every field but the scenario has a default, so that a session names only what it knows. All arrays
are read-only.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
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
from negotiation_tui.learning.nash_conv_series import NashConvs, Reached
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.learning.statistics import CycleCounts, CycleStatistics, Learners
from negotiation_tui.sessions.human_player import PERSON, Score
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.solvers.best_response import NashConv
from negotiation_tui.solvers.subgame_perfect import Equilibrium
from negotiation_tui.strategies.registry import STRATEGIES

Tables = tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]
Equilibria = tuple[tuple[Equilibrium, ...], tuple[Equilibrium, ...]]
Beliefs = tuple[tuple[Belief, ...] | None, tuple[Belief, ...] | None]
"""Beliefs of the other role about each role's hidden limit, seller's limit first: before and after
each turn. None without hidden limits, and if the role plays by no table."""
_NO_STATISTICS = CycleCounts().statistics()


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


@dataclass(frozen=True, slots=True)
class Course:
    """The moments of a timeline, counted in negotiations, or in lines of a recording."""

    now: int = 0
    end: int = 0
    """The last moment that is planned."""
    stops: Sequence[int] = (0,)
    """The moments at the ends of cycles, ascending, from 0 on."""
    unit: str = "cycle"
    """The unit that a moment is named in."""
    per: int = 1
    """The length of a unit."""
    changes: tuple[tuple[int, str], ...] = ()
    """The user's changes: the moment of each, and a few words."""

    def before(self, moment: int) -> int | None:
        """Return the last stop before a moment; None if there is none."""
        n = bisect_left(self.stops, moment)
        return self.stops[n - 1] if n else None

    def after(self, moment: int) -> int | None:
        """Return the first stop after a moment; None if there is none."""
        n = bisect_right(self.stops, moment)
        return self.stops[n] if n < len(self.stops) else None

    def named(self, moment: int) -> str:
        """Return the name of a moment, such as "cycle 12"."""
        whole, rest = divmod(moment, self.per)
        return f"{self.unit} {whole:,}" + (f" + {rest:,}" if rest else "")


@dataclass(frozen=True, eq=False)
class Seating:
    """The players of both seats, now and before."""

    specs: tuple[str, str] = (LEARNED, LEARNED)
    """The spec of the strategy or learner in each seat, seller first."""
    algorithms: tuple[str, str] = (LEARNED, LEARNED)
    """The spec of the learner that sits in each seat, or sat there last."""
    given: tuple[str, ...] = ()
    """Specs of strategies that are not built in, such as files, and took a seat so far."""

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
        seller, buyer = (None if learns(spec) else spec for spec in self.specs)
        return seller, buyer

    def occupied(self, role: Role, spec: str | None) -> "Seating":
        """Return the seats with another player in one; None is the learner that sat there last."""
        spec = spec or self.algorithms[role]
        specs, algorithms, given = list(self.specs), list(self.algorithms), self.given
        specs[role] = spec
        if learns(spec):
            algorithms[role] = spec
        elif spec.split(":")[0] not in STRATEGIES:
            given = tuple(dict.fromkeys((*given, spec)))
        return Seating((specs[0], specs[1]), (algorithms[0], algorithms[1]), given)


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Snapshot(Seating, Status):
    """The state of a two-agent session at one moment."""

    scenario: Scenario
    parameters: Parameters = field(default_factory=Parameters)
    seed: int = 0
    recording: str | None = None
    """The name of the file that is played back; None for a training."""
    opener: Opener = Opener.ALTERNATE
    score: Score | None = None
    """The score of the person who plays; None if nobody does."""

    negotiations: int = 0
    """Number of negotiations played in training so far."""
    finished: bool = False
    """True if all cycles are done; further negotiations are tests."""
    negotiation: Negotiation | None = None
    what_if: Negotiation | None = None
    """The latest what-if."""
    course: Course = field(default_factory=Course)
    past: "Past | None" = None
    """The answer to `GoTo`, until the next command."""
    ancestry: Ancestry | None = None
    """The answer to the last `Explain`."""
    unsaved: float = 0.0
    """Processor seconds of training since tables were saved."""

    q_tables: Tables = (None, None)
    """The values of actions, shape (n_states, n_actions) each; None if no learner ever took the
    seat, or if it has no values."""
    learned_policies: Policies = (None, None)
    """The policy of each learner; None: greedy by its values."""
    policies: Policies = (None, None)
    """The table of each strategy; None for a learner, and for a strategy without a table."""
    statistics: CycleStatistics = _NO_STATISTICS
    learners: Learners = ()
    """The roles that learned, each time with the cycle from which on they did."""
    tests: tuple[Evaluation, ...] = ()
    """The results of the latest test: corrected and as published."""

    equilibria: Equilibria = ((), ())
    """Per opener, the equilibrium with each rule for breaking ties."""
    nash_conv: NashConv | None = None
    """NashConv of the players; None if they have no tables, or have not been evaluated yet."""
    nash_convs: NashConvs = ()
    """NashConv after the evaluated cycles, the same at any pace."""
    reached: tuple[Reached, ...] = ()
    """With hidden limits: what was reached after these cycles."""
    ceiling: float | None = None
    """The most that play by any rule could reach of the first best, if each role knows its own
    limit alone; None without hidden limits, before it is computed, or without scipy."""

    news: tuple[Fact, ...] = ()
    """The facts, not told yet, of the last cycle that had any; the most important first."""
    found: tuple[Fact, ...] = ()
    """All facts so far, in their order; of one cycle the most important first."""
    caption: Fact | None = None
    """The fact that the newest negotiation shows; None if it shows none."""

    @property
    def game(self) -> Scenario:
        """The scenario with the opener of this moment."""
        return replace(self.scenario, opener=self.opener)

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
