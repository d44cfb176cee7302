"""Plain values of a market that any thread may read: its encounters, and a snapshot."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.setup import MarketSetup
from negotiation_tui.market.tick_loop import NOBODY, SURPLUS
from negotiation_tui.runtime.arrays import Ints
from negotiation_tui.runtime.records import fields, sealed
from negotiation_tui.runtime.status import Status

_SNAPSHOT, _ARRAY = 1500, 112  # bytes of a snapshot and of each array, beside its numbers


@sealed(frozen=True, eq=False)
class Encounters:
    """Finished negotiations: one entry per negotiation in each array.

    `turns` and `explored` have shape (n, 2·rounds): each action, and 1 if it was drawn at random.
    """

    n_prices: int
    begun: Ints  # the tick of the first turn
    sellers: Ints  # the number of each seller
    buyers: Ints
    openers: Ints
    learners: Ints  # the role that explored and learned, or NOBODY
    n_turns: Ints
    turns: NDArray[np.int32]
    explored: NDArray[np.int32]

    @classmethod
    def none(cls, scenario: Scenario) -> Self:
        empty, turns = np.zeros(0, np.int64), np.zeros((0, 2 * scenario.rounds), np.int32)
        return cls(scenario.n_prices, *(empty,) * 6, turns, turns)

    def __len__(self) -> int:
        return len(self.sellers)

    @cached_property
    def rounds(self) -> Ints:
        return (self.n_turns + 1) // 2

    def of(self, role: Role) -> Ints:
        return self.buyers if role is Role.BUYER else self.sellers

    def after(self, visible: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the index of the offer after `visible` turns, else −1, and True if accepted."""
        visible = np.minimum(visible, self.n_turns)
        rows = np.arange(len(self))
        last = np.where(visible > 0, self.turns[rows, np.maximum(visible, 1) - 1], -1)
        before = np.where(visible > 1, self.turns[rows, np.maximum(visible, 2) - 2], -1)
        agreed = last == self.n_prices
        return np.where(agreed, before, np.where(last > self.n_prices, -1, last)), agreed

    def followed_by(self, later: Self, kept: NDArray[np.bool_]) -> Self:
        columns = {
            each.name: np.concatenate([getattr(self, each.name)[kept], getattr(later, each.name)])
            for each in fields(self)[1:]
        }
        return type(self)(self.n_prices, **columns)

    def transcript(self, at: int, scenario: Scenario) -> Transcript:
        """Return the transcript of negotiation `at` in the scenario of both reservation prices."""
        actions, explored = (each[at, : self.n_turns[at]] for each in (self.turns, self.explored))
        opener = Role(int(self.openers[at]))
        return Transcript.of(scenario, opener, actions.tolist(), explored.tolist())

    def learner(self, at: int) -> Role | None:
        return None if self.learners[at] == NOBODY else Role(int(self.learners[at]))


@sealed(frozen=True, eq=False, kw_only=True)
class MarketSnapshot:
    """The state of a market right after a tick; its arrays must not be written to."""

    status: Status
    setup: MarketSetup
    tick: int  # ticks so far
    negotiations: int
    encounters: Encounters  # those of the last tick, and earlier ones that are not over yet
    free_at: Ints  # the tick from which each agent may meet somebody again
    meetings: Ints  # number of negotiations of each agent
    deals: Ints
    money: Ints  # money received by each seller, paid by each buyer
    lost: NDArray[np.float64]  # the gain that time costs took; without time costs empty
    wallets: Ints
    history: Ints  # shape (rows, N_HISTORY); columns NEGOTIATIONS, …
    sold: Ints  # shape (rows, n_prices): number of deals at each price
    possible: int  # the maximum surplus so far
    followed: int  # the number of the agent that the screen shows
    tables: Mapping[int, NDArray[np.float64]]  # of the followed agent and its partner
    finished: bool

    @cached_property
    def gains(self) -> NDArray[Any]:
        return self.setup.surplus(self.money, self.deals, self.lost)

    @property
    def surplus(self) -> float:
        """The sum of all gains."""
        return float(self.history[:, SURPLUS].sum() - self.lost.sum())

    @property
    def key(self) -> int:
        return self.tick

    def bytes_beyond(self, _before: Self | None) -> int:
        """Return the bytes of a snapshot, which shares none with the one before."""
        values = (*vars(self).values(), *vars(self.encounters).values(), *self.tables.values())
        arrays = [value for value in values if isinstance(value, np.ndarray)]
        arrays += [self.gains, self.encounters.rounds]  # computed when they are first needed
        distinct = {id(array): array for array in arrays}.values()
        return _SNAPSHOT + sum(array.nbytes + _ARRAY for array in distinct)

    def encounter_of(self, agent: int) -> int | None:
        """Return the index of the encounter that an agent takes part in; None if there is none."""
        met = self.encounters
        encounters = np.flatnonzero((met.sellers == agent) | (met.buyers == agent))
        return int(encounters[-1]) if len(encounters) else None
