"""What a static strategy is: a rule from a position to what it may do there."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, tabulable, tabulate

Dependency = Literal["time", "own", "opener", "history"]


@dataclass(frozen=True)
class Strategy(ABC):
    """A rule that keeps nothing from one position to the next.

    An instance may hold settings, never a memory: the same position must give the same choices,
    so that one instance can sit in both seats and, unless it heeds the history, be tabulated.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for a menu."""
    source: ClassVar[str]
    """Where the rule comes from."""
    needs_opponent: ClassVar[bool] = False
    """True if it plays only once its opponent's table is known; see `ready`."""

    @property
    @abstractmethod
    def depends_on(self) -> frozenset[Dependency]:
        """What the choices depend on besides the price on the table and the last decision.

        `time`; one's `own` last price; whether one was the `opener`; or the whole `history` of
        offers. Tables are smaller without them, and there is none with the history.
        """

    @abstractmethod
    def support(self, position: Position) -> Sequence[int]:
        """The legal actions, at least one, that it takes with equal probability.

        A strategy of the user's may give any collection of them, such as a set.
        """

    def in_seat(self, scenario: Scenario, role: Role) -> "Strategy":
        """Who plays where it sits down: itself, unless it is made for each seat."""
        return self

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return its table in a role.

        None if its choices depend on the history or on the opponent, or the table is too large.
        """
        seated = self.in_seat(scenario, role)
        if seated.needs_opponent or not tabulable(scenario, seated):
            return None
        return (_cached_table if built_in(seated) else tabulate)(scenario, role, seated)

    def ready(
        self, scenario: Scenario, role: Role, opponent: "ReadyPlayer", discount_rate: float
    ) -> "ReadyPlayer":
        """Return its table in a role, or the strategy itself if it has none."""
        return self.tabulated(scenario, role) or self.in_seat(scenario, role)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """One of the choices."""
        choices = self.support(position)
        return choices[int(rng.random() * len(choices)) if len(choices) > 1 else 0]


@dataclass(frozen=True)
class UserSupplied(Strategy):
    """A strategy that comes from a file, or from another package that is installed."""

    spec: str
    """What one writes to seat it, settings and all."""


ReadyPlayer = TabularPolicy | Strategy
"""Either form answers `needs_opponent`, `in_seat`, `tabulated` and `ready`."""


def built_in(player: object) -> bool:
    """True for a strategy of this package, with any settings."""
    return type(player).__module__.startswith(f"{__package__}.")


@lru_cache(maxsize=2)  # one per role: a table may be large
def _cached_table(scenario: Scenario, role: Role, strategy: Strategy) -> TabularPolicy:
    """`tabulate`, cached. Built-in strategies only: equal ones are guaranteed to play alike."""
    return tabulate(scenario, role, strategy)
