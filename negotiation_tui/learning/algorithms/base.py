"""The base classes of learners: settings that can be written as text, and how they learn."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Legal, Row, write_greedy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass, fields
from negotiation_tui.runtime.settings_text import Checked, among, setting, values_of, within
from negotiation_tui.solvers.reach import as_policy, legal_decisions, normalised
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import spec_of

Tables = dict[str, Floats]
IN_TURN, TOGETHER = SCHEDULES = "alternate", "together"
SCHEDULE = (
    "alternate: the roles learn in turn, against a frozen table; together: both in every cycle"
)
_AVERAGE, _LAST = OUTPUTS = "average", "last"
OUTPUT = "average: test, judge and save the average of its policies; last: its last policy"


def scheduled(default: str) -> Any:
    """Return the field `schedule` with another default."""
    return setting(default, SCHEDULE, among(SCHEDULES))


class SeatError(BadInputError):
    """A player can take its seat only once the training has changed, by the `remedy`."""

    remedy: ClassVar[str]


class NeedsOpenerError(SeatError):
    """The player must know which role opened."""

    remedy: ClassVar[str] = "the training begins again, with states that say who opened"


@dataclass(frozen=True)
class Algorithm(Checked, ABC):
    """A way of learning with its settings; an instance learns nothing itself."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line for a menu
    source: ClassVar[str]  # the publication that the algorithm comes from
    needs_opener: ClassVar[bool] = False  # True if it can learn only over opener-aware states
    prefers_opener: ClassVar[bool] = False
    """True if its trainings that name no states have these too, though it does not need them."""
    recipe: ClassVar[str] = "published"  # the recipe of its trainings that name none
    needs_known_limits: ClassVar[bool] = False  # True if it cannot learn with hidden limits
    first: ClassVar[tuple[str, ...]] = ()  # the settings of its first tables alone

    schedule: str = scheduled(IN_TURN)

    @property
    def steps(self) -> dict[str, float]:
        """The settings, with their values, that can change while it learns; α is the training's."""
        values, other = values_of(self), {"learning_rate", *self.first}
        return {n: x for n, x in values.items() if isinstance(x, float) and n not in other}

    def check(self, scenario: Scenario) -> None:
        """Raise BadInputError unless the states of a scenario are enough to learn over.

        A NeedsOpenerError says that opener-aware states would be.
        """
        if self.needs_known_limits and scenario.hidden:
            raise BadInputError(
                f"{self.name}: expected a scenario without hidden limits, got {scenario.name}, in"
                " which no table is a best response; choose learned:cfr or another learner"
            )
        if self.needs_opener and not scenario.opener_aware:
            raise NeedsOpenerError(
                f"{self.name}: expected states that say who opened, got those of {scenario.name};"
                " add --states opener-aware"
            )

    def check_opponent(self, strategy: Strategy | None) -> None:
        """Raise BadInputError if it cannot learn against a strategy; None stands for a learner."""


Occupant = Strategy | Algorithm


class How(NamedTuple):
    """The step of a value: to `1 − rate` of it comes `rate` of `factor` times an amount."""

    rate: float
    factor: float = 1.0
    amount: str = ""  # the name of the amount; empty for the end of the game


AT_BEST = "next: at best"  # the amount of learners that count on the best that can follow


def greedy_policy(
    tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row
) -> int:
    return write_greedy(tables[0], state, legal, row)


