"""An example of your own strategy: it concedes a fixed number of prices per round.

negotiation-tui --seller docs/my_strategy.py:step=2
negotiation-tui check docs/my_strategy.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from negotiation_tui import Position, Role, Strategy


@dataclass(frozen=True)
class Stepwise(Strategy):
    name = "stepwise"
    summary = "concedes `step` prices of the grid per round"
    source = "docs/my_strategy.py"
    # The choice may depend on "time", its "own" last price, the "opener" or the whole "history" of
    # offers. Name here what it uses; the standing offer and the last decision are always known.
    depends_on = frozenset({"time", "opener"})

    step: int = 1
    """A field with a type and a default is a setting."""

    def support(self, position: Position) -> Sequence[int]:
        # An action is the index of a price in `scenario.prices`, or one of these two.
        scenario, role = position.scenario, position.role
        accept, walk_away = scenario.accept, scenario.walk_away
        standing = position.standing_offer
        if position.last_decision:
            return [accept if standing in scenario.acceptable_range(role) else walk_away]
        offers = scenario.offers(role)  # indices of the prices in its range, cheapest first
        conceded = min(self.step * (position.ply // 2), len(offers) - 1)
        offer = offers[-1 - conceded] if role is Role.SELLER else offers[conceded]
        if standing is None:
            return [offer]
        price = scenario.prices[offer]
        good = standing >= price if role is Role.SELLER else standing <= price
        return [accept if good else offer]
