"""The original's static strategy, on any price grid.

Source: the original, `./legacy/buyer.py` and `./legacy/seller.py`.
"""

from bisect import bisect_left, bisect_right
from typing import ClassVar

import numpy as np

from negotiation_tui.negotiation import Position
from negotiation_tui.roles import Role


class Midpoint:
    """Opens at its best price, then asks the midpoint of its own last price and the other's.

    Having heard an offer before its first, it starts from the midpoint of its best price and
    that offer. Midpoints round down, move to the nearest price of the grid on its own side
    (upwards for the seller) and stay inside its range. A midpoint equal to the standing offer
    accepts it. At the last decision it accepts any price inside its range.
    """

    name: ClassVar[str] = "midpoint"
    summary: ClassVar[str] = "meets the other half-way, from its best price on (the original's)"
    heeds_time: ClassVar[bool] = False

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The midpoint as an offer, or the close that the rules above ask for."""
        scenario, role = position.scenario, position.role
        offers = scenario.offers(role)
        best = offers[-1] if role is Role.SELLER else offers[0]
        if position.on_table is None:
            return best
        if position.last_decision:
            acceptable = position.on_table in scenario.range_of(role)
            return scenario.accept if acceptable else scenario.reject
        own = scenario.prices[best] if position.own is None else position.own
        midpoint = (own + position.on_table) // 2
        if role is Role.SELLER:
            nearest = bisect_left(scenario.prices, midpoint)
        else:
            nearest = bisect_right(scenario.prices, midpoint) - 1
        offer = min(max(nearest, offers[0]), offers[-1])
        return scenario.accept if scenario.prices[offer] == position.on_table else offer
