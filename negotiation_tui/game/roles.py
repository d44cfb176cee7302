"""The words of the rules: the two parties, who opens, what a state says, ranges of prices."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import refusal


class Role(IntEnum):
    """The two parties; the number is the index in every array that holds both, seller first."""

    SELLER = 0
    BUYER = 1

    @property
    def other(self) -> "Role":
        """The opposite party."""
        return Role(1 - self)

    @classmethod
    def of(cls, role: "Role | str") -> "Role":
        """The role itself, or the one with this name; BadInputError for any other word."""
        try:
            return cls[role.upper()] if isinstance(role, str) else cls(role)
        except (KeyError, ValueError):
            raise refusal("role", role, "seller or buyer") from None

    def __str__(self) -> str:
        return self.name.lower()


class Opener(StrEnum):
    """Who makes the first offer."""

    SELLER = "seller"
    BUYER = "buyer"
    ALTERNATE = "alternate"

    @classmethod
    def of(cls, opener: "Opener | Role | str") -> "Opener":
        """The opener with this name or role; BadInputError for any other word."""
        try:
            return cls(str(opener).lower())
        except ValueError:
            raise refusal("opener", opener, either(tuple(cls))) from None

    def role(self, negotiation: int = 0) -> Role:
        """Who opens negotiation number 0, 1, …; alternating begins with the seller."""
        if self is Opener.ALTERNATE:
            return Role(negotiation % 2)
        return Role.of(self.value)


class States(StrEnum):
    """What a state of the Q-tables says of a position."""

    PUBLISHED = "published"
    """The price on the table and its time, as in the original."""
    OPENER_AWARE = "opener-aware"
    """Also whether one opened the negotiation, which makes the process Markov."""

    @classmethod
    def of(cls, states: "States | str") -> "States":
        """The states with this name; BadInputError for any other word."""
        try:
            return cls(str(states).lower())
        except ValueError:
            raise refusal("states", states, either(tuple(cls))) from None


@dataclass(frozen=True, slots=True)
class PriceRange:
    """The prices one role would agree to, both ends included."""

    minimum: int
    maximum: int

    def __contains__(self, price: object) -> bool:
        return isinstance(price, int) and self.minimum <= price <= self.maximum
