"""Strategies made of two parts: a bidding rule that offers prices, and an acceptance rule.

Both parts are separate (Baarslag, Hindriks and Jonker 2013). An acceptance rule compares the
standing offer with the price that the party would offer next. It is not used at the last decision,
nor for a standing offer outside the party's acceptable range.
"""

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import ceil, floor
from typing import NamedTuple

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.records import field, sealed
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


def gain_of(role: Role, price: int) -> int:
    """Return a price as a role sees it: the more the better."""
    return price if role is Role.SELLER else -price


def share(position: Position, gained: int) -> float:
    """Return a gain as a share of the acceptable range: 0 at the worst end, 1 at the best."""
    limits, role = position.scenario.acceptable_range(position.role), position.role
    worst = gain_of(role, limits.minimum if role is Role.SELLER else limits.maximum)
    return (gained - worst) / max(1, limits.maximum - limits.minimum)


def time_share(position: Position) -> float:
    """Return the share of the rounds that are over: 0 in the first (or only) one, 1 in the last."""
    return (position.ply // 2) / max(1, position.scenario.rounds - 1)


class Rule(NamedTuple):
    """A rule that decides if the standing offer is accepted."""

    accepts: Callable[[Position, int, int, float], bool]
    """Takes the standing offer, the one that the party would make next, both as gains, and the
    share that the rule has as its setting."""
    depends_on: frozenset[Dependency] = frozenset()
    """The parts of a position that the rule depends on, as in `Strategy.depends_on`."""
    setting: str = ""  # the name of its share, empty if it has none
    default: float = 0.0


def _combi(position: Position, standing: int, following: int, late: float) -> bool:
    rounds_left = position.scenario.rounds - 1 - position.ply // 2
    window = position.opponent_offers[-max(1, rounds_left) :]
    best = standing >= max(gain_of(position.role, price) for price in window)
    return standing >= following or (best and time_share(position) >= late)


RULES = {
    "next": Rule(lambda _at, standing, following, _: standing >= following),
    "const": Rule(
        lambda at, standing, _, alpha: share(at, standing) >= alpha, setting="alpha", default=0.8
    ),
    "time": Rule(
        lambda at, _standing, _, time: time_share(at) >= time,
        frozenset({"time", "opener"}),
        "time",
        0.9,
    ),
    "combi": Rule(_combi, frozenset({"time", "history"}), "time", 0.9),
}
"""Acceptance rules by name.

- AC_next accepts an offer at least as good as the party's next one.
- AC_const(α) accepts an offer of at least share α of the acceptable range.
- AC_time(T) accepts as soon as the share T of the rounds is over.
- AC_combi(T, MAX^W) accepts as AC_next does, or late if no better offer is likely: the share T of
  the rounds is over, and the opponent made none in its last W offers, for W rounds that are left.
"""


@sealed(frozen=True)
class Acceptance:
    """An acceptance rule by its name, and its share."""

    rule: str = "next"
    share: float = 0.0


@sealed(frozen=True)
class Bidding(Strategy):
    """Offers a price, or accepts if the acceptance rule says so; at last any price in its range."""

    acceptance: Acceptance = field(default=Acceptance(), kw_only=True)

    @property
    @abstractmethod
    def offers_depend_on(self) -> frozenset[Dependency]:
        """The parts of a position that the offers depend on, as in `Strategy.depends_on`."""

    @abstractmethod
    def offers(self, position: Position) -> Sequence[float]:
        """Return the prices offered with equal probability; they need not lie on the grid."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return self.offers_depend_on | RULES[self.acceptance.rule].depends_on

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if position.last_decision:
            return (closing_action(position),)
        offers = [nearest_offer(scenario, role, each) for each in self.offers(position)]
        price = position.standing_offer
        if price is None or price not in scenario.acceptable_range(role):
            return offers
        standing, accepts = gain_of(role, price), RULES[self.acceptance.rule].accepts
        for n, offer in enumerate(offers):
            following = gain_of(role, scenario.prices[offer])
            if accepts(position, standing, following, self.acceptance.share):
                offers[n] = scenario.accept
        return offers
