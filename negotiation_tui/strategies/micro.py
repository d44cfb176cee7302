"""MiCRO, the minimal concession strategy (de Jonge, IJCAI 2022)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.game.memory import DIFFERENT
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.strategies.base import Dependency, Strategy
from negotiation_tui.strategies.bidding import AC_NEXT


@dataclass(frozen=True)
class MiCRO(Strategy):
    """Concedes one price of the grid for each new offer of the opponent.

    Let m be the number of its own different offers and n the opponent's. If m ≤ n and a price is
    left, it offers its next price. Otherwise it repeats one of its offers, drawn at random. A
    standing offer at least as good as the next price (or as its worst offer so far) is accepted.
    """

    name: ClassVar[str] = "micro"
    summary: ClassVar[str] = "concedes one price for each new offer of the other"
    source: ClassVar[str] = "de Jonge 2022, MiCRO"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"history"})
    memory: ClassVar[int] = DIFFERENT

    def support(self, position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        acceptable = position.standing_offer in scenario.acceptable_range(role)
        if position.last_decision:
            return (scenario.accept if acceptable else scenario.walk_away,)
        offers = list(scenario.offers(role))
        if role is Role.SELLER:
            offers.reverse()
        made = sorted({offers.index(scenario.prices.index(price)) for price in position.own_offers})
        following = made[-1] + 1 if made else 0
        concedes = len(made) <= len(set(position.opponent_offers)) and following < len(offers)
        worst = offers[following if concedes else made[-1]]
        if acceptable and AC_NEXT.accepts(position, scenario.prices[worst]):
            return (scenario.accept,)
        return (worst,) if concedes else [offers[n] for n in made]
