"""What a market publishes while it goes on: plain, immutable values that any thread may read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.encounters import Encounters
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MarketSetup:
    """Who is in a market and how long it is open; the same throughout.

    Agents are numbered in one row, sellers first.
    """

    scenario: Scenario
    limit: Limit
    seed: int
    ticks: int
    period: int
    """Ticks in a row of the history."""
    agents: tuple[Agent, ...]
    sellers: int
    """How many of them sell."""
    reservation: Ints
    wallet_index: Ints
    """Which wallet each has."""
    wallet_names: tuple[str, ...]
    bytes_per_agent: float

    @classmethod
    def of(cls, room: MarketSimulation) -> "MarketSetup":
        """Who is in a room."""
        return cls(
            room.scenario,
            room.limit,
            room.seed,
            room.ticks,
            room.period,
            room.agents,
            len(room.side(Role.SELLER)),
            np.array([agent.reservation for agent in room.agents], np.int64),
            room.purses,
            room.wallet_names,
            room.bytes_per_agent,
        )

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """The names of the teams."""
        return tuple(dict.fromkeys(agent.team for agent in self.agents if agent.team))

    @cached_property
    def in_team(self) -> NDArray[np.bool_]:
        """Whether each agent is in a team."""
        return np.array([agent.team is not None for agent in self.agents])

    @cached_property
    def competitive(self) -> tuple[int, int]:
        """The lowest and the highest competitive price."""
        costs, values = (self.reservation[self.of_role(role)].tolist() for role in Role)
        return economics.competitive_range(costs, values)

    def of_role(self, role: Role) -> slice:
        """The numbers of the agents of a role."""
        return slice(self.sellers, None) if role is Role.BUYER else slice(0, self.sellers)

    def number(self, role: Role, at: int) -> int:
        """The number of an agent from its place among those of its role."""
        return int(at) + (self.sellers if role is Role.BUYER else 0)


@dataclass(frozen=True, eq=False)
class MarketSnapshot:
    """A market right after a tick; its arrays are not to be written to."""

    setup: MarketSetup
    tick: int
    """How many ticks went by."""
    negotiations: int
    encounters: Encounters
    """What is going on: begun in the last tick, or before and not over yet."""
    free_at: Ints
    """The tick from which each agent may meet somebody again."""
    met: Ints
    """How many negotiations each agent had."""
    deals: Ints
    money: Ints
    """What each seller received, what each buyer paid."""
    wallets: Ints
    history: Ints
    """Shape (rows, N_HISTORY), as in `floor`."""
    sold: Ints
    """Shape (rows, n_prices)."""
    possible: int
    """The greatest surplus there could have been."""
    followed: int
    """The agent that one wants to see, by its number."""
    tables: Mapping[int, NDArray[np.float64]]
    """The Q-tables of the one followed and whoever it talks to, as far as they learn."""
    finished: bool
    per_second: float | None
    """Ticks a second while trading on, else None."""
    compiled: bool
    notice: str
    """The last thing there was to say."""
    notices: int
    handled: int
    """How many commands were carried out."""

    @cached_property
    def gains(self) -> Ints:
        """The surplus that each agent had: what deals brought beyond its reservation price."""
        gains = self.money - self.setup.reservation * self.deals
        gains[self.setup.of_role(Role.BUYER)] *= -1
        return gains

    @cached_property
    def size(self) -> int:
        """Bytes of its arrays."""
        said = self.encounters.turns.nbytes + self.encounters.explored.nbytes
        whole = (
            self.free_at,
            self.met,
            self.deals,
            self.money,
            self.wallets,
            self.encounters.begun,
        )
        tables = sum(table.nbytes for table in self.tables.values())
        rows = self.history.nbytes + self.sold.nbytes
        return said + tables + rows + sum(array.nbytes for array in whole)

    def meeting_of(self, agent: int) -> int | None:
        """Which of the meetings an agent takes part in; None where in none."""
        role = self.setup.agents[agent].role
        place = agent - self.setup.number(role, 0)
        found = np.flatnonzero(self.encounters.of(role) == place)
        return int(found[-1]) if len(found) else None
