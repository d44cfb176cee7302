"""The facts of a market that trading does not change."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.records import sealed


@sealed(frozen=True, eq=False)
class MarketSetup:
    """The facts of a market. Agents are numbered: sellers first, of each role learners first."""

    scenario: Scenario
    agents: tuple[Agent, ...]
    limit: RunLength
    seed: int
    ticks: int

    @cached_property
    def sellers(self) -> int:
        return sum(agent.role is Role.SELLER for agent in self.agents)

    @cached_property
    def reservation(self) -> Ints:
        return np.array([agent.reservation for agent in self.agents], np.int64)

    @cached_property
    def signs(self) -> Ints:
        """1 for sellers, who gain from a high price, −1 for buyers."""
        return np.where(np.arange(len(self.agents)) < self.sellers, 1, -1)

    @cached_property
    def wallet_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(agent.team or agent.name for agent in self.agents))

    @cached_property
    def wallet_index(self) -> Ints:
        numbers = {name: number for number, name in enumerate(self.wallet_names)}
        return np.array([numbers[agent.team or agent.name] for agent in self.agents], np.int64)

    @cached_property
    def teams(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(agent.team for agent in self.agents if agent.team))

    @cached_property
    def in_team(self) -> NDArray[np.bool_]:
        return np.array([agent.team is not None for agent in self.agents])

    @cached_property
    def reservations(self) -> tuple[list[int], list[int]]:
        return pair(self.reservation[self.of_role(role)].tolist() for role in Role)

    @cached_property
    def scale(self) -> int:
        """The surplus that counts as a reward of 1: the greatest, or the width of the grid."""
        costs, values = self.reservations
        greatest = (max(values) - min(costs)) or 1
        return greatest if greatest > 0 else self.scenario.prices[-1] - self.scenario.prices[0]

    @cached_property
    def competitive(self) -> tuple[int, int]:
        """The lowest and the highest competitive price, at least and at most those of the grid."""
        first, *_, last = self.scenario.prices
        prices = economics.competitive_range(*self.reservations)
        return pair(min(max(price, first), last) for price in prices)

    def of_role(self, role: Role) -> slice:
        return slice(self.sellers, None) if role is Role.BUYER else slice(0, self.sellers)

    def surplus(self, money: Ints, deals: Ints, lost: Floats) -> NDArray[Any]:
        """Return each agent's surplus: price − cost or value − price, summed over its deals.

        With time costs it is less by what these took, `lost`, and a float.
        """
        surplus = self.signs * (money - self.reservation * deals)
        return surplus - lost if self.scenario.time_costs else surplus

    def by_wallet(self, column: NDArray[Any]) -> NDArray[Any]:
        sums = np.zeros(len(self.wallet_names), column.dtype)
        np.add.at(sums, self.wallet_index, column)
        return sums
