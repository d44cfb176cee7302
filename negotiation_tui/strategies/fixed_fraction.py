"""Moving a fixed fraction of the way to the opponent's price, on any price grid.

Source: the original's `./legacy/buyer.py` and `./legacy/seller.py`, whose fraction is one half.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.validate import number
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.bidding import ROUNDING, best_price, nearest_offer


@dataclass(frozen=True)
class FixedFraction(Strategy):
    """Opens at its best price, then moves the fraction ρ of the way to the standing offer.

    A responder's first move starts from its best price. Prices are rounded down, then to the grid
    in the party's favour (up for the seller), and clipped to its range. A price equal to the
    standing offer accepts it. At the last decision any price in the range is accepted.
    """

    name: ClassVar[str] = "fixed-fraction"
    summary: ClassVar[str] = "goes the fraction ρ of the way to the other"
    source: ClassVar[str] = "the original's midpoint strategy, with any fraction"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"own"})
    rho: float = 0.25
    """Fraction of the way to the standing offer; above 0, at most 1."""

    def __post_init__(self) -> None:
        number("rho", self.rho, 0, 1, above=True)

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if position.standing_offer is None:
            return (scenario.prices.index(best_price(scenario, role)),)
        if position.last_decision:
            acceptable = position.standing_offer in scenario.acceptable_range(role)
            return (scenario.accept if acceptable else scenario.walk_away,)
        own = position.own_last_offer
        if own is None:
            own = best_price(scenario, role)
        price = floor(own + self.rho * (position.standing_offer - own) + ROUNDING)
        offer = nearest_offer(scenario, role, price)
        return (scenario.accept if scenario.prices[offer] == position.standing_offer else offer,)


@dataclass(frozen=True)
class Midpoint(FixedFraction):
    """Moves half-way: the original's static strategy."""

    name: ClassVar[str] = "midpoint"
    summary: ClassVar[str] = "meets the other half-way (the original's)"
    source: ClassVar[str] = "the original, ./legacy/buyer.py and ./legacy/seller.py"
    rho: float = 0.5
