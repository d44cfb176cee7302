"""Compute what deals are worth to both roles together, for every pair of hidden limits.

This surplus is the sum of both rewards. It is the same at every price.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.solvers.beliefs import prior


class Pairs(NamedTuple):
    """All pairs of limits, in arrays of shape (limits of the seller, limits of the buyer)."""

    chances: Floats
    """The probability that a pair is drawn."""
    surplus: Floats
    """The sum of both rewards of a deal; 0 for a pair that cannot trade."""
    tradable: NDArray[np.bool_]
    """True for a pair with a price of the grid that both accept."""

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, scenario: Scenario) -> "Pairs":
        """Return the pairs of a scenario; one pair if no limits are hidden."""
        costs, firsts, stops = _ends(scenario, Role.SELLER)[..., None]
        values, buyer_firsts, buyer_stops = _ends(scenario, Role.BUYER)
        tradable = np.maximum(firsts, buyer_firsts) < np.minimum(stops, buyer_stops)
        surplus = np.where(tradable, (values - costs) / scenario.width, 0.0)
        chances = np.outer(*(prior(scenario, role).chances for role in Role))
        return cls(chances, surplus, tradable)

    @property
    def possible(self) -> float:
        """The probability that a pair is drawn that can trade."""
        return float(self.chances[self.tradable].sum())


def _ends(scenario: Scenario, role: Role) -> NDArray[np.int64]:
    """Each limit of a role, its first offer and the one after its last, shape (3, limits)."""
    offers = ((view.limit(role), view.offers(role)) for view in scenario.views[role])
    return np.array([(limit, each.start, each.stop) for limit, each in offers], np.int64).T


def first_best(scenario: Scenario) -> float:
    """Return the mean surplus of a negotiation if every pair trades that gains by it and can.

    Without hidden limits it is 1, or 0 if no price is worth it to both.
    """
    chances, surplus, _ = Pairs.of(scenario)
    return float((chances * np.maximum(surplus, 0.0)).sum())
