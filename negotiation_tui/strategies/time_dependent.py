"""Time-dependent concession (Faratin, Sierra and Jennings 1998, section 4.1).

    x = best + α(t)·(reservation − best)

with α(t) = κ + (1 − κ)·(t/T)^(1/β), polynomial, or α(t) = κ^((1 − t/T)^β), exponential, where t/T
is the share of the rounds that are over. β < 1 holds out (Boulware), β > 1 concedes early, and
β = 1 makes the polynomial linear. Other tools, such as NegMAS, use the exponent 1/β: a Boulware's
exponent is above 1 there.
"""

from collections.abc import Sequence
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import setting, within
from negotiation_tui.strategies.base import Dependency
from negotiation_tui.strategies.bidding import Bidding, best_price, time_share

_SPEED = within(0, 1000, above=True)


@sealed(frozen=True)
class _TimeDependent(Bidding):
    source: ClassVar[str] = "Faratin, Sierra and Jennings 1998, section 4.1"
    offers_depend_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})

    def concession(self, time: float) -> float:
        """Return α(time): 0 for the best price, 1 for the reservation price."""
        return 0.0

    def offers(self, position: Position) -> Sequence[float]:
        best = best_price(position.scenario, position.role)
        worst = best_price(position.scenario, position.role, worst=True)
        return (best + self.concession(time_share(position)) * (worst - best),)


@sealed(frozen=True)
class Polynomial(_TimeDependent):
    name: ClassVar[str] = "polynomial"
    summary: ClassVar[str] = "concedes with time as t^(1/β)"
    beta: float = setting(1.0, check=_SPEED)  # speed of concession: below 1 late, above 1 early
    kappa: float = setting(0.0)  # share of the range conceded in the first round, 0 to 1

    def concession(self, time: float) -> float:
        return self.kappa + (1 - self.kappa) * float(time ** (1 / self.beta))


@sealed(frozen=True)
class Exponential(_TimeDependent):
    name: ClassVar[str] = "exponential"
    summary: ClassVar[str] = "concedes with time as κ^((1 − t)^β)"
    beta: float = setting(1.0, check=_SPEED)  # speed of concession: below 1 late, above 1 early
    kappa: float = setting(0.01, check=within(1e-6, 1))
    """Scale of the concession: the share conceded in the first round if β = 1; 0.000001 to 1."""

    def concession(self, time: float) -> float:
        return float(self.kappa ** ((1 - time) ** self.beta))


@sealed(frozen=True)
class Boulware(Polynomial):
    name: ClassVar[str] = "boulware"
    summary: ClassVar[str] = "holds out, concedes near the deadline (β = 0.2)"
    beta: float = 0.2


@sealed(frozen=True)
class Linear(Polynomial):
    name: ClassVar[str] = "linear"
    summary: ClassVar[str] = "concedes the same in every round (β = 1)"


@sealed(frozen=True)
class Conceder(Polynomial):
    name: ClassVar[str] = "conceder"
    summary: ClassVar[str] = "concedes early (β = 5)"
    beta: float = 5.0


@sealed(frozen=True)
class Hardliner(_TimeDependent):
    """Never concedes: the limit of β toward 0, without the concession at the deadline."""

    name: ClassVar[str] = "hardliner"
    summary: ClassVar[str] = "asks its best price to the end (β = 0)"
