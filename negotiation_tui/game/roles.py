"""Roles, openers, kinds of states, and price ranges."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import Self, TypeVar

from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import refusal

T = TypeVar("T")


class Role(IntEnum):
    """Seller or buyer; the number is the role's index in every array that holds both."""

    SELLER = 0
    BUYER = 1

    @property
    def other(self) -> "Role":
        return Role(1 - self)

    @classmethod
    def of(cls, role: "Role | str") -> "Role":
        """Return the role with this name; raises BadInputError if there is none."""
        try:
            return cls[role.upper()] if isinstance(role, str) else cls(role)
        except (KeyError, ValueError):
            raise refusal("role", role, "seller or buyer") from None

    def __str__(self) -> str:
        return self.name.lower()


def pair(values: Iterable[T]) -> tuple[T, T]:
    """Return the values of both roles, seller first."""
    seller, buyer = values
    return seller, buyer


class _Named(StrEnum):
    @classmethod
    def of(cls, name: str | Role) -> Self:
        """Return the member with this name; raises BadInputError if there is none."""
        try:
            return cls(str(name).lower())
        except ValueError:
            raise refusal(cls.__name__.lower(), name, either(tuple(cls))) from None


class Opener(_Named):
    """The role that makes the first offer."""

    SELLER = "seller"
    BUYER = "buyer"
    ALTERNATE = "alternate"

    def role(self, negotiation: int = 0) -> Role:
        """The role that opens negotiation number 0, 1, …; `alternate` starts with the seller."""
        if self is Opener.ALTERNATE:
            return Role(negotiation % 2)
        return Role.of(self.value)

    @property
    def roles(self) -> tuple[Role, ...]:
        return tuple(Role) if self is Opener.ALTERNATE else (self.role(),)

    @property
    def number(self) -> int:
        """The number by which compiled loops know it: that of the role, or 2."""
        return tuple(Opener).index(self)


class States(_Named):
    """The information in a state of the Q-tables."""

    PUBLISHED = "published"  # the standing offer and its time, as in the original
    OPENER_AWARE = "opener-aware"  # also the role that opened, which makes the process Markov


@sealed(frozen=True, slots=True)
class PriceRange:
    """The prices that one role accepts, both ends included."""

    minimum: int
    maximum: int

    def __contains__(self, price: object) -> bool:
        return isinstance(price, int) and self.minimum <= price <= self.maximum
