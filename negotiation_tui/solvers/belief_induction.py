"""Backward induction over beliefs: a role's best play against an opponent with a hidden limit.

The opponent has one table per limit, K of them. The role's n-th decision, n from 0, comes with a
belief about the opponent's limit. Each offer of the role is answered, and each answer leads to a
belief at decision n + 1. Beliefs do not depend on the role's own limit, so all its L limits share
one pass. The price on the table does not change the value of an offer, unless the opponent
remembers its own last offer; so an entry at a decision is a belief, with that price if need be.

Beliefs that are equal but for rounding are one. Tables without ties leave subsets of the limits,
which are few. Ties and weights can lead to as many beliefs as there are histories. Where more than
`BUDGET` answers would have to be weighed at one decision, two bounds take the place of its values:
above, the role is told the limit; below, it plays on as if it were certain of some limit.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.limits import MAX_LIMITS
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.beliefs import in_all_tables, prior
from negotiation_tui.solvers.induction import stakes_of

BUDGET = 4_000_000
"""The most answers that are weighed at one decision, over all beliefs."""
_AT_ONCE = 4_000_000
"""The most numbers of an array, about; more beliefs are worked off in parts."""
_GRAINS = 2.0**43
"""Probabilities are equal if their multiples of 1/_GRAINS are, about 1e-13."""
_ODD = np.cumprod(np.full(MAX_LIMITS + 1, 0x9E3779B97F4A7C15, np.uint64)).view(np.int64)

Floats = NDArray[np.float64]
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
        return cls(offers, prices, dense[offers, :, prices], dense[..., n_prices])


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
        rows = np.column_stack([self.lasts, grains])
        return (rows * _ODD[: rows.shape[1]]).sum(axis=1), rows

    def merged(self) -> tuple["Beliefs", Ints]:
        """Return the beliefs that differ, and the index of each belief among them."""
        keys, rows = self.keys()
        _, first, index = np.unique(keys, return_index=True, return_inverse=True)
        if (rows[first[index]] != rows).any():  # equal keys of unequal beliefs
            _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        return self.at(first), index


class Step(NamedTuple):
    """The beliefs after each answer to each offer, C of them."""

    before: Ints
    """Shape (C,): the number of the belief that the offer is made in, in order."""
    pairs: Ints
    """Shape (C,): the index of offer and answer among `Answers`, in order for each belief."""
    mass: Floats
    """Shape (C,): the probability of the answer."""
    after: Beliefs

    @classmethod
    def of(cls, answers: Answers, beliefs: Beliefs, remembered: bool) -> "Step":
        """Return the step from these beliefs."""
        reached = beliefs.chances @ answers.chances.T
        before, pairs = np.nonzero(reached)
        mass = reached[before, pairs]
        chances = beliefs.chances[before] * answers.chances[pairs]
        chances /= mass[:, None]
        lasts = answers.prices[pairs] if remembered else np.zeros(len(pairs), np.int64)
        return cls(before, pairs, mass, Beliefs(lasts, chances))


class BeliefInduction:
    """The values of a role against the tables of its opponent; the role `opened` or did not."""

    def __init__(
        self, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float, opened: bool
    ) -> None:
        self.opponent, self.rate, self.opened = opponent, rate, opened
        self.stakes = Stakes.of(scenario, role)
        self.last = scenario.rounds - (1 if opened else 2)
        """The last decision at which an offer can be made."""
        self._prior = prior(scenario, role.other).chances
        self._answers: dict[tuple[int, int], Answers] = {}

    @cached_property
    def root(self) -> Floats:
        """The value of the negotiation to each own limit, shape (bounds, L).

        There is one bound if the value is exact; otherwise a lower and an upper one.
        """
        begin = Beliefs(np.zeros(1, np.int64), self._prior[None])
        values = self.tops(0, begin) if self.opened else next(self._values(-1, [begin]))[0]
        root: Floats = values[0]
        return root

    def offer_values(self, n: int, last: int, chances: Floats) -> Floats:
        """The value of each offer at decision n in one belief, shape (O, bounds, L)."""
        values: Floats = next(self._values(n, [Beliefs(np.array([last]), chances[None])]))[0]
        return values

    def tops(self, n: int, beliefs: Beliefs) -> Floats:
        """The value of the best offer at decision n in each belief, shape (n, bounds, L)."""
        if n > self.last:
            return np.full((len(beliefs.lasts), 1, self.stakes.rewards.shape[1]), -np.inf)
        parts = self._parts(n, beliefs)
        groups = [parts] if n + 1 < self.last else [[part] for part in parts]
        found: list[Floats] = []
        for group in groups:
            values = self._values(n, [beliefs.at(part) for part in group])
            found += [np.where(self.stakes.legal, each, -np.inf).max(axis=1) for each in values]
        tops = np.empty((len(beliefs.lasts), *found[0].shape[1:]))
        for part, each in zip(parts, found, strict=True):
            tops[part] = each
        return tops

    def _parts(self, n: int, beliefs: Beliefs) -> list[Ints]:
        """Return indices of beliefs that share the last offer and fit into memory."""
        parts: list[Ints] = []
        for last in np.unique(beliefs.lasts).tolist():
            at = np.flatnonzero(beliefs.lasts == last)
            each = max(self._answers_at(n, last).chances.size, self.stakes.legal.size)
            parts += np.array_split(at, -(-len(at) * each // _AT_ONCE))
        return parts

    def _values(self, n: int, parts: Sequence[Beliefs]) -> Iterator[Floats]:
        """Yield the value of each offer at decision n for each part, shape (n, O, bounds, L)."""
        answers = [self._answers_at(n, int(part.lasts[0])) for part in parts]
        rate = self.rate if n >= 0 else 1.0
        if n == self.last:
            for each, part in zip(answers, parts, strict=True):
                yield self._last_values(rate, each, part.chances)
            return
        remembered = bool(self.opponent.remembers_own_offer)
        steps = [Step.of(*both, remembered) for both in zip(answers, parts, strict=True)]
        lasts = np.concatenate([step.after.lasts for step in steps])
        chances = np.concatenate([step.after.chances for step in steps])
        found, index = Beliefs(lasts, chances).merged()
        later, begin = self.tops(n + 1, found), 0
        for each, part, step in zip(answers, parts, steps, strict=True):
            end = begin + len(step.before)
            worth = np.maximum(
                self.stakes.closing[each.prices[step.pairs], None], later[index[begin:end]]
            )
            begin, values = end, self._accepted(each, part.chances)[:, :, None]
            values = np.repeat(values, worth.shape[1], axis=2)
            worth *= rate * step.mass[:, None, None]
            to = step.before * len(each.accepts) + each.offers[step.pairs]
            starts = np.flatnonzero(np.diff(to, prepend=-1))
            if len(starts):
                flat = values.reshape(-1, *worth.shape[1:])
                flat[to[starts]] += np.add.reduceat(worth, starts)
            yield values

    def _accepted(self, answers: Answers, chances: Floats) -> Floats:
        """The part of each offer's value that is from its being accepted, shape (n, O, L)."""
        rewards = self.stakes.rewards[self.stakes.offers][: len(answers.accepts)]
        accepted: Floats = (chances @ answers.accepts.T)[:, :, None] * rewards
        return accepted

    def _last_values(self, rate: float, answers: Answers, chances: Floats) -> Floats:
        """The values of the last offers of all, as `_values`; later beliefs do not matter."""
        closing = self.stakes.closing[answers.prices]
        later = np.zeros((*answers.accepts.shape, closing.shape[1]))
        np.add.at(later, answers.offers, rate * answers.chances[:, :, None] * closing[:, None])
        values = self._accepted(answers, chances) + np.tensordot(chances, later, (1, 1))
        return values[:, :, None]

    def _answers_at(self, n: int, last: int) -> Answers:
        """The answers to offers of decision n, by an opponent whose last offer was `last`."""
        found = self._answers.get((n, last))
        if found is None:
            rows = np.array([START], np.int32)
            if n >= 0:
                rows = self.opponent.rows(n, not self.opened)[self.stakes.offers]
            if n >= 0 and self.opponent.remembers_own_offer and (n or not self.opened):
                rows = rows + 1 + last
            found = self._answers[n, last] = Answers.of(self.opponent, rows)
        return found
