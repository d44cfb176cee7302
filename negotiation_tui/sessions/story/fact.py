"""A fact of a training: data that a test can check, and the sentence that tells it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.story.moment import Moment


@dataclass(frozen=True)
class Fact(ABC):
    """One kind of fact; two facts are equal if they tell the same at different times."""

    importance: ClassVar[int]
    """0 to 100: of the facts of one moment the most important ones are told."""

    cycle: int = field(compare=False)
    """Number of cycles done when it became true."""

    @classmethod
    @abstractmethod
    def found(cls, now: Moment) -> Iterator[Self]:
        """Yield the facts of this kind that are true now."""

    @property
    @abstractmethod
    def says(self) -> tuple[str, ...]:
        """The sentence, and others that may follow; commands in braces stand for their keys."""

    @property
    def opener(self) -> Role | None:
        """The role that opens the negotiation which shows the fact; None if either does."""
        return None

    @property
    def begun(self) -> int:
        """The ply of the random offer that begins this negotiation; 0 if it begins as usual."""
        return 0

    @property
    def sample(self) -> bool:
        """True if an episode of the training shows it, not a negotiation by the plans."""
        return False


@dataclass(frozen=True)
class OpenerFact(Fact):
    """A fact about negotiations that a role opens."""

    role: Role

    @property
    def opener(self) -> Role:
        """The role itself opens."""
        return self.role


@dataclass(frozen=True)
class ResponderFact(Fact):
    """A fact about a role in negotiations that the other role opens."""

    role: Role

    @property
    def opener(self) -> Role:
        """The other role opens."""
        return self.role.other


def listed(prices: Sequence[int]) -> str:
    """Write prices in ascending order: 4, 4 or 5, 1 to 4; the sequence may have gaps."""
    consecutive = len(prices) > 2 and prices[-1] - prices[0] == len(prices) - 1
    if consecutive:
        return f"{prices[0]} to {prices[-1]}"
    if len(prices) > 4:
        return f"one of {len(prices)} prices from {prices[0]} to {prices[-1]}"
    return " or ".join(filter(None, (", ".join(map(str, prices[:-1])), str(prices[-1]))))
