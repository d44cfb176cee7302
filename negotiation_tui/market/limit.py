"""How long a market is open."""

from dataclasses import dataclass
from typing import Self

from negotiation_tui.errors import BadInputError

BY_NEGOTIATIONS, BY_STEPS = "negotiations", "steps"
MOST = 10**12
USUAL = "negotiations=100000"
"""Where nothing is said."""


@dataclass(frozen=True, slots=True)
class Limit:
    """So many negotiations, or so many ticks; BadInputError for a number out of range."""

    unit: str
    amount: int

    def __post_init__(self) -> None:
        if self.unit not in {BY_NEGOTIATIONS, BY_STEPS}:
            raise BadInputError(f"limit: {self.unit!r} is unknown, use negotiations or steps")
        if not 1 <= self.amount <= MOST:
            raise BadInputError(f"limit: {self.amount} is out of range, use 1 to {MOST:,}")

    @classmethod
    def of(cls, words: str) -> Self:
        """The limit that `negotiations=N` or `steps=N` says."""
        unit, equals, amount = words.partition("=")
        try:
            number = int(amount)
        except ValueError:
            number = None
        if not equals or number is None:
            raise BadInputError(f"limit: {words!r} cannot be used: write negotiations=N or steps=N")
        return cls(unit, number)

    @classmethod
    def from_stored(cls, text: str) -> Self:
        """Return the limit in a file; version 0.1.0 called negotiations transactions."""
        return cls.of(text.replace("transactions=", f"{BY_NEGOTIATIONS}="))

    def __str__(self) -> str:
        return f"{self.unit}={self.amount}"

    @property
    def steps(self) -> bool:
        """Whether time passes while a negotiation goes on."""
        return self.unit == BY_STEPS

    def ticks(self, pairs: int, tick: int = 0, negotiations: int = 0) -> int:
        """How many ticks that is where so many pairs can meet in one, after those there were.

        A tick that an earlier limit cut short had fewer negotiations than pairs.
        """
        return self.amount if self.steps else tick - (negotiations - self.amount) // pairs
