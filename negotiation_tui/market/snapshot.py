"""Snapshots of a market: plain, immutable values that any thread may read."""

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
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation

Ints = NDArray[np.int64]
_SNAPSHOT, _ARRAY = 1500, 112
"""Bytes of a snapshot and of each array beside its numbers, measured with tracemalloc."""


@dataclass(frozen=True, eq=False)
class MarketSetup:
    """The agents and the limit of a market, fixed for the whole run.

    Agents are numbered from 0, sellers first.
    """

    scenario: Scenario
    limit: RunLength
    seed: int
    ticks: int
    period: int
    """Ticks per row of the history."""
    agents: tuple[Agent, ...]
    sellers: int
    """Number of sellers."""
    reservation: Ints
    wallet_index: Ints
    """The number of each agent's wallet."""
    wallet_names: tuple[str, ...]
    bytes_per_agent: float

    @classmethod
    def of(cls, market: MarketSimulation) -> "MarketSetup":
        """Return the setup of a market."""
        return cls(
            market.scenario,
            market.limit,
            market.seed,
            market.ticks,
            market.period,
            market.agents,
            len(market.side(Role.SELLER)),
            np.array([agent.reservation for agent in market.agents], np.int64),
            market.wallet_index,
            market.wallet_names,
            market.bytes_per_agent,
        )

    @cached_property
    def teams(self) -> tuple[str, ...]:
        """The names of the teams."""
        return tuple(dict.fromkeys(agent.team for agent in self.agents if agent.team))

    @cached_property
    def in_team(self) -> NDArray[np.bool_]:
        """True for each agent that is in a team."""
        return np.array([agent.team is not None for agent in self.agents])

    @cached_property
    def competitive(self) -> tuple[int, int]:
        """The lowest and the highest competitive price."""
        costs, values = (self.reservation[self.of_role(role)].tolist() for role in Role)
        return economics.competitive_range(costs, values)

    def of_role(self, role: Role) -> slice:
        """Return the numbers of the agents of a role."""
        return slice(self.sellers, None) if role is Role.BUYER else slice(0, self.sellers)

    def number(self, role: Role, at: int) -> int:
        """Return the number of the agent with index `at` in its role."""
        return int(at) + (self.sellers if role is Role.BUYER else 0)


@dataclass(frozen=True, eq=False)
class MarketSnapshot:
    """The state of a market right after a tick; its arrays must not be written to."""

    setup: MarketSetup
    tick: int
    """Ticks so far."""
    negotiations: int
    encounters: Encounters
    """The negotiations of the last tick, and earlier ones that are not over yet."""
    free_at: Ints
    """The tick from which each agent may meet somebody again."""
    met: Ints
    """Number of negotiations of each agent."""
    deals: Ints
    money: Ints
    """Money received by each seller, paid by each buyer."""
    wallets: Ints
    history: Ints
    """Shape (rows, N_HISTORY); the columns of `ledger`."""
    sold: Ints
    """Shape (rows, n_prices): number of deals at each price."""
    possible: int
    """The maximum surplus so far."""
    followed: int
    """The number of the agent that the screen shows."""
    tables: Mapping[int, NDArray[np.float64]]
    """The Q-tables of the followed agent and of its partner, by agent; learners only."""
    finished: bool
    per_second: float | None
    """Ticks per second; None unless running."""
    compiled: bool
    notice: str
    """The latest message for the user."""
    notices: int
    """Number of messages so far."""
    handled: int
    """Number of commands carried out."""

    @cached_property
    def gains(self) -> Ints:
        """Each agent's surplus: price − cost or value − price, summed over its deals."""
        gains = self.money - self.setup.reservation * self.deals
        gains[self.setup.of_role(Role.BUYER)] *= -1
        return gains

    @cached_property
    def size(self) -> int:
        """Approximate size in bytes, without the setup; its arrays are all its own."""
        values = (*vars(self).values(), *vars(self.encounters).values(), *self.tables.values())
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        arrays += [self.gains, self.encounters.rounds]  # computed when they are first needed
        distinct = {id(array): array for array in arrays}.values()
        return _SNAPSHOT + sum(array.nbytes + _ARRAY for array in distinct)

    def encounter_of(self, agent: int) -> int | None:
        """Return the index of the encounter that an agent takes part in; None if there is none."""
        role = self.setup.agents[agent].role
        index = agent - self.setup.number(role, 0)
        encounters = np.flatnonzero(self.encounters.of(role) == index)
        return int(encounters[-1]) if len(encounters) else None
