"""The base class of static strategies: rules from a position to the actions played there."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.memory import NOTHING
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.game.tabulation import recallable, tabulable, tabulate

Dependency = Literal["time", "own", "opener", "history"]


@dataclass(frozen=True)
class Strategy(ABC):
    """A rule without memory: equal positions must give equal actions.

    An instance may hold settings only. So one instance can play both roles, and its actions can
    be tabulated unless they depend on the history.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for a menu."""
    source: ClassVar[str]
    """The publication or program that the rule comes from."""
    needs_opponent: ClassVar[bool] = False
    """True if the strategy can play only after its opponent's table is known; see `ready`."""

    @property
    @abstractmethod
    def depends_on(self) -> frozenset[Dependency]:
        """The parts of a position that the actions depend on.

        `time`, the `own` last offer, the `opener`, or the whole `history` of offers. The standing
        offer and the last decision are always allowed. Each part makes the strategy's table
        larger; with `history` there is no table, unless a `memory` stands for it.
        """

    @property
    def memory(self) -> int:
        """The kind of memory (see `game.memory`) that stands for the history; NOTHING if none."""
        return NOTHING

    @abstractmethod
    def support(self, position: Position) -> Sequence[int]:
        """Return the legal actions, at least one, that are played with equal probability.

        A user's strategy may return any collection, such as a set.
        """

    def in_seat(self, scenario: Scenario, role: Role) -> "Strategy":
        """Return the strategy that plays in a role: itself, unless one is made per role."""
        return self

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return the strategy's table in a role.

        None if its actions depend on the history or on the opponent, or the table is too large.
        """
        strategy = self.in_seat(scenario, role)
        if strategy.needs_opponent or not tabulable(scenario, strategy):
            return None
        return (_cached_table if built_in(strategy) else tabulate)(scenario, role, strategy)

    def remembering(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return the table for the inner loop: as `tabulated`, or one with a memory."""
        strategy = self.in_seat(scenario, role)
        if "history" not in strategy.depends_on or not built_in(strategy):
            return strategy.tabulated(scenario, role)
        if not recallable(scenario, role, strategy, strategy.memory):
            return None
        try:
            return _cached_table(scenario, role, strategy, strategy.memory)
        except BadInputError:  # too many actions in a row
            return None

    def ready(
        self, scenario: Scenario, role: Role, opponent: "ReadyPlayer", discount_rate: float
    ) -> "ReadyPlayer":
        """Return the strategy's table in a role, or the strategy itself if it has no table."""
        return self.tabulated(scenario, role) or self.in_seat(scenario, role)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Draw one action of the support."""
        actions = self.support(position)
        return actions[int(rng.random() * len(actions)) if len(actions) > 1 else 0]


@dataclass(frozen=True)
class UserSupplied(Strategy):
    """A strategy from a file or from another installed package."""

    spec: str
    """The text that names the strategy, with its settings."""


ReadyPlayer = TabularPolicy | Strategy
"""Both have `needs_opponent`, `in_seat`, `tabulated` and `ready`."""


def built_in(player: object) -> bool:
    """True for a strategy of this package, with any settings."""
    return type(player).__module__.startswith(f"{__package__}.")


@lru_cache(maxsize=2)  # one per role: a table may be large
def _cached_table(
    scenario: Scenario, role: Role, strategy: Strategy, history: int = NOTHING
) -> TabularPolicy:
    """`tabulate`, cached. Built-in strategies only: equal ones are guaranteed to play alike."""
    return tabulate(scenario, role, strategy, history)
