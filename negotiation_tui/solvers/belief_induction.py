"""Backward induction over beliefs: a role's best play against an opponent with a hidden limit.

The opponent has one table per limit, K of them. The role's n-th decision, n from 0, comes with a
belief about the opponent's limit. Each offer of the role is answered, and each answer leads to a
belief at decision n + 1. Beliefs do not depend on the role's own limit, so all its L limits share
one pass. The price on the table does not change the value of an offer, unless the opponent
remembers its own last offer; so a decision is looked at once per belief, and per price if need be.

Two things keep beliefs few. Those that are equal but for rounding are one. And an answer is not
followed where bounds show (see `belief_bounds`) that another offer is as good, or that closing is.
Where too many probabilities would have to be weighed even so, bounds take the place of the values
from that decision on. If they do not meet at the root, the attempt is repeated with more of them.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers.belief_answers import Answers, Beliefs, Ints, Questions, expected, sums
from negotiation_tui.solvers.belief_bounds import Certain, certain_values
from negotiation_tui.solvers.beliefs import prior
from negotiation_tui.solvers.subgame_perfect import EQUAL

BUDGETS = 100_000, 1_000_000, 10_000_000
"""The most probabilities of answers that are weighed, by belief and limit, in each attempt."""
_HOPEFUL = 0.01
"""The last attempt is made if bounds differ by no more than this, or if there are few answers."""
_KEPT = 1000
"""The most beliefs of which the values of offers are kept."""
_FEW = 1000
"""The products of offers, prices and limits up to which there are few."""
_AT_ONCE = 4_000_000
"""The most numbers of an array, about; more beliefs are worked off in parts."""
_CLOSE = 1e-14
"""An offer is not followed if it is better by no more than this."""


class Part(NamedTuple):
    """Beliefs of decision n that are worked off at once; O offers, M answers."""

    n: int
    at: Ints
    """Their indices among all beliefs of the decision."""
    answers: Answers
    last: int
    """The opponent's last offer, if it remembers that."""
    chances: Floats
    """Shape (beliefs, K): the probability of each limit."""


class Step(NamedTuple):
    """The answers to all offers in all beliefs of a part, C of them."""

    part: Part
    before: Ints
    """Shape (C,), in order: the number of the belief in which the offer is made."""
    pairs: Ints
    """Shape (C,), in order for each belief: the index of offer and answer among `Answers`."""
    mass: Floats
    """Shape (C,): the probability of the answer."""
    followed: Ints
    """The indices of the answers that are followed; after the others the role closes."""
    after: Beliefs
    """The beliefs that they lead to, each once."""
    to: Ints
    """The index of the belief that each of them leads to."""
    least: Floats
    """A lower bound of the best offer's value in each belief, shape (beliefs, L)."""


