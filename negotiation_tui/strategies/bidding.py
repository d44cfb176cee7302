"""Strategies that ask a price each time: the price they ask, apart from what they accept."""

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
"""A price this close to a whole one is that one."""


def best_price(scenario: Scenario, role: Role) -> int:
    """The price of the grid that a role would like best."""
    offers = scenario.offers(role)
    return scenario.prices[offers[-1] if role is Role.SELLER else offers[0]]


def worst_price(scenario: Scenario, role: Role) -> int:
    """The last price of the grid that a role may agree to."""
    offers = scenario.offers(role)
    return scenario.prices[offers[0] if role is Role.SELLER else offers[-1]]


def nearest_offer(scenario: Scenario, role: Role, price: float) -> int:
    """The action that offers the nearest price on a role's own side, inside its range."""
    if role is Role.SELLER:
        nearest = bisect_left(scenario.prices, ceil(price - ROUNDING))
    else:
        nearest = bisect_right(scenario.prices, floor(price + ROUNDING)) - 1
    offers = scenario.offers(role)
    return min(max(nearest, offers[0]), offers[-1])


@dataclass(frozen=True)
class Bidding(Strategy):
    """Asks a price, or accepts where its acceptance rule likes the price on the table better.

    At the last decision it accepts any price in its range and rejects any other.
    """

    acceptance: Acceptance = field(default=AC_NEXT, kw_only=True)

    @property
    @abstractmethod
    def offers_depend_on(self) -> frozenset[Dependency]:
        """What the prices it asks depend on, as in `Strategy.depends_on`."""

    @abstractmethod
    def offers(self, position: Position) -> Sequence[float]:
        """The prices it may ask, with equal probability; they need not lie on the grid."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """What the bids or the acceptance rule heed."""
        return self.offers_depend_on | self.acceptance.depends_on

    def support(self, position: Position) -> Sequence[int]:
        """Its bids on the grid, or accepting instead of them."""
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
