"""A user's own strategy: concedes one step per round, and accepts an offer as good as its next.

negotiation-tui --seller docs/my_strategy.py:step=2
negotiation-tui check-strategy docs/my_strategy.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from negotiation_tui import Position, Role, Strategy


@dataclass(frozen=True)
class Stepwise(Strategy):
    name = "stepwise"
    summary = "concedes a fixed number of prices of the grid per round"
    source = "docs/my_strategy.py"
    # The parts of a position that `support` uses: "time", the "own" last offer, the "opener" or the
    # whole "history". The standing offer and the last decision may always be used.
    depends_on = frozenset({"time", "opener"})

    step: int = 1
    """Prices conceded per round; a setting, because it has a type and a default value."""

    def support(self, position: Position) -> Sequence[int]:
        # An action is the index of a price, or `scenario.accept` or `scenario.walk_away`.
        scenario, role = position.scenario, position.role
        acceptable = position.standing_offer in scenario.acceptable_range(role)
        if position.last_decision:
            return [scenario.accept if acceptable else scenario.walk_away]
        offers = scenario.offers(role)  # indices of the prices in its range, cheapest first
        conceded = min(self.step * (position.ply // 2), len(offers) - 1)
        offer = offers[-1 - conceded] if role is Role.SELLER else offers[conceded]
        standing, price = position.standing_offer, scenario.prices[offer]
        if standing is None:
            return [offer]
        good = standing >= price if role is Role.SELLER else standing <= price
        return [scenario.accept if good else offer]
