"""Backward induction over beliefs: a role's best play against an opponent with a hidden limit.

The opponent has K limits and plays one table per limit, or by the offers so far (see
`histories`). The role's n-th decision, n from 0, comes with a
belief about the opponent's limit. Each offer of the role is answered, and each answer leads to a
belief at decision n + 1. Beliefs do not depend on the role's own limit, so all its L limits share
one pass. The price on the table does not change the value of an offer. What the opponent remembers
does; so a decision is looked at once per belief and *memory*, a number per decision.

Two things keep beliefs few. Those that are equal but for rounding are one. And an answer is not
followed where bounds show (see `Certain`) that another offer is as good, or that closing is.
Where too many probabilities would have to be weighed even so, bounds take the place of the values
from that decision on. If they do not meet at the root, the attempt is repeated with more of them.

Values are in units of a deal on the offer that stands at the decision. With time costs δ the next
decision, two offers later, counts δ² of them, and a deal on the role's own offer δ.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np

from negotiation_tui.game.limits import MAX_LIMITS
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import Mask, TabularPolicy
from negotiation_tui.runtime.arrays import Floats, Ints, Ints32
from negotiation_tui.solvers.beliefs import in_all_tables
from negotiation_tui.solvers.payoffs import Payoffs
from negotiation_tui.solvers.subgame_perfect import EQUAL

_GRAINS = 2.0**43  # probabilities are equal if their multiples of 1/_GRAINS are, about 1e-13
MULTIPLIERS = np.cumprod(np.full(MAX_LIMITS + 1, 0x9E3779B97F4A7C15, np.uint64)).view(np.int64)
"""Odd numbers by which keys of beliefs are made; sums go beyond 64 bits and wrap around."""


BUDGETS = 100_000, 1_000_000, 10_000_000
"""The most probabilities of answers that are weighed, by belief and limit, in each attempt."""
_HOPEFUL = 0.01
"""The last attempt is made if bounds differ by no more than this, or if there are few answers."""
_KEPT = 1000  # the most beliefs of which the values of offers are kept
_FEW = 1000  # the products of offers, prices and limits up to which there are few
_GROUPED = 6  # the most limits whose groups have plans of their own
_AT_ONCE = 400_000
"""The most numbers of an array, about, which the processor's memory holds; more beliefs are worked
off in parts."""
_CLOSE = 1e-14  # an offer is not followed if it is better by no more than this


class OfferAnswers(NamedTuple):
    """The answers of the opponent's limits to the offers of one decision: M of offer and price."""

    offers: Ints  # shape (M,), in order: the number of the offer among the role's
    prices: Ints  # shape (M,): the grid index of the answer
    chances: Floats  # shape (M, K): the probability of the answer, by limit
    accepts: Floats  # shape (O, K): the probability that an offer is accepted
    memories: Ints  # shape (M,): the opponent's memory after the answer

    @classmethod
    def of(cls, dense: Floats, memories: Ints) -> "OfferAnswers":
        """Return the answers of all limits, as `Answerer` gives them."""
        n_prices = memories.shape[1]
        offers, prices = np.nonzero(dense[..., :n_prices].any(axis=1))
        accepts = dense[..., n_prices].copy()  # a view would keep all of `dense`
        return cls(offers, prices, dense[offers, :, prices], accepts, memories[offers, prices])


class Answerer(Protocol):
    """The limits of an opponent, as they answer the offers of a role that `opened` or did not.

    Decision −1 of the role is the opponent's opening, as if it answered a single offer.
    """

    def n_memories(self, n: int, /) -> int:
        """Return the number of memories that the opponent may have at decision n of the role."""

    def answers(self, n: int, memory: int) -> tuple[Floats, Ints]:
        """Return how it answers each of O offers, and its memory after offering each price.

        The shapes are (O, K, P + 2) and (O, P). A memory is −1 after an answer that is impossible.
        """


