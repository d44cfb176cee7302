"""What was said in a market: negotiations of many pairs as arrays. Pure."""

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
    """Negotiations, one an entry of each array; all are over in their last turn.

    Agents go by their number among those of their role.
    """

    n_prices: int
    begun: Ints
    """The tick that each began in."""
    sellers: Ints
    buyers: Ints
    opened: Ints
    """The role that opened."""
    trained: Ints
    """The role that explored and learned, or NOBODY."""
    epsilons: NDArray[np.float64]
    """How likely it was to explore."""
    said: Ints
    """How many turns there were."""
    turns: NDArray[np.int32]
    """Shape (n, 2·rounds): the action of each turn."""
    explored: NDArray[np.int32]
    """The same shape: 1 where it was drawn at random."""

    @classmethod
    def none(cls, scenario: Scenario) -> Self:
        """Nobody has met yet."""
        nobody, said = np.zeros(0, np.int64), np.zeros((0, 2 * scenario.rounds), np.int32)
        whole = (nobody,) * 5
        return cls(scenario.n_prices, *whole, np.zeros(0), nobody, said, said)

    def __len__(self) -> int:
        return len(self.sellers)

    @cached_property
    def rounds(self) -> Ints:
        """How many rounds each took."""
        return (self.said + 1) // 2

    def of(self, role: Role) -> Ints:
        """Who took part, of one role."""
        return self.buyers if role is Role.BUYER else self.sellers

    def after(self, visible: Ints) -> tuple[Ints, NDArray[np.bool_]]:
        """The index of the price on the table after so many turns of each, and who agreed on it.

        −1 where there is none: nothing was said yet, or somebody quit.
        """
        visible = np.minimum(visible, self.said)
        rows = np.arange(len(self))
        last = np.where(visible > 0, self.turns[rows, np.maximum(visible, 1) - 1], -1)
        before = np.where(visible > 1, self.turns[rows, np.maximum(visible, 2) - 2], -1)
        agreed = last == self.n_prices
        return np.where(agreed, before, np.where(last > self.n_prices, -1, last)), agreed

    def chosen(self, which: NDArray[np.bool_] | Ints) -> Self:
        """Some of them."""
        return self._like(lambda name: getattr(self, name)[which])

    def with_later(self, later: Self) -> Self:
        """These and those."""
        return self._like(lambda name: np.concatenate([getattr(self, name), getattr(later, name)]))

    def _like(self, rows: Callable[[str], NDArray[Any]]) -> Self:
        names = (field.name for field in fields(self) if field.name != "n_prices")
        return type(self)(self.n_prices, **{name: rows(name) for name in names})

    def transcript(self, at: int, scenario: Scenario) -> Transcript:
        """One of them, by the rules as these two see them."""
        actions = iter(self.turns[at, : self.said[at]].tolist())
        explored = self.explored[at, : self.said[at]].tolist()
        opener = Role(int(self.opened[at]))
        return play_out(scenario, opener, lambda _: next(actions), explored)

    def learner(self, at: int) -> Role | None:
        """Who learned from one of them."""
        return None if self.trained[at] == NOBODY else Role(int(self.trained[at]))
