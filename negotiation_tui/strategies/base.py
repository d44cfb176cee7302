"""What a static strategy is: a rule from a position to what it may do there."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

Heeded = Literal["time", "own", "opener", "history"]


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

    @property
    @abstractmethod
    def heeds(self) -> frozenset[Heeded]:
        """What the choices depend on besides the price on the table and the last decision.

        `time`; one's `own` last price; whether one was the `opener`; or the whole `history` of
        offers. Tables are smaller without them, and there is none with the history.
        """

    @abstractmethod
    def choices(self, position: Position) -> Sequence[int]:
        """The legal actions, at least one, that it takes with equal probability.

        A strategy of the user's may give any collection of them, such as a set.
        """

    def in_seat(self, scenario: Scenario, role: Role) -> "Strategy":
        """Who plays where it sits down: itself, unless it is made for each seat."""
        return self

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """One of the choices."""
        choices = self.choices(position)
        return choices[int(rng.random() * len(choices)) if len(choices) > 1 else 0]


@dataclass(frozen=True)
class Given(Strategy):
    """A strategy that comes from a file, or from another package that is installed."""

    words: str
    """What one writes to seat it, settings and all."""
