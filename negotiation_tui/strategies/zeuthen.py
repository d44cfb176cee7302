"""Zeuthen's principle in the monotonic concession protocol (Rosenschein and Zlotkin 1994)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.subgame_perfect import rewards
from negotiation_tui.strategies.base import Dependency
from negotiation_tui.strategies.bidding import Bidding, best_price

Floats = NDArray[np.float64]


def risk(worth: Floats, offered: Floats) -> Floats:
    """How much conceding would cost, against losing the deal, at most 1; 1 with nothing to lose.

    (u(own) − u(other's)) / u(own), where u(own) is `worth` and u(other's) is `offered`.
    """
    share = np.divide(worth - offered, worth, out=np.ones_like(worth), where=worth > 0)
    return np.minimum(share, 1.0)


@lru_cache(maxsize=4)
def _worths(scenario: Scenario) -> tuple[Floats, Floats]:
    """What each price of the grid is worth to seller and buyer."""
    seller, buyer = (rewards(scenario, role) for role in Role)
    return seller, buyer


@dataclass(frozen=True)
class Zeuthen(Bidding):
    """Whoever has less to lose from a break concedes: just enough that the other must be next.

    It knows the rewards of both. Where its own risk is the greater it asks its last price again.
    Where no concession turns the risks around it asks the price on the table.
    """

    name: ClassVar[str] = "zeuthen"
    summary: ClassVar[str] = "concedes where it has less to lose"
    source: ClassVar[str] = "Zeuthen 1930; Rosenschein and Zlotkin 1994, chapter 3"

    @property
    def offers_depend_on(self) -> frozenset[Dependency]:
        """Its own last price."""
        return frozenset({"own"})

    def offers(self, position: Position) -> Sequence[float]:
        """Its last price, or the smallest concession that turns the risks around."""
        scenario, role = position.scenario, position.role
        if position.standing_offer is None or position.own_last_offer is None:
            return (best_price(scenario, role),)
        own, there = (
            scenario.prices.index(p) for p in (position.own_last_offer, position.standing_offer)
        )
        step = -1 if role is Role.SELLER else 1
        asked = np.arange(own, there, step) if (there - own) * step > 0 else np.array([own])
        worths = _worths(scenario)
        mine, theirs = worths[role], worths[role.other]
        other = np.full(len(asked), theirs[there])
        greater = risk(mine[asked], mine[np.full(len(asked), there)]) > risk(other, theirs[asked])
        if not greater.any():
            return (position.standing_offer,)
        return (scenario.prices[asked[int(greater.argmax())]],)