class TableAnswerer:
    """An opponent that has tables, which may remember its last offer."""

    def __init__(self, scenario: Scenario, role: Role, tables: TabularPolicy, opened: bool) -> None:
        """The `role` that opened, or did not, is that of the opponent's opponent."""
        self._offers, self._tables, self._opened = Payoffs.of(scenario, role).offers, tables, opened
        prices = np.arange(scenario.n_prices) * bool(tables.remembers_own_offer)
        self._after = prices[None]

    def n_memories(self, _n: int, /) -> int:
        return self._after.shape[1] if self._after.any() else 1

    def answers(self, n: int, memory: int) -> tuple[Floats, Ints]:
        rows = np.array([START], np.int32)
        if n >= 0:
            rows = self._tables.rows(n, not self._opened)[self._offers]
        if self._after.any() and n >= (1 if self._opened else 0):
            rows = rows + 1 + memory
        return in_all_tables(self._tables, rows), self._after.repeat(len(rows), axis=0)


def sums(values: Floats, groups: Ints | Ints32, n: int) -> Floats:
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
    means = chances @ by_limit.reshape(len(by_limit), -1)
    return np.reshape(means, (-1, *by_limit.shape[1:]))


class Beliefs(NamedTuple):
    """Beliefs about the opponent's limit, n of them."""

    memories: Ints  # shape (n,): the opponent's memory
    chances: Floats  # shape (n, K): the probability of each limit
    wanted: Mask | None = None
    """Shape (n, L): True for an own limit whose value is asked for; None if all are."""

    def at(self, index: Ints | slice) -> "Beliefs":
        wanted = None if self.wanted is None else self.wanted[index]
        return Beliefs(self.memories[index], self.chances[index], wanted)

    def merged(self) -> tuple["Beliefs", Ints]:
        """Return the beliefs that differ, and the index of each belief among them."""
        grains = np.rint(self.chances * _GRAINS).astype(np.int64)
        rows = np.concatenate([self.memories[:, None], grains], axis=1)
        keys = rows @ MULTIPLIERS[: rows.shape[1]]
        _, first, index = np.unique(keys, return_index=True, return_inverse=True)
        if (rows[first[index]] != rows).any():  # equal keys of unequal beliefs
            _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        found, index = self.at(first), index.ravel()
        if self.wanted is not None and found.wanted is not None:
            at, limits = self.wanted.nonzero()
            found.wanted[index[at], limits] = True
        return found, index


class Certain(NamedTuple):
    """The values of one decision to a role that is certain of a limit of its opponent.

    They bound the values under a belief. Above: a role is no worse off if it is told the opponent's
    limit. Below: it can play on by any of S plans, whatever it sees: one per limit that it might be
    certain of, and in small games one per group of limits.

    The first index is the opponent's memory. K limits of the opponent, O offers and L limits of the
    role.
    """

    offers: Floats
    """The value of each offer if the role is certain and right, shape (memories, O, K, L)."""
    tops: Floats  # the value of the best legal offer then, shape (memories, K, L)
    plans: Floats  # the value, meeting each limit, of each plan: (memories, L, S, K)

    def least(self, memory: int, chances: Floats) -> Floats:
        """A lower bound of the best offer's value in each belief, shape (n, L)."""
        return np.asarray((self.plans[memory] @ chances.T).max(axis=1).T)

    def most(self, beliefs: Beliefs) -> Floats:
        """An upper bound of the best offer's value in each belief, shape (n, L)."""
        if len(self.tops) == 1:
            return np.asarray(beliefs.chances @ self.tops[0])
        return np.asarray((beliefs.chances[:, None] @ self.tops[beliefs.memories])[:, 0])


class Part(NamedTuple):
    """Beliefs of decision n that are worked off at once; O offers, M answers."""

    n: int
    at: Ints  # their indices among all beliefs of the decision
    answers: OfferAnswers
    memory: int  # the opponent's
    chances: Floats  # shape (beliefs, K): the probability of each limit
    wanted: Mask | None  # as in `Beliefs`


