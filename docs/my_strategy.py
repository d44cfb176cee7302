"""A strategy of one's own: concedes a step each round, and takes what is good enough.

negotiation-tui --seller docs/my_strategy.py:step=2
negotiation-tui check-strategy docs/my_strategy.py
"""

from collections.abc import Sequence
from dataclasses import dataclass

from negotiation_tui import Position, Role, Strategy


@dataclass(frozen=True)
class Stepwise(Strategy):
    name = "stepwise"
    summary = "concedes so many prices of the grid each round"
    source = "docs/my_strategy.py"
    # Of "time", one's "own" last price, who was the "opener" and the whole "history" of offers:
    # what the choices look at, besides the price on the table and whether it is the last decision.
    depends_on = frozenset({"time", "opener"})

    step: int = 1
    """How many; a setting, for it has a type and a usual value."""

    def support(self, position: Position) -> Sequence[int]:
        # An action is the index of a price in `scenario.prices`, or one of these two.
        scenario, role = position.scenario, position.role
        accept, reject = scenario.accept, scenario.walk_away
        acceptable = position.standing_offer in scenario.acceptable_range(role)
        if position.last_decision:
            return [accept if acceptable else reject]
        offers = scenario.offers(role)  # the prices of its own range, cheapest first
        conceded = min(self.step * (position.ply // 2), len(offers) - 1)
        if role is Role.SELLER:
            ask = offers[-1 - conceded]
            good = (
                position.standing_offer is not None
                and position.standing_offer >= scenario.prices[ask]
            )
        else:
            ask = offers[conceded]
            good = (
                position.standing_offer is not None
                and position.standing_offer <= scenario.prices[ask]
            )
        return [accept if good else ask]
