"""Negotiations of many pairs, as arrays. Pure."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.ledger import NOBODY

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Encounters:
    """Finished negotiations: one entry per negotiation in each array.

    An agent's number is its index in its role.
    """

    n_prices: int
    begun: Ints
    """The tick of the first turn."""
    sellers: Ints
    buyers: Ints
    openers: Ints
    """The role that opened."""
    learners: Ints
    """The role that explored and learned, or NOBODY."""
    epsilons: NDArray[np.float64]
    """The learner's exploration probability."""
    n_turns: Ints
    turns: NDArray[np.int32]
    """Shape (n, 2·rounds): the action of each turn."""
    explored: NDArray[np.int32]
    """Shape (n, 2·rounds): 1 if the action was drawn at random."""

    @classmethod
    def none(cls, scenario: Scenario) -> Self:
        """Return an empty collection."""
        empty, turns = np.zeros(0, np.int64), np.zeros((0, 2 * scenario.rounds), np.int32)
        return cls(scenario.n_prices, *(empty,) * 5, np.zeros(0), empty, turns, turns)

    def __len__(self) -> int:
        return len(self.sellers)

    @cached_property
    def rounds(self) -> Ints:
        """The number of rounds of each negotiation."""
        return (self.n_turns + 1) // 2

    def of(self, role: Role) -> Ints:
        """Return the agents of a role that take part."""
        return self.buyers if role is Role.BUYER else self.sellers

    def after(self, visible: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """Return the index of the standing offer after `visible` turns, and True if it is accepted.

        The index is −1 before the first offer and after somebody walked away.
        """
        visible = np.minimum(visible, self.n_turns)
        rows = np.arange(len(self))
        last = np.where(visible > 0, self.turns[rows, np.maximum(visible, 1) - 1], -1)
        before = np.where(visible > 1, self.turns[rows, np.maximum(visible, 2) - 2], -1)
        agreed = last == self.n_prices
        return np.where(agreed, before, np.where(last > self.n_prices, -1, last)), agreed

    def select(self, index: NDArray[np.bool_] | Ints) -> Self:
        """Select negotiations by a mask or by their indices."""
        return self._map(lambda name: getattr(self, name)[index])

    def followed_by(self, later: Self) -> Self:
        """Concatenate with later negotiations."""
        return self._map(lambda name: np.concatenate([getattr(self, name), getattr(later, name)]))

    def _map(self, rows: Callable[[str], NDArray[Any]]) -> Self:
        names = (field.name for field in fields(self) if field.name != "n_prices")
        return type(self)(self.n_prices, **{name: rows(name) for name in names})

    def transcript(self, at: int, scenario: Scenario) -> Transcript:
        """Return the transcript of negotiation `at`.

        `scenario` is restricted to the reservation prices of both agents.
        """
        actions = iter(self.turns[at, : self.n_turns[at]].tolist())
        explored = self.explored[at, : self.n_turns[at]].tolist()
        opener = Role(int(self.openers[at]))
        return play_out(scenario, opener, lambda _: next(actions), explored)

    def learner(self, at: int) -> Role | None:
        """Return the role that learned from negotiation `at`; None if no role did."""
        return None if self.learners[at] == NOBODY else Role(int(self.learners[at]))