class Updates(NamedTuple):
    """The answers to all offers in all beliefs of a part, C of them."""

    part: Part
    before: Ints  # shape (C,), in order: the number of the belief in which the offer is made
    pairs: Ints
    """Shape (C,), in order for each belief: the index of offer and answer among `OfferAnswers`."""
    mass: Floats  # shape (C,): the probability of the answer
    followed: Ints  # the indices of the answers that are followed; after the others the role closes
    after: Beliefs  # the beliefs that they lead to, each once
    to: Ints  # the index of the belief that each of them leads to
    least: Floats  # a lower bound of the best offer's value in each belief, shape (beliefs, L)


class BeliefInduction:
    """The values of a role against its opponent; the role `opened` or did not.

    Values have a last but one axis of bounds: one if they are exact, else a lower and an upper one.
    """

    def __init__(
        self, scenario: Scenario, role: Role, opponent: Answerer, rate: float, opened: bool
    ) -> None:
        self.payoffs = Payoffs.of(scenario, role)
        self.legal = self.payoffs.legal
        self.last = scenario.rounds - (1 if opened else 2)
        """The last decision at which the role can make an offer."""
        delta, factors = scenario.delta[role], scenario.time_factors[role]
        self._opponent, self._rate = opponent, rate * delta * delta
        self._rewards = self.payoffs.rewards[self.payoffs.offers] * delta
        self._units = (1 / delta, *factors)[0 if opened else 1 :: 2]
        """The part of a reward that time leaves for the offer that stands at each decision."""
        n_prices, n_limits = len(self.payoffs.rewards), scenario.n_tables(role.other)
        self._few = n_prices * len(self.legal) * n_limits <= _FEW
        self.first, self._prior = 0 if opened else -1, scenario.chances(role.other)
        self._groups: Floats | None = None
        """Beliefs for each of which a plan is made, shape (S, K); None: for each limit alone."""
        self._short = 0
        self._asked: dict[tuple[int, int], OfferAnswers] = {}
        self._last: dict[int, Floats] = {}
        self._cache: dict[tuple[int, int, int, bytes], Floats] = {}

    @cached_property
    def root(self) -> Floats:
        """The value of the negotiation to each own limit, shape (bounds, L)."""

        def attempt(budget: int) -> Floats:
            values = self._values(self.first, prior, budget)[0]
            return values[0] if self.first < 0 else self._best(values) * self._units[0]

        prior = Beliefs(np.zeros(1, np.int64), self._prior[None])
        return self._met(attempt)

    def values(self, n: int, memory: int, chances: Floats, limit: int) -> Floats:
        """The value of each offer to one own limit at decision n in one belief, (O, bounds).

        Values are kept, because a screen asks for them often.
        """
        key = n, memory, limit, chances.tobytes()
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _KEPT:
                self._cache.clear()
            wanted = np.arange(self.payoffs.rewards.shape[1])[None] == limit
            belief = Beliefs(np.array([memory]), chances[None], wanted)
            found = self._met(lambda budget: self._values(n, belief, budget)[0][..., [limit]])
            found = self._cache[key] = found[..., 0] * self._units[n]
        return found

    def _answers(self, n: int, memory: int) -> OfferAnswers:
        found = self._asked.get((n, memory))
        if found is None:
            found = self._asked[n, memory] = OfferAnswers.of(*self._opponent.answers(n, memory))
        return found

    def _met(self, attempt: Callable[[int], Floats]) -> Floats:
        found, gap, needed = np.empty(0), np.inf, 0
        for budget in BUDGETS:
            if gap <= EQUAL or (budget == BUDGETS[-1] and gap > _HOPEFUL and not self._few):
                break
            if budget < needed:  # it would end where the attempt before did
                continue
            to_group = self._few and self._groups is None and len(self._prior) <= _GROUPED
            allowed, self._short = budget // 4 if to_group else budget, 0
            found = attempt(allowed)
            gap = float((found[..., -1, :] - found[..., 0, :]).max())
            needed = allowed + self._short
            if to_group and gap > EQUAL:
                members = [*product((0, 1), repeat=len(self._prior))][1:]
                self._groups, needed = np.array(members) * self._prior, 0
                vars(self).pop("_certain", None)
        return found

    def least_values(self, n: int, beliefs: Beliefs) -> Floats:
        """A lower bound of each offer's value at decision n in each belief, (beliefs, O, L).

        The value itself if that of the negotiation is exact, unless beliefs are too many.
        """
        exact = (self.root[-1] - self.root[0]).max() <= EQUAL
        return self._values(n, beliefs, BUDGETS[-1 if exact else 0])[:, :, 0]

    def _values(self, n: int, beliefs: Beliefs, budget: int) -> Floats:
        """The value of each offer at decision n in each belief, shape (beliefs, O, bounds, L)."""
        parts = self._parts(n, beliefs)
        if n == self.last:
            last = [part.chances @ self._last_offers(part.memory) for part in parts]
            return _put_together(parts, [each.swapaxes(0, 1)[:, :, None] for each in last])
        steps = [self._step(part, prune=False) for part in parts]
        after, indices = _together(steps)
        tops = self._tops(n + 1, after, budget)
        found = zip(steps, indices, strict=True)
        return _put_together(parts, [self._summed(step, tops[index]) for step, index in found])

    @cached_property
    def _certain(self) -> list[Certain]:
        found: list[Certain] = []
        for n in reversed(range(self.last + 1)):
            memories = range(self._opponent.n_memories(n))
            each = [self._under_certainty(n, memory, found[-1:]) for memory in memories]
            found.append(Certain(*map(np.array, zip(*each, strict=True))))
        return found[::-1]

    def _under_certainty(
        self, n: int, memory: int, after: Sequence[Certain]
    ) -> tuple[Floats, Floats, Floats]:
        """The entries of `Certain` for one memory; `after` is that of the next decision."""
        answers, payoffs = self._answers(n, memory), self.payoffs
        rewards, legal = self._rewards, self.legal[:, 0]
        closing, n_offers = payoffs.closing[answers.prices], len(legal)
        at = answers.memories
        # The answers of each limit, end to end.
        limits, pairs = np.nonzero(answers.chances.T)
        worth = closing[pairs]
        for later in after:
            worth = np.maximum(worth, later.tops[at[pairs], limits])
        worth *= self._rate * answers.chances[pairs, limits][:, None]
        offers = answers.accepts.T[:, :, None] * rewards
        offers += sums(
            worth, limits * n_offers + answers.offers[pairs], offers[..., 0].size
        ).reshape(offers.shape)
        legal_offers = np.where(legal, offers, -np.inf)
        grouped = offers if self._groups is None else expected(self._groups, offers)
        best = np.where(legal, grouped, -np.inf).argmax(axis=1)
        # The answers to the best offer of each plan and own limit, end to end.
        ends = np.searchsorted(answers.offers, np.arange(n_offers + 1))
        numbers = (ends[best + 1] - ends[best]).ravel()
        play = np.arange(best.size).repeat(numbers)
        plan, limit = np.divmod(play, best.shape[1])
        starts = np.cumsum(numbers) - numbers
        answer = np.arange(len(play)) + (ends[best].ravel() - starts).repeat(numbers)
        met = closing[answer, limit][:, None].repeat(answers.accepts.shape[1], axis=1)
        for later in after:
            if self._groups is None:
                on = later.tops[at[answer], plan, limit] > met[:, 0]
            else:
                joint = self._groups[plan] * answers.chances[answer]
                values = (later.plans[at[answer], limit] @ joint[..., None])[..., 0]
                plan, on = values.argmax(axis=1), values.max(axis=1) > met[:, 0] * joint.sum(axis=1)
            met[on] = later.plans[at[answer[on]], limit[on], plan[on]]
        met *= self._rate * answers.chances[answer]
        plans = answers.accepts[best] * rewards[best, np.arange(best.shape[1])][..., None]
        plans += sums(met, play, best.size).reshape(plans.shape)
        return offers.swapaxes(0, 1), legal_offers.max(axis=1), plans.transpose(1, 0, 2)

    def _tops(self, n: int, beliefs: Beliefs, left: int) -> Floats:
        """The value of the best offer at decision n in each belief, shape (n, bounds, L).

        `left` is the rest of the budget.
        """
        levels: list[tuple[list[Updates], list[Ints]]] = []
        while n < self.last - 1 and len(beliefs.memories):
            parts = self._parts(n, beliefs)
            if not self._affords(parts, left):
                break
            left -= _size(parts)
            steps = [self._step(part) for part in parts]
            beliefs, indices = _together(steps)
            levels.append((steps, indices))
            n += 1
        tops = self._last_tops(n, beliefs, left)
        for steps, indices in reversed(levels):
            each = [
                np.maximum(self._best(self._summed(step, tops[index])), step.least[:, None])
                for step, index in zip(steps, indices, strict=True)
            ]
            tops = _put_together([step.part for step in steps], each)
        return tops

    def _last_tops(self, n: int, beliefs: Beliefs, left: int) -> Floats:
        """Return `_tops` of the last or the last but one decision, or of one beyond the budget.

        After the last but one beliefs of different parts are not merged, to spare memory.
        """
        if n > self.last or not len(beliefs.memories):
            return np.full((len(beliefs.memories), 1, self.payoffs.rewards.shape[1]), -np.inf)
        parts = self._parts(n, beliefs)
        affords = n == self.last or self._affords(parts, left)
        found: list[Floats] = []
        for part in parts:
            if n == self.last:
                last = self._last_offers(part.memory)
                found.append(self._last_tops_of(part.chances, last)[:, None])
            elif not affords:
                least = self._certain[n].least(part.memory, part.chances)
                most = self._certain[n].most(beliefs.at(part.at))
                found.append(np.stack([least, most], axis=1))
            elif self._groups is not None:  # so that hardly two beliefs are equal
                found.append(self._last_but_one(part))
            else:
                step = self._step(part)
                later = self._last_tops(n + 1, step.after, left)
                best = self._best(self._summed(step, later))
                found.append(np.maximum(best, step.least[:, None]))
        return _put_together(parts, found)

    def _affords(self, parts: Sequence[Part], left: int) -> bool:
        """Return if the rest of a budget allows these parts; keep by how much it falls short."""
        self._short = max(self._short, _size(parts) - left)
        return _size(parts) <= left

    def _best(self, values: Floats) -> Floats:
        return np.asarray(np.where(self.legal, values, -np.inf).max(axis=-3))

    def _parts(self, n: int, beliefs: Beliefs) -> list[Part]:
        """Return the beliefs in parts of one memory each that fit into the machine's."""
        parts: list[Part] = []
        for memory in np.unique(beliefs.memories).tolist():
            answers = self._answers(n, memory)
            alike = np.flatnonzero(beliefs.memories == memory)
            each = max(answers.chances.size, self.legal.size)
            n_parts = -(-len(alike) * each // _AT_ONCE)
            split = np.array_split(alike, n_parts) if n_parts > 1 else [alike]
            each_part = [(at, beliefs.at(at)) for at in split]
            parts += [Part(n, at, answers, memory, b.chances, b.wanted) for at, b in each_part]
        return parts

    def _step(self, part: Part, prune: bool = True) -> Updates:
        """Return the step from a part; with `prune` no answer is followed without need."""
        n, answers = part.n, part.answers
        reached = part.chances @ answers.chances.T
        least = np.full((len(part.at), self.payoffs.rewards.shape[1]), -np.inf)
        if prune:
            least, may_be_best = self._may_be_best(part)
            reached *= np.any(may_be_best, axis=2)[:, answers.offers]
        before, pairs = np.nonzero(reached)
        mass = reached[before, pairs]
        chances = part.chances[before] * answers.chances[pairs]
        chances /= mass[:, None]
        wanted = None if part.wanted is None else part.wanted[before]
        after, followed = Beliefs(answers.memories[pairs], chances, wanted), np.arange(len(pairs))
        if prune:
            goes_on = self._certain[n + 1].most(after) > self.payoffs.closing[answers.prices[pairs]]
            goes_on &= may_be_best[before, answers.offers[pairs]]
            followed = np.flatnonzero(goes_on.any(axis=1))
            after = after._replace(wanted=goes_on)
        return Updates(part, before, pairs, mass, followed, *after.at(followed).merged(), least)

    def _may_be_best(self, part: Part) -> tuple[Floats, Mask]:
        """Return `Updates.least`, and True for each offer that may be better: (beliefs, O, L)."""
        certain = self._certain[part.n]
        least = certain.least(part.memory, part.chances)
        most = part.chances @ certain.offers[part.memory]
        may_be_best = ((most > least + _CLOSE) & self.legal).swapaxes(0, 1)
        return least, may_be_best if part.wanted is None else may_be_best & part.wanted[:, None]

    def _last_but_one(self, part: Part) -> Floats:
        """Return `_tops` of the last but one decision; no belief is made or merged."""
        answers, (least, may_be_best) = part.answers, self._may_be_best(part)
        values = expected(part.chances, self._accepted(answers))
        followed = np.any(may_be_best, axis=2)
        last = [self._last_offers(memory) for memory in range(self._opponent.n_memories(self.last))]
        each = zip(answers.offers, answers.prices, answers.chances, answers.memories, strict=True)
        for offer, price, chances, memory in each:
            at = np.flatnonzero(followed[:, offer])
            joint = part.chances[at] * chances
            closing = joint.sum(axis=1)[:, None] * self.payoffs.closing[price]
            tops = self._last_tops_of(joint, last[memory])
            values[at, offer] += self._rate * np.maximum(tops, closing)
        return np.maximum(self._best(values[:, :, None]), least[:, None])

    def _summed(self, step: Updates, later: Floats) -> Floats:
        """The value of each offer, from that of the beliefs after: (beliefs, O, bounds, L)."""
        answers, chances = step.part.answers, step.part.chances
        worth = self.payoffs.closing[answers.prices[step.pairs], None]
        worth = worth.repeat(later.shape[1], axis=1)
        worth[step.followed] = np.maximum(worth[step.followed], later[step.to])
        rate = self._rate if step.part.n >= 0 else 1.0
        worth *= (rate * step.mass)[:, None, None]
        values = expected(chances, self._accepted(answers))[:, :, None]
        offers = step.before * len(answers.accepts) + answers.offers[step.pairs]
        answered = sums(worth, offers, values.shape[0] * values.shape[1])
        return values + answered.reshape(*values.shape[:2], *worth.shape[1:])

    def _last_tops_of(self, chances: Floats, offers: Floats) -> Floats:
        return np.asarray(np.where(self.legal, chances @ offers, -np.inf).max(axis=0))

    def _last_offers(self, memory: int) -> Floats:
        """The value of each offer at the last decision, by the opponent's limit: (O, K, L)."""
        if memory in self._last:
            return self._last[memory]
        answers = self._answers(self.last, memory)
        closing = self.payoffs.closing[answers.prices]
        rate = self._rate if self.last >= 0 else 1.0
        worth = rate * answers.chances[:, :, None] * closing[:, None]
        values = sums(worth, answers.offers, len(answers.accepts))
        self._last[memory] = self._accepted(answers).swapaxes(0, 1) + values
        return self._last[memory]

    def _accepted(self, answers: OfferAnswers) -> Floats:
        """The part of each offer's value from its being accepted, by limit: shape (K, O, L)."""
        return answers.accepts.T[:, :, None] * self._rewards[: len(answers.accepts)]


def _size(parts: Sequence[Part]) -> int:
    return sum(len(part.at) * part.answers.chances.size for part in parts)


def _together(steps: Sequence[Updates]) -> tuple[Beliefs, list[Ints]]:
    """Return the beliefs after all steps, each once, and their indices after each step."""
    after = [step.after for step in steps]
    wanted = [each.wanted for each in after if each.wanted is not None]
    beliefs, index = Beliefs(
        np.concatenate([each.memories for each in after]),
        np.concatenate([each.chances for each in after]),
        np.concatenate(wanted) if wanted else None,
    ).merged()
    ends = np.cumsum([len(step.after.memories) for step in steps])
    return beliefs, np.split(index, ends[:-1])


def _put_together(parts: Sequence[Part], found: Sequence[Floats]) -> Floats:
    together = np.empty((sum(len(part.at) for part in parts), *found[0].shape[1:]))
    for part, each in zip(parts, found, strict=True):
        together[part.at] = each
    return together
