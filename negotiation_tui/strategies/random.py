"""Random strategies: any legal action, or any price that does not lose money."""

from collections.abc import Sequence
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.records import sealed
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.bidding import Bidding


@sealed(frozen=True)
class Random(Strategy):
    """Plays every legal action with equal probability, walking away included."""

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "any legal action, as an untrained learner plays"
    source: ClassVar[str] = "the original's untrained agent"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset()

    def support(self, position: Position) -> Sequence[int]:
        return position.scenario.legal_actions(position.state, position.role)


@sealed(frozen=True)
class ZeroIntelligence(Bidding):
    name: ClassVar[str] = "zero-intelligence"
    summary: ClassVar[str] = "any price in its range, at random (ZI-C)"
    source: ClassVar[str] = "Gode and Sunder 1993"
    offers_depend_on: ClassVar[frozenset[Dependency]] = frozenset()

    def offers(self, position: Position) -> Sequence[float]:
        scenario = position.scenario
        return [scenario.prices[offer] for offer in scenario.offers(position.role)]
