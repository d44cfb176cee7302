"""Strategies made of two parts: a bidding rule that offers prices, and an acceptance rule."""

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.acceptance import AC_NEXT, Acceptance
from negotiation_tui.strategies.base import Dependency, Strategy

ROUNDING = 1e-9
"""Largest difference to an integer that counts as a floating-point error."""


def best_price(scenario: Scenario, role: Role) -> int:
    """Return the best price of a role's range on the grid."""
    offers = scenario.offers(role)
    return scenario.prices[offers[-1] if role is Role.SELLER else offers[0]]


def worst_price(scenario: Scenario, role: Role) -> int:
    """Return the worst price of a role's range on the grid: its reservation price."""
    offers = scenario.offers(role)
    return scenario.prices[offers[0] if role is Role.SELLER else offers[-1]]


def nearest_offer(scenario: Scenario, role: Role, price: float) -> int:
    """Return the action of a price: rounded to the grid in the role's favour, inside its range."""
    if role is Role.SELLER:
        nearest = bisect_left(scenario.prices, ceil(price - ROUNDING))
    else:
        nearest = bisect_right(scenario.prices, floor(price + ROUNDING)) - 1
    offers = scenario.offers(role)
    return min(max(nearest, offers[0]), offers[-1])


@dataclass(frozen=True)
class Bidding(Strategy):
    """Offers a price, or accepts the standing offer if the acceptance rule says so.

    At the last decision it accepts any price in its range and walks away from any other.
    """

    acceptance: Acceptance = field(default=AC_NEXT, kw_only=True)

    @property
    @abstractmethod
    def offers_depend_on(self) -> frozenset[Dependency]:
        """The parts of a position that the offers depend on, as in `Strategy.depends_on`."""

    @abstractmethod
    def offers(self, position: Position) -> Sequence[float]:
        """Return the prices offered with equal probability; they need not lie on the grid."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """The parts of a position that the offers or the acceptance rule depend on."""
        return self.offers_depend_on | self.acceptance.depends_on

    def support(self, position: Position) -> Sequence[int]:
        """Return the offers on the grid, or acceptance in place of each if the rule accepts."""
        scenario, role = position.scenario, position.role
        acceptable = position.standing_offer in scenario.acceptable_range(role)
        if position.last_decision:
            return (scenario.accept if acceptable else scenario.walk_away,)
        offers = [nearest_offer(scenario, role, price) for price in self.offers(position)]
        if not acceptable:
            return offers
        return [
            scenario.accept if self.acceptance.accepts(position, scenario.prices[offer]) else offer
            for offer in offers
        ]
