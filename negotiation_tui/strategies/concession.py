"""Strategies that concede by what the opponent offers: a fixed fraction, MiCRO, Zeuthen."""

from collections.abc import Sequence
from math import floor
from typing import ClassVar

import numpy as np

from negotiation_tui.game.memory import DIFFERENT
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import setting, within
from negotiation_tui.solvers.payoffs import Payoffs
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.bidding import (
    ROUNDING,
    Bidding,
    best_price,
    closing_action,
    gain_of,
    nearest_offer,
)


@sealed(frozen=True)
class FixedFraction(Strategy):
    """Opens at its best price, then moves the fraction ρ of the way to the standing offer.

    A responder's first move starts from its best price. Prices are rounded down, then to the grid
    in the party's favour (up for the seller), and clipped to its range. A price equal to the
    standing offer accepts it. At the last decision any price in the range is accepted.
    """

    name: ClassVar[str] = "fixed-fraction"
    summary: ClassVar[str] = "goes the fraction ρ of the way to the other side"
    source: ClassVar[str] = "the original's midpoint strategy, with any fraction"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"own"})
    rho: float = setting(0.25, check=within(0, 1, above=True))
    """Fraction of the way to the standing offer; above 0, at most 1."""

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if position.standing_offer is None:
            return (scenario.prices.index(best_price(scenario, role)),)
        if position.last_decision:
            return (closing_action(position),)
        own = position.own_last_offer
        if own is None:
            own = best_price(scenario, role)
        price = floor(own + self.rho * (position.standing_offer - own) + ROUNDING)
        offer = nearest_offer(scenario, role, price)
        return (scenario.accept if scenario.prices[offer] == position.standing_offer else offer,)


@sealed(frozen=True)
class Midpoint(FixedFraction):
    name: ClassVar[str] = "midpoint"
    summary: ClassVar[str] = "meets the other side halfway (the paper's rule)"
    source: ClassVar[str] = "the original, ./legacy/buyer.py and ./legacy/seller.py"
    rho: float = 0.5


@sealed(frozen=True)
class MiCRO(Strategy):
    """Concedes one price of the grid for each new offer of the opponent.

    Let m be the number of its own different offers and n the opponent's. If m ≤ n and a price is
    left, it offers its next price. Otherwise it repeats one of its offers, drawn at random. A
    standing offer at least as good as the next price (or as its worst offer so far) is accepted.
    """

    name: ClassVar[str] = "micro"
    summary: ClassVar[str] = "concedes one price for each new offer of the other side"
    source: ClassVar[str] = "de Jonge 2022, MiCRO"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"history"})
    memory: ClassVar[int] = DIFFERENT

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if position.last_decision:
            return (closing_action(position),)
        offers = list(scenario.offers(role))
        if role is Role.SELLER:
            offers.reverse()
        made = sorted({offers.index(scenario.prices.index(price)) for price in position.own_offers})
        following = made[-1] + 1 if made else 0
        concedes = len(made) <= len(set(position.opponent_offers)) and following < len(offers)
        worst = offers[following if concedes else made[-1]]
        standing, least = position.standing_offer, gain_of(role, scenario.prices[worst])
        acceptable = closing_action(position) == scenario.accept
        if standing is not None and acceptable and gain_of(role, standing) >= least:
            return (scenario.accept,)
        return (worst,) if concedes else [offers[n] for n in made]


def risk(own: Floats, offered: Floats) -> Floats:
    """Return Zeuthen's risk: the cost of conceding relative to the cost of no deal, at most 1.

    (own − offered) / own, where `own` is the party's reward for its own offer and `offered` its
    reward for the opponent's. 1 if there is nothing to lose. Both deals are of the same time, as
    in the source, so that time costs cancel.
    """
    lost = np.divide(own - offered, own, out=np.ones_like(own), where=own > 0)
    return np.minimum(lost, 1.0)


@sealed(frozen=True)
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
        scenario, role = position.scenario, position.role
        if position.standing_offer is None or position.own_last_offer is None:
            return (best_price(scenario, role),)
        last = scenario.prices.index(position.own_last_offer)
        standing = position.standing_offer_index
        step = -1 if role is Role.SELLER else 1
        offers = np.arange(last, standing, step)
        if not len(offers):
            offers = np.array([last])
        own, opponent = (Payoffs.of(scenario, each).rewards[:, 0] for each in (role, role.other))
        own_risk = risk(own[offers], np.full(len(offers), own[standing]))
        greater = own_risk > risk(np.full(len(offers), opponent[standing]), opponent[offers])
        if not greater.any():
            return (position.standing_offer,)
        return (scenario.prices[offers[int(greater.argmax())]],)
