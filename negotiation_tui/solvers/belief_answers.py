"""The answers of an opponent with a hidden limit to each offer, and the beliefs that they leave."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.limits import MAX_LIMITS
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers.beliefs import in_all_tables
from negotiation_tui.solvers.induction import stakes_of

_GRAINS = 2.0**43
"""Probabilities are equal if their multiples of 1/_GRAINS are, about 1e-13."""
MULTIPLIERS = np.cumprod(np.full(MAX_LIMITS + 1, 0x9E3779B97F4A7C15, np.uint64)).view(np.int64)
"""Odd numbers by which keys of beliefs are made; sums go beyond 64 bits and wrap around."""

Ints = NDArray[np.int64]


class Stakes(NamedTuple):
    """The offers of a role and the rewards of its limits: P prices, O offers, L limits."""

    offers: slice
    """The grid indices of all its limits' offers."""
    rewards: Floats
    """The reward of a deal at each price, shape (P, L)."""
    closing: Floats
    """The value of answering each price without an offer, shape (P, L)."""
    legal: NDArray[np.bool_]
    """True if a limit may make an offer, shape (O, 1, L)."""

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, scenario: Scenario, role: Role) -> "Stakes":
        """Return the stakes of a role, one column per limit."""
        offers = scenario.offers(role)
        each = [stakes_of(view, role) for view in scenario.views[role]]
        rewards = np.array([own.rewards for own in each]).T
        acceptable = np.zeros(rewards.shape, bool)
        for limit, (first, n_offers, _) in enumerate(each):
            acceptable[first : first + n_offers, limit] = True
        closing = np.where(acceptable, np.maximum(rewards, 0.0), 0.0)
        at = slice(offers.start, offers.stop)
        return cls(at, rewards, closing, acceptable[at, None])


class Answers(NamedTuple):
    """The answers of the opponent's limits to each offer at one decision of the role.

    M pairs of an offer and a price with which some limit answers it.
    """

    offers: Ints
    """Shape (M,), in order: the number of the offer among the role's."""
    prices: Ints
    """Shape (M,): the grid index of the answer."""
    chances: Floats
    """Shape (M, K): the probability of the answer, by limit."""
    accepts: Floats
    """Shape (O, K): the probability that an offer is accepted."""

    @classmethod
    def of(cls, policy: TabularPolicy, rows: NDArray[np.int32]) -> "Answers":
        """Return the answers in these rows of the first limit's table, one per offer."""
        n_prices = policy.scenario.n_prices
        dense = in_all_tables(policy, rows)
        offers, prices = np.nonzero(dense[..., :n_prices].any(axis=1))
        accepts = dense[..., n_prices].copy()  # a view would keep all of `dense`
        return cls(offers, prices, dense[offers, :, prices], accepts)

    def summed(self, values: Floats) -> Floats:
        """Return the sums over the answers to each offer, shape (O, …) from (M, …)."""
        return sums(values, self.offers, len(self.accepts))


def sums(values: Floats, groups: Ints, n: int) -> Floats:
    """Return the sums of the values of each of n groups; `groups` are in order."""
    found = np.zeros((n, *values.shape[1:]))
    if len(groups):
        begins = np.ones(len(groups), bool)
        np.not_equal(groups[1:], groups[:-1], out=begins[1:])
        starts = begins.nonzero()[0]
        found[groups[starts]] = np.add.reduceat(values, starts)
    return found


def expected(chances: Floats, by_limit: Floats) -> Floats:
    """Return the mean over the opponent's limits in each belief: (n, …) from (n, K) and (K, …)."""
    means: Floats = chances @ by_limit.reshape(len(by_limit), -1)
    return means.reshape(-1, *by_limit.shape[1:])


class Beliefs(NamedTuple):
    """Beliefs about the opponent's limit, n of them."""

    lasts: Ints
    """Shape (n,): the grid index of its last offer if it remembers that, else 0."""
    chances: Floats
    """Shape (n, K): the probability of each limit."""

    def at(self, index: Ints | slice) -> "Beliefs":
        """Return some of the beliefs."""
        return Beliefs(self.lasts[index], self.chances[index])

    def keys(self) -> tuple[Ints, Ints]:
        """Return a key of each belief, and the numbers that it is made from, shape (n, 1 + K)."""
        grains = np.rint(self.chances * _GRAINS).astype(np.int64)
        rows = np.concatenate([self.lasts[:, None], grains], axis=1)
        return rows @ MULTIPLIERS[: rows.shape[1]], rows

    def merged(self) -> tuple["Beliefs", Ints]:
        """Return the beliefs that differ, and the index of each belief among them."""
        keys, rows = self.keys()
        _, first, index = np.unique(keys, return_index=True, return_inverse=True)
        if (rows[first[index]] != rows).any():  # equal keys of unequal beliefs
            _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        return self.at(first), index.ravel()


class Questions:
    """The offers of a role, asked of its opponent: its answers at each decision of the role."""

    def __init__(
        self, scenario: Scenario, role: Role, opponent: TabularPolicy, opened: bool
    ) -> None:
        self.stakes = Stakes.of(scenario, role)
        self.last = scenario.rounds - (1 if opened else 2)
        """The last decision at which the role can make an offer."""
        self.remembered = bool(opponent.remembers_own_offer)
        """True if the answers depend on the opponent's last offer."""
        self.n_lasts = scenario.n_prices if self.remembered else 1
        self._opponent, self._opened = opponent, opened
        self._answers: dict[tuple[int, int], Answers] = {}

    def answers(self, n: int, last: int) -> Answers:
        """The answers at decision n, if the opponent's last offer was `last`, a grid index.

        Decision −1 is the opponent's opening, as if it answered a single offer.
        """
        found = self._answers.get((n, last))
        if found is None:
            rows = np.array([START], np.int32)
            if n >= 0:
                rows = self._opponent.rows(n, not self._opened)[self.stakes.offers]
            if self.remembered and n >= (1 if self._opened else 0):
                rows = rows + 1 + last
            found = self._answers[n, last] = Answers.of(self._opponent, rows)
        return found
