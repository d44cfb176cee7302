"""Compute how two tables play against each other, exactly: each outcome and its probability."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy

Tables = tuple[TabularPolicy, TabularPolicy]
CERTAIN = 1 - 1e-9
"""A probability above this one is 1, but for rounding."""


@dataclass(frozen=True, eq=False, slots=True)
class ExpectedPlay:
    """The outcomes of negotiations that one role opens."""

    scenario: Scenario
    opener: Role
    openings: tuple[int, ...]
    """The prices that the opener begins with, from the lowest on."""
    deals: NDArray[np.float64]
    """The probability of a deal in each round at each price, shape (T, P)."""
    walks: tuple[float, float]
    """The probability that a role walks away, seller first."""

    @property
    def deal(self) -> float:
        """The probability of a deal."""
        return float(self.deals.sum())

    @property
    def always_deal(self) -> bool:
        """True if every negotiation ends in a deal."""
        return self.deal > CERTAIN

    @property
    def price(self) -> float | None:
        """The mean price of a deal, None if there is none."""
        return self._mean(self.deals.sum(axis=0), np.array(self.scenario.prices))

    @property
    def rounds(self) -> float | None:
        """The mean number of rounds to a deal, None if there is none."""
        return self._mean(self.deals.sum(axis=1), np.arange(1, self.scenario.rounds + 1))

    @property
    def only(self) -> tuple[int, int] | None:
        """The round, from 1, and the price of the only outcome; None if there are several."""
        time, at = np.unravel_index(int(self.deals.argmax()), self.deals.shape)
        if self.deals[time, at] <= CERTAIN:
            return None
        return int(time) + 1, self.scenario.prices[int(at)]

    def _mean(self, chances: NDArray[np.float64], values: NDArray[np.int64]) -> float | None:
        return float(chances @ values / self.deal) if self.deal > 1 - CERTAIN else None


def expected_play(scenario: Scenario, tables: Tables, opener: Role) -> ExpectedPlay:
    """Return the outcomes if `opener` begins; the tables are without a memory, seller first.

    No limits may be hidden; see `lottery_play`.
    """
    assert not scenario.hidden
    P, T = scenario.n_prices, scenario.rounds
    deals, walks = np.zeros((T, P)), [0.0, 0.0]
    first = tables[opener]
    openings = first.actions[START, : first.n_actions[START]]
    standing = np.bincount(first.actions[START], first.chances(slice(1))[0], minlength=P)
    for ply in range(1, 2 * T):
        role, time = opener if ply % 2 == 0 else opener.other, (ply - 1) // 2
        table, rows = tables[role], tables[role].rows(time, role is opener)
        actions, chances = table.actions[rows], standing[:, None] * table.chances(rows)
        deals[ply // 2] += np.where(actions == scenario.accept, chances, 0.0).sum(axis=1)
        walks[role] += float(chances[actions == scenario.walk_away].sum())
        asked = actions < P
        standing = np.bincount(actions[asked], chances[asked], minlength=P).astype(np.float64)
    prices = tuple(scenario.prices[action] for action in sorted(openings.tolist()))
    return ExpectedPlay(scenario, opener, prices, deals, (walks[0], walks[1]))
