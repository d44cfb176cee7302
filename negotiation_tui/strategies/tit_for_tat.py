"""Concession in kind (Faratin, Sierra and Jennings 1998, section 4.3).

With δ the offers looked back and x, y one's own and the other's offers, the newest last:

    relative          x ← x₋₁ · y₋₁₋δ / y₋δ
    random absolute   x ← x₋₁ + (y₋₁₋δ − y₋δ) ± R,   R drawn from 0 … M
    averaged          x ← x₋₁ · y₋₁₋γ / y₋₁

each within one's own range. Until the other has made enough offers one asks one's best price.
What is conceded at random moves toward the other. Where a
grid begins below 1, ratios are of prices moved up so that it begins at 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.validate import integer
from negotiation_tui.strategies.base import Dependency
from negotiation_tui.strategies.bidding import Bidding, best_price

_SOURCE = "Faratin, Sierra and Jennings 1998, section 4.3"


@dataclass(frozen=True)
class _TitForTat(Bidding):
    source: ClassVar[str] = _SOURCE

    @property
    def offers_depend_on(self) -> frozenset[Dependency]:
        return frozenset({"history"})

    def needed(self) -> int:
        """How many offers of the other it must have heard."""
        raise AssertionError

    def answer(self, own: int, theirs: Sequence[int], position: Position) -> Sequence[float]:
        """What it may ask, from its own last price and the other's offers."""
        raise AssertionError

    def offers(self, position: Position) -> Sequence[float]:
        if position.own_last_offer is None or len(position.opponent_offers) < self.needed():
            return (best_price(position.scenario, position.role),)
        return self.answer(position.own_last_offer, position.opponent_offers, position)


def _scaled(position: Position, own: int, before: int, after: int) -> float:
    """One's own price times the ratio of two prices of the other."""
    shift = max(0, 1 - position.scenario.prices[0])
    return (own + shift) * (before + shift) / (after + shift) - shift


@dataclass(frozen=True)
class Relative(_TitForTat):
    """Concedes by the percentage the other conceded δ offers ago."""

    name: ClassVar[str] = "tit-for-tat"
    summary: ClassVar[str] = "concedes by the percentage that the other did"
    delta: int = 1

    def __post_init__(self) -> None:
        integer("delta", self.delta, 1, 1000)

    def needed(self) -> int:
        return self.delta + 1

    def answer(self, own: int, theirs: Sequence[int], position: Position) -> Sequence[float]:
        return (_scaled(position, own, theirs[-1 - self.delta], theirs[-self.delta]),)


@dataclass(frozen=True)
class RandomAbsolute(_TitForTat):
    """Concedes the amount the other conceded δ offers ago, and a little at random."""

    name: ClassVar[str] = "random-tit-for-tat"
    summary: ClassVar[str] = "concedes what the other did, and a little more"
    delta: int = 1
    largest: int = 1
    """M, the most that is conceded at random."""

    def __post_init__(self) -> None:
        integer("delta", self.delta, 1, 1000)
        integer("largest", self.largest, 0, 1000)

    def needed(self) -> int:
        return self.delta + 1

    def answer(self, own: int, theirs: Sequence[int], position: Position) -> Sequence[float]:
        toward = -1 if position.role is Role.SELLER else 1
        moved = own + theirs[-1 - self.delta] - theirs[-self.delta]
        return tuple(moved + toward * extra for extra in range(self.largest + 1))


@dataclass(frozen=True)
class Averaged(_TitForTat):
    """Concedes by the percentage the other conceded over its last γ offers."""

    name: ClassVar[str] = "averaged-tit-for-tat"
    summary: ClassVar[str] = "concedes by the percentage of several offers"
    gamma: int = 2

    def __post_init__(self) -> None:
        integer("gamma", self.gamma, 1, 1000)

    def needed(self) -> int:
        return self.gamma + 1

    def answer(self, own: int, theirs: Sequence[int], position: Position) -> Sequence[float]:
        return (_scaled(position, own, theirs[-1 - self.gamma], theirs[-1]),)
