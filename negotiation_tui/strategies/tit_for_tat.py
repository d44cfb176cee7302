"""Tit-for-tat concession (Faratin, Sierra and Jennings 1998, section 4.3).

With δ the number of offers to look back, and x, y the own and the opponent's offers, newest last:

    relative          x ← x₋₁ · y₋₁₋δ / y₋δ
    random absolute   x ← x₋₁ + (y₋₁₋δ − y₋δ) ± R,   R drawn from 0 … M
    averaged          x ← x₋₁ · y₋₁₋γ / y₋₁

each clipped to the party's range. The best price is offered until the opponent has made enough
offers. R concedes toward the opponent. If the grid begins below 1, ratios are taken of prices
shifted so that it begins at 1.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from negotiation_tui.game.memory import LAGGED, NOTHING
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import setting
from negotiation_tui.runtime.validate import integer
from negotiation_tui.strategies.base import Dependency
from negotiation_tui.strategies.bidding import RULES, Bidding, best_price

_OFFERS = partial(integer, low=1, high=1000)


@sealed(frozen=True)
class _TitForTat(Bidding):
    source: ClassVar[str] = "Faratin, Sierra and Jennings 1998, section 4.3"
    offers_depend_on: ClassVar[frozenset[Dependency]] = frozenset({"history"})
    consecutive: ClassVar[bool] = True
    """True if the rule compares an offer of the opponent with its next, not with its last."""

    @property
    @abstractmethod
    def lag(self) -> int:
        """The number of offers before the opponent's last one to the one that is compared."""

    @property
    def memory(self) -> int:
        """The own last offer and the opponent's that the rule compares; NOTHING with AC_combi."""
        compared = LAGGED + 2 * (self.lag - 1) + (self.consecutive and self.lag > 1)
        return NOTHING if "history" in RULES[self.acceptance.rule].depends_on else compared

    def answers(self, own: int, before: int, after: int, position: Position) -> Sequence[float]:
        """Return the possible offers, by the own last and two of the opponent's."""
        shift = max(0, 1 - position.scenario.prices[0])
        return ((own + shift) * (before + shift) / (after + shift) - shift,)

    def offers(self, position: Position) -> Sequence[float]:
        own, received = position.own_last_offer, position.opponent_offers
        if own is None or len(received) <= self.lag:
            return (best_price(position.scenario, position.role),)
        after = received[-self.lag if self.consecutive else -1]
        return self.answers(own, received[-1 - self.lag], after, position)


@sealed(frozen=True)
class Relative(_TitForTat):
    name: ClassVar[str] = "tit-for-tat"
    summary: ClassVar[str] = "concedes by the percentage that the other side did"
    delta: int = setting(1, check=_OFFERS)

    @property
    def lag(self) -> int:
        return self.delta


@sealed(frozen=True)
class RandomAbsolute(Relative):
    name: ClassVar[str] = "random-tit-for-tat"
    summary: ClassVar[str] = "concedes what the other side did, and a little more"
    largest: int = setting(1, check=partial(integer, low=0, high=1000))
    """M, the largest random concession."""

    @property
    def memory(self) -> int:
        """NOTHING with many possible concessions: the table would take long to make."""
        return super().memory if self.largest <= 20 else NOTHING

    def answers(self, own: int, before: int, after: int, position: Position) -> Sequence[float]:
        direction = -1 if position.role is Role.SELLER else 1
        return [own + before - after + direction * extra for extra in range(self.largest + 1)]


@sealed(frozen=True)
class Averaged(_TitForTat):
    name: ClassVar[str] = "averaged-tit-for-tat"
    summary: ClassVar[str] = "concedes by the percentage of several offers"
    consecutive: ClassVar[bool] = False
    gamma: int = setting(2, check=_OFFERS)

    @property
    def lag(self) -> int:
        return self.gamma
