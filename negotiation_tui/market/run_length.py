"""The limit of a market: a number of negotiations or of ticks."""

from typing import Self

from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.validate import integer, one_of, parse_integer, refusal

BY_NEGOTIATIONS, BY_STEPS = "negotiations", "steps"
_MOST = 10**12
USUAL = "negotiations=100000"  # the default limit


@sealed(frozen=True, slots=True)
class RunLength:
    """An amount and its unit. Raises BadInputError if the amount is out of range."""

    unit: str
    amount: int

    def __post_init__(self) -> None:
        one_of("limit", self.unit, (BY_NEGOTIATIONS, BY_STEPS))
        integer("limit", self.amount, 1, _MOST)

    @classmethod
    def of(cls, text: str) -> Self:
        """Return the limit of a text, `negotiations=N` or `steps=N`."""
        unit, equals, amount = text.partition("=")
        if not equals:
            raise refusal("limit", text, "negotiations=N or steps=N")
        return cls(unit, parse_integer("limit", amount))

    def __str__(self) -> str:
        return f"{self.unit}={self.amount}"

    @property
    def steps(self) -> bool:
        return self.unit == BY_STEPS

    def ticks(self, pairs: int, tick: int = 0, negotiations: int = 0) -> int:
        """Return the tick at which the limit is reached, from `tick` and `negotiations` on."""
        return self.amount if self.steps else tick - (negotiations - self.amount) // pairs