@dataclass(frozen=True)
class TabularAlgorithm(Algorithm):
    """A learner whose tables have an entry per state and action; numba can compile it."""

    n_tables: ClassVar[int] = 1
    policy: ClassVar[Callable[..., int]] = staticmethod(greedy_policy)
    """`policy(tables, settings, epsilon, state, legal, row) -> n`: write the actions that the
    learner plays in a state and their probabilities, and return their number. Called with ε = 0
    where it does not explore. Must not change `tables`. By default the best actions by table 0."""
    learn: ClassVar[Callable[..., None]]
    """`learn(tables, settings, legal, row, episode)`: learn from a negotiation; `row` is room for
    a row of `policy`. Must not change the policy of states that were not passed."""
    explores_itself: ClassVar[bool] = False  # True if `policy` explores, not the training
    draws: ClassVar[bool] = False  # True if `learn` uses `episode.draw`
    values: ClassVar[int | None] = 0  # the table of values of actions, for the heat map
    toward: ClassVar[str] = ""
    """The name of the amount that the value of a decision moves toward, but for the last, which
    moves toward the reward; empty for a learner that moves other numbers."""
    moves: ClassVar[tuple[int, ...]] = (0,)  # the tables of which one moves per decision
    at_end: ClassVar[bool] = False  # True if only the end of a game settles its values

    learning_rate: float = setting(0.0, "α, from 0 to 1; 0: that of the training")

    def how(self, settings: Any, tables: Any, at: int, last: bool, lowers: bool) -> How:
        """Return the step by which `learn` moved an entry, down if it `lowers` it."""
        return How(settings[RATE]) if last else How(settings[RATE], settings[DISCOUNT], self.toward)

    def write_first(self, tables: Floats, scenario: Scenario, role: Role, value: float) -> None:
        """Write the first values to tables of zeros, shape (n_tables, n_rows · n_actions)."""
        if value and self.values is not None:
            tables[self.values, legal_rows(scenario, role).ravel()] = value

    @property
    def settings(self) -> list[float]:
        """α, and the learner's own settings as numbers, in the order of its fields."""
        return [float(getattr(self, each.name)) for each in fields(self)[1:]]


@dataclass(frozen=True)
class SelfExploringAlgorithm(TabularAlgorithm):
    """A learner without values of actions, which explores by its own chances at any ε."""

    n_tables: ClassVar[int] = 2
    explores_itself: ClassVar[bool] = True
    values: ClassVar[int | None] = None

    schedule: str = scheduled(TOGETHER)


@dataclass(frozen=True)
class ExactAlgorithm(Algorithm):
    """A learner that is told the opponent's table, and computes instead of trying.

    Its tables, per hidden limit, are over decisions (`solvers.reach`); `last` is the policy.
    """

    needs_opener: ClassVar[bool] = True

    schedule: str = scheduled(TOGETHER)
    counts_as: int = setting(
        100, "episodes that one iteration counts as, 1 to 1,000,000", within(1, 1_000_000)
    )

    def check_opponent(self, strategy: Strategy | None) -> None:
        if strategy and "history" in strategy.depends_on:
            raise BadInputError(
                f"{self.name}: expected an opponent with a table, got {spec_of(strategy)}, which"
                " depends on the whole history; choose learned or a strategy such as boulware"
            )

    def begin(self, scenario: Scenario, role: Role) -> Tables:
        """Return the first tables, by name; all legal actions are played with equal probability."""
        legal = legal_decisions(scenario, role)
        return {"last": legal / legal.sum(axis=-1, keepdims=True)}

    @abstractmethod
    def iterate(
        self, tables: Tables, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float
    ) -> None:
        """Change the tables by one iteration against a table per limit of the opponent."""

    def behaviour(self, tables: Tables, scenario: Scenario, role: Role) -> TabularPolicy:
        """Return the policy that is played while learning, and that the opponent is told."""
        return as_policy(scenario, role, tables["last"])

    def policy(self, tables: Tables, scenario: Scenario, role: Role) -> TabularPolicy:
        """Return the policy that is tested, judged and saved."""
        return as_policy(scenario, role, tables["last"])


@dataclass(frozen=True)
class AveragingAlgorithm(ExactAlgorithm):
    """A learner that computes, and keeps the sum of its policies weighted by their own reach."""

    output: str = setting(_AVERAGE, OUTPUT, among(OUTPUTS))

    def begin(self, scenario: Scenario, role: Role) -> Tables:
        tables = super().begin(scenario, role)
        return {**tables, "sum": np.zeros_like(tables["last"])}

    def average(self, tables: Tables, scenario: Scenario, role: Role) -> TabularPolicy:
        """Return the average policy; in states that none of the policies reached, the last one."""
        return as_policy(scenario, role, normalised(tables["sum"], tables["last"]))

    def policy(self, tables: Tables, scenario: Scenario, role: Role) -> TabularPolicy:
        policy = self.average if self.output == _AVERAGE else super().policy
        return policy(tables, scenario, role)