class BeliefInduction:
    """The values of a role against the tables of its opponent; the role `opened` or did not.

    Values have a last but one axis of bounds: one if they are exact, else a lower and an upper one.
    """

    def __init__(
        self, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float, opened: bool
    ) -> None:
        self.questions = Questions(scenario, role, opponent, opened)
        self.stakes, self.last = self.questions.stakes, self.questions.last
        self._rate, self._first = rate, 0 if opened else -1
        self._prior = prior(scenario, role.other).chances
        self._known: dict[tuple[int, int, bytes], Floats] = {}

    @cached_property
    def root(self) -> Floats:
        """The value of the negotiation to each own limit, shape (bounds, L)."""

        def attempt(budget: int) -> Floats:
            values = self._values(self._first, 0, self._prior, budget)
            root: Floats = values[0] if self._first < 0 else self._best(values)
            return root

        return self._met(attempt)

    def values(self, n: int, last: int, chances: Floats) -> Floats:
        """The value of each offer at decision n in one belief, shape (O, bounds, L).

        `last` is the opponent's last offer, if it remembers that. Values are kept, because a
        screen asks for them often.
        """
        key = n, last, chances.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._met(lambda budget: self._values(n, last, chances, budget))
            self._known[key] = found
        return found

    def _met(self, attempt: Callable[[int], Floats]) -> Floats:
        """Return the first attempt in which the bounds meet, or the last one."""
        few = self.stakes.rewards.shape[0] * len(self.stakes.legal) * len(self._prior) <= _FEW
        for budget in BUDGETS:
            found = attempt(budget)
            gap = float((found[..., -1, :] - found[..., 0, :]).max())
            if gap <= EQUAL or (gap > _HOPEFUL and not few and budget in BUDGETS[-2:]):
                break
        return found

    def _values(self, n: int, last: int, chances: Floats, budget: int) -> Floats:
        """Attempt to find `values`; decision −1 is the opponent's opening, with a single offer."""
        answers = self.questions.answers(n, last)
        part = Part(n, np.zeros(1, np.int64), answers, last, chances[None])
        if n == self.last:
            values = self._last_values(part)
        else:
            step = self._step(part, prune=False)
            values = self._summed(step, self._tops(n + 1, step.after, budget))
        found: Floats = values[0]
        return found

    @cached_property
    def _certain(self) -> list[Certain]:
        return certain_values(self.questions, self._rate)

    def _tops(self, n: int, beliefs: Beliefs, left: int) -> Floats:
        """The value of the best offer at decision n in each belief, shape (n, bounds, L).

        `left` is the rest of the budget.
        """
        levels: list[tuple[list[Step], list[Ints]]] = []
        while n < self.last - 1 and len(beliefs.lasts):
            parts = self._parts(n, beliefs)
            left -= _size(parts)
            if left < 0:
                break
            steps = [self._step(part) for part in parts]
            lasts, chances = zip(*((s.after.lasts, s.after.chances) for s in steps), strict=True)
            beliefs, index = Beliefs(np.concatenate(lasts), np.concatenate(chances)).merged()
            ends = np.cumsum([len(step.after.lasts) for step in steps])
            levels.append((steps, np.split(index, ends[:-1])))
            n += 1
        tops = self._last_tops(n, beliefs, left)
        for steps, indices in reversed(levels):
            each = [
                self._best_of(step, self._summed(step, tops[index]))
                for step, index in zip(steps, indices, strict=True)
            ]
            tops = _put_together([step.part for step in steps], each)
        return tops

    def _last_tops(self, n: int, beliefs: Beliefs, left: int) -> Floats:
        """Return `_tops` of the last or the last but one decision, or of one beyond the budget.

        After the last but one decision the beliefs of different parts are not merged, to spare
        memory.
        """
        if n > self.last or not len(beliefs.lasts):
            return np.full((len(beliefs.lasts), 1, self.stakes.rewards.shape[1]), -np.inf)
        parts = self._parts(n, beliefs)
        found: list[Floats] = []
        for part in parts:
            if n == self.last:
                found.append(self._best(self._last_values(part)))
            elif _size(parts) > left:
                least = self._certain[n].least(part.last, part.chances)
                most = self._certain[n].most(beliefs.at(part.at))
                found.append(np.stack([least, most], axis=1))
            else:
                step = self._step(part)
                later = self._last_tops(n + 1, step.after, left)
                found.append(self._best_of(step, self._summed(step, later)))
        return _put_together(parts, found)

    def _best(self, values: Floats) -> Floats:
        """The value of the best legal offer, shape (…, bounds, L)."""
        best: Floats = np.where(self.stakes.legal, values, -np.inf).max(axis=-3)
        return best

    def _best_of(self, step: Step, values: Floats) -> Floats:
        """The value of the best legal offer, if some answers were not followed."""
        return np.maximum(self._best(values), step.least[:, None])

    def _parts(self, n: int, beliefs: Beliefs) -> list[Part]:
        """Return the beliefs in parts that share the opponent's last offer and fit into memory."""
        parts: list[Part] = []
        for last in np.unique(beliefs.lasts).tolist():
            answers = self.questions.answers(n, last)
            alike = np.flatnonzero(beliefs.lasts == last)
            each = max(answers.chances.size, self.stakes.legal.size)
            n_parts = -(-len(alike) * each // _AT_ONCE)
            split = np.array_split(alike, n_parts) if n_parts > 1 else [alike]
            parts += [Part(n, at, answers, last, beliefs.chances[at]) for at in split]
        return parts

    def _step(self, part: Part, prune: bool = True) -> Step:
        """Return the step from a part; with `prune` no answer is followed without need."""
        n, answers = part.n, part.answers
        reached = part.chances @ answers.chances.T
        before, pairs = np.nonzero(reached)
        mass = reached[before, pairs]
        chances = part.chances[before] * answers.chances[pairs]
        chances /= mass[:, None]
        lasts = answers.prices[pairs] if self.questions.remembered else np.zeros_like(pairs)
        after, followed = Beliefs(lasts, chances), np.arange(len(pairs))
        least = np.full((len(part.at), self.stakes.rewards.shape[1]), -np.inf)
        if prune:
            certain = self._certain[n]
            least = certain.least(part.last, part.chances)
            most = certain.most_by_offer(part.last, part.chances)
            may_be_best = (most > least[:, None] + _CLOSE) & self.stakes.legal[:, 0]
            goes_on = self._certain[n + 1].most(after) > self.stakes.closing[answers.prices[pairs]]
            goes_on &= may_be_best[before, answers.offers[pairs]]
            followed = np.flatnonzero(goes_on.any(axis=1))
        return Step(part, before, pairs, mass, followed, *after.at(followed).merged(), least)

    def _summed(self, step: Step, later: Floats) -> Floats:
        """The value of each offer, from that of the beliefs after: (beliefs, O, bounds, L)."""
        answers, chances = step.part.answers, step.part.chances
        worth = self.stakes.closing[answers.prices[step.pairs], None]
        worth = worth.repeat(later.shape[1], axis=1)
        worth[step.followed] = np.maximum(worth[step.followed], later[step.to])
        worth *= (self._discount(step.part.n) * step.mass)[:, None, None]
        values = expected(chances, self._accepted(answers))[:, :, None]
        offers = step.before * len(answers.accepts) + answers.offers[step.pairs]
        answered = sums(worth, offers, values.shape[0] * values.shape[1])
        return values + answered.reshape(*values.shape[:2], *worth.shape[1:])

    def _last_values(self, part: Part) -> Floats:
        """The value of each last offer; what is held afterwards does not matter."""
        answers = part.answers
        closing = self.stakes.closing[answers.prices]
        rate = self._discount(part.n)
        values = answers.summed(rate * answers.chances[:, :, None] * closing[:, None])
        values = self._accepted(answers) + values.swapaxes(0, 1)
        return expected(part.chances, values)[:, :, None]

    def _accepted(self, answers: Answers) -> Floats:
        """The part of each offer's value from its being accepted, by limit: shape (K, O, L)."""
        rewards = self.stakes.rewards[self.stakes.offers][: len(answers.accepts)]
        return answers.accepts.T[:, :, None] * rewards

    def _discount(self, n: int) -> float:
        """The discount between decisions n and n + 1."""
        return self._rate if n >= 0 else 1.0


def _size(parts: Sequence[Part]) -> int:
    """The number of probabilities that are weighed."""
    return sum(len(part.at) * part.answers.chances.size for part in parts)


def _put_together(parts: Sequence[Part], found: Sequence[Floats]) -> Floats:
    """Return what was found for each part in the order of all beliefs."""
    together = np.empty((sum(len(part.at) for part in parts), *found[0].shape[1:]))
    for part, each in zip(parts, found, strict=True):
        together[part.at] = each
    return together
