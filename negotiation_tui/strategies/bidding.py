"""Strategies made of two parts: a bidding rule that offers prices, and an acceptance rule.

Both parts are separate (Baarslag, Hindriks and Jonker 2013). An acceptance rule compares the
standing offer with the price that the party would offer next. It is not used at the last decision,
nor for a standing offer outside the party's acceptable range.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.base import Dependency, Strategy

ROUNDING = 1e-9  # largest difference to an integer that counts as a floating-point error


def best_price(scenario: Scenario, role: Role, worst: bool = False) -> int:
    """Return the best price of a role's range on the grid, or the worst: its reservation price."""
    return scenario.prices[scenario.offers(role)[0 if (role is Role.SELLER) == worst else -1]]


def closing_action(position: Position) -> int:
    """Accept a standing offer in the party's range, or walk away."""
    scenario = position.scenario
    acceptable = position.standing_offer in scenario.acceptable_range(position.role)
    return scenario.accept if acceptable else scenario.walk_away


def nearest_offer(scenario: Scenario, role: Role, price: float) -> int:
    """Return the action of a price: rounded to the grid in the role's favour, inside its range."""
    if role is Role.SELLER:
        nearest = bisect_left(scenario.prices, ceil(price - ROUNDING))
    else:
        nearest = bisect_right(scenario.prices, floor(price + ROUNDING)) - 1
    offers = scenario.offers(role)
    return min(max(nearest, offers[0]), offers[-1])


def gain(role: Role, price: int) -> int:
    """Return a price as a role sees it: the more the better."""
    return price if role is Role.SELLER else -price


def share(position: Position, gained: int) -> float:
    """Return a gain as a share of the acceptable range: 0 at the worst end, 1 at the best."""
    limits, role = position.scenario.acceptable_range(position.role), position.role
    worst = gain(role, limits.minimum if role is Role.SELLER else limits.maximum)
    return (gained - worst) / max(1, limits.maximum - limits.minimum)


def time_share(position: Position) -> float:
    """Return the share of the rounds that are over: 0 in the first (or only) one, 1 in the last."""
    return (position.ply // 2) / max(1, position.scenario.rounds - 1)


@dataclass(frozen=True)
class Acceptance(ABC):
    """A rule that decides if the standing offer is accepted."""

    depends_on: ClassVar[frozenset[Dependency]] = frozenset()
    """The parts of a position that the rule depends on, as in `Strategy.depends_on`."""

    @abstractmethod
    def accepts(self, position: Position, standing: int, following: int) -> bool:
        """True if the standing offer is accepted; otherwise the party makes the following one.

        Both are gains, see `gain`.
        """


@dataclass(frozen=True)
class AcNext(Acceptance):
    """AC_next: accept a standing offer at least as good as the party's next offer."""

    def accepts(self, position: Position, standing: int, following: int) -> bool:
        return standing >= following


@dataclass(frozen=True)
class AcConst(Acceptance):
    """AC_const(α): accept a standing offer of at least share α of the acceptable range."""

    alpha: float = 0.8

    def accepts(self, position: Position, standing: int, following: int) -> bool:
        return share(position, standing) >= self.alpha


@dataclass(frozen=True)
class AcTime(Acceptance):
    """AC_time(T): accept as soon as the share T of the rounds is over."""

    time: float = 0.9
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})

    def accepts(self, position: Position, standing: int, following: int) -> bool:
        return time_share(position) >= self.time


@dataclass(frozen=True)
class AcCombi(Acceptance):
    """AC_combi(T, MAX^W): accept as AC_next does, or late if no better offer is likely.

    Late: the share T of the rounds is over. No better offer is likely if the opponent made none
    in its last W offers, where W is the number of rounds left.
    """

    time: float = 0.9
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "history"})

    def accepts(self, position: Position, standing: int, following: int) -> bool:
        rounds_left = position.scenario.rounds - 1 - position.ply // 2
        window = position.opponent_offers[-max(1, rounds_left) :]
        best = standing >= max(gain(position.role, price) for price in window)
        return standing >= following or (best and time_share(position) >= self.time)


RULES: dict[str, type[Acceptance]] = {
    "next": AcNext,
    "const": AcConst,
    "time": AcTime,
    "combi": AcCombi,
}


@dataclass(frozen=True)
class Bidding(Strategy):
    """Offers a price, or accepts if the acceptance rule says so; at last any price in its range."""

    acceptance: Acceptance = field(default=AcNext(), kw_only=True)

    @property
    @abstractmethod
    def offers_depend_on(self) -> frozenset[Dependency]:
        """The parts of a position that the offers depend on, as in `Strategy.depends_on`."""

    @abstractmethod
    def offers(self, position: Position) -> Sequence[float]:
        """Return the prices offered with equal probability; they need not lie on the grid."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return self.offers_depend_on | self.acceptance.depends_on

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if position.last_decision:
            return (closing_action(position),)
        offers = [nearest_offer(scenario, role, price) for price in self.offers(position)]
        if position.standing_offer is None or closing_action(position) != scenario.accept:
            return offers
        standing = gain(role, position.standing_offer)
        for n, offer in enumerate(offers):
            if self.acceptance.accepts(position, standing, gain(role, scenario.prices[offer])):
                offers[n] = scenario.accept
        return offers
