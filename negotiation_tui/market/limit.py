"""How long a market is open."""

from dataclasses import dataclass
from typing import Self

from negotiation_tui.runtime.validate import integer, one_of, parse_integer, refusal

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
        one_of("limit", self.unit, (BY_NEGOTIATIONS, BY_STEPS))
        integer("limit", self.amount, 1, MOST)

    @classmethod
    def of(cls, words: str) -> Self:
        """The limit that `negotiations=N` or `steps=N` says."""
        unit, equals, amount = words.partition("=")
        if not equals:
            raise refusal("limit", words, "negotiations=N or steps=N")
        return cls(unit, parse_integer("limit", amount))

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
