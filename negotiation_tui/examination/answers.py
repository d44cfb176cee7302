"""The answers of a player to questions about its decisions, and the tables made of them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy, legal_rows
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.records import sealed
from negotiation_tui.solvers.reach import normalised

ENOUGH = 4  # the answers per decision from which on there are bounds


@sealed(frozen=True, eq=False)
class Answers:
    """Counts of a player's answers; a decision is a row of the tables of all its limits."""

    scenario: Scenario  # opener-aware
    role: Role
    halves: Ints
    """The number of times that each legal action was the answer in the first and in the second
    pass, shape (2, n_rows, n_actions)."""
    odds: Floats | None = None
    """Exact chances, shape (n_rows, n_actions); a row of zeros if the player stated none."""

    @cached_property
    def asked(self) -> Ints:
        """The number of answers per decision, shape (n_rows,)."""
        return np.asarray(self.halves.sum(axis=(0, 2)))

    @cached_property
    def sampled(self) -> Mask:
        """True for a decision that is known by answers alone, not by exact chances."""
        return np.asarray((self.asked > 0) & np.logical_not(self._exact))

    @cached_property
    def _exact(self) -> Mask | bool:
        return self.odds is not None and np.asarray(self.odds.any(axis=1))

    @property
    def answered(self) -> Mask:
        """True for a decision with an answer."""
        return np.asarray((self.asked > 0) | self._exact)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Its arrays, with those that were computed so far."""
        return tuple(each for each in vars(self).values() if isinstance(each, np.ndarray))

    @property
    def repeated(self) -> bool:
        """True if no decision is known by a single answer."""
        return bool((self.asked[self.sampled] > 1).all())

    @property
    def enough(self) -> bool:
        """True if each decision that was asked has answers enough for bounds."""
        return bool((self.halves.sum(axis=2).min(axis=0)[self.sampled] * 2 >= ENOUGH).all())

    @cached_property
    def table(self) -> TabularPolicy:
        """The frequencies of the answers; uniform over legal actions where nothing was asked."""
        return TabularPolicy.of_probabilities(self.scenario, self.role, self.chances())

    def chances(self, halves: Sequence[int] = (0, 1), smoothing: float = 0.0) -> Floats:
        """The chance of each action, shape (n_rows, n_actions); `smoothing` is added to counts."""
        legal = legal_rows(self.scenario, self.role)
        counts = self.halves[list(halves)].sum(axis=0) + smoothing * legal
        found = normalised(counts, normalised(legal.astype(np.float64), np.zeros(legal.shape)))
        if self.odds is None:
            return found
        return np.where(self.odds.any(axis=1, keepdims=True), self.odds, found)
