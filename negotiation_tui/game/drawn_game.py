"""The games of a scenario with hidden limits: those that are drawn, and those that a role sees.

In the game that one role sees, the other has the limit that is best for a deal.
"""

from dataclasses import dataclass

from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.game.scenario import Scenario


@dataclass(frozen=True)
class DrawnGame(Scenario):
    """The game of limits that were drawn: ranges end at them, and rewards are 0 there."""

    lottery: Scenario | None = None
    """The scenario with hidden limits."""
    indices: tuple[int, int] = (0, 0)
    """The indices of both limits; 0 for a limit that is not seen."""

    @classmethod
    def from_limits(
        cls, lottery: Scenario, viewer: Role | None, index: int, other: int = 0
    ) -> "DrawnGame":
        """Return the game that a role with this limit sees, or the game itself for viewer None.

        The game itself has the seller's limit `index` and the buyer's limit `other`.
        """
        indices = (other, index) if viewer is Role.BUYER else (index, other)
        ranges: list[PriceRange] = []
        values: list[int] = []
        for role in Role:
            prices, limits = lottery.acceptable_range(role), lottery.limits[role]
            value = lottery.reservation_values[role]
            if limits and viewer in (role, None):
                value = limits.values[indices[role]]
                if role is Role.SELLER:
                    prices = PriceRange(max(prices.minimum, value), prices.maximum)
                else:
                    prices = PriceRange(prices.minimum, min(prices.maximum, value))
            ranges.append(prices)
            values.append(value)
        return cls(
            lottery.name,
            lottery.prices,
            lottery.rounds,
            ranges[Role.SELLER],
            ranges[Role.BUYER],
            lottery.opener,
            (values[0], values[1]),
            lottery.states,
            lottery=lottery,
            indices=indices,
        )

    def seen_by(self, role: Role) -> Scenario:
        assert self.lottery is not None
        return self.lottery.views[role][self.indices[role]]

    def limit_index(self, role: Role) -> int:
        return self.indices[role]

    def reward(self, role: Role, price: int) -> float:
        """The reward of a role for a deal: its distance from the own limit, by one width for all.

        The width is the buyer's highest limit less the seller's lowest, so that limits compare.
        """
        assert self.lottery is not None
        a, b = self.reservation_values
        return (price - a if role is Role.SELLER else b - price) / self.lottery.width


Views = tuple[tuple[Scenario, ...], tuple[Scenario, ...]]


def views_of(scenario: Scenario) -> Views:
    """Return the game that each role sees with each of its limits, seller first."""
    seller, buyer = (
        tuple(DrawnGame.from_limits(scenario, role, k) for k in range(scenario.n_tables(role)))
        for role in Role
    )
    return seller, buyer


def games_of(scenario: Scenario) -> list[list[Scenario]]:
    """Return the game of each limit of the seller, and of each limit of the buyer."""
    n_buyers = scenario.n_tables(Role.BUYER)
    return [
        [DrawnGame.from_limits(scenario, None, k, j) for j in range(n_buyers)]
        for k in range(scenario.n_tables(Role.SELLER))
    ]
