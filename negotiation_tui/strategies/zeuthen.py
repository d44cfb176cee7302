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
from negotiation_tui.solvers.payoffs import rewards
from negotiation_tui.strategies.base import Dependency
from negotiation_tui.strategies.bidding import Bidding, best_price

Floats = NDArray[np.float64]


def risk(own: Floats, offered: Floats) -> Floats:
    """Return Zeuthen's risk: the cost of conceding relative to the cost of no deal, at most 1.

    (own − offered) / own, where `own` is the party's reward for its own offer and `offered` its
    reward for the opponent's. 1 if there is nothing to lose.
    """
    share = np.divide(own - offered, own, out=np.ones_like(own), where=own > 0)
    return np.minimum(share, 1.0)


@lru_cache(maxsize=4)
def _rewards(scenario: Scenario) -> tuple[Floats, Floats]:
    seller, buyer = (rewards(scenario, role) for role in Role)
    return seller, buyer


@dataclass(frozen=True)
class Zeuthen(Bidding):
    """Concedes if its risk is not the greater: just enough that the opponent must concede next.

    It knows the rewards of both roles. If its risk is greater, it repeats its last price. If no
    concession makes it greater, it offers the opponent's price. With hidden limits it takes the
    opponent's rewards to be those of the limit that is best for a deal.
    """

    name: ClassVar[str] = "zeuthen"
    summary: ClassVar[str] = "concedes where it has less to lose"
    source: ClassVar[str] = "Zeuthen 1930; Rosenschein and Zlotkin 1994, chapter 3"
    offers_depend_on: ClassVar[frozenset[Dependency]] = frozenset({"own"})

    def offers(self, position: Position) -> Sequence[float]:
        """Return the last price, or the smallest concession that makes the own risk greater."""
        scenario, role = position.scenario, position.role
        if position.standing_offer is None or position.own_last_offer is None:
            return (best_price(scenario, role),)
        last, standing = (
            scenario.prices.index(p) for p in (position.own_last_offer, position.standing_offer)
        )
        step = -1 if role is Role.SELLER else 1
        offers = np.arange(last, standing, step)
        if not len(offers):
            offers = np.array([last])
        own, opponent = _rewards(scenario)[role], _rewards(scenario)[role.other]
        own_risk = risk(own[offers], np.full(len(offers), own[standing]))
        greater = own_risk > risk(np.full(len(offers), opponent[standing]), opponent[offers])
        if not greater.any():
            return (position.standing_offer,)
        return (scenario.prices[offers[int(greater.argmax())]],)
