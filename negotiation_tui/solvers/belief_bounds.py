"""Bounds of the values under a belief, from the values under certainty.

Above: a role is no worse off if it is told the opponent's limit. Below: it can play on as if it
were certain of one limit, whatever it sees.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.solvers.belief_answers import Beliefs, Questions, expected, sums


class Certain(NamedTuple):
    """The values of one decision to a role that is certain of a limit of its opponent.

    The first index is the opponent's last offer if it remembers that, else 0. K limits of the
    opponent, O offers and L limits of the role.
    """

    offers: Floats
    """The value of each offer if the role is certain and right, shape (lasts, K, O, L)."""
    tops: Floats
    """The value of the best legal offer then, shape (lasts, K, L)."""
    plans: Floats
    """The value, meeting each limit, of the play that is best against each: (lasts, K, K, L)."""

    def least(self, last: int, chances: Floats) -> Floats:
        """A lower bound of the best offer's value in each belief, shape (n, L)."""
        least: Floats = expected(chances, self.plans[last]).max(axis=1)
        return least

    def most(self, beliefs: Beliefs) -> Floats:
        """An upper bound of the best offer's value in each belief, shape (n, L)."""
        if len(self.tops) == 1:
            most: Floats = beliefs.chances @ self.tops[0]
        else:
            most = (beliefs.chances[:, None] @ self.tops[beliefs.lasts])[:, 0]
        return most

    def most_by_offer(self, last: int, chances: Floats) -> Floats:
        """An upper bound of each offer's value in each belief, shape (n, O, L)."""
        return expected(chances, self.offers[last])


def certain_values(questions: Questions, rate: float) -> list[Certain]:
    """Return the values under certainty at each decision with an offer."""
    found: list[Certain] = []
    for n in reversed(range(questions.last + 1)):
        each = [_values(questions, rate, n, last, found[-1:]) for last in range(questions.n_lasts)]
        found.append(Certain(*map(np.array, zip(*each, strict=True))))
    return found[::-1]


def _values(
    questions: Questions, rate: float, n: int, last: int, after: Sequence[Certain]
) -> tuple[Floats, Floats, Floats]:
    """The entries of `Certain` for one last offer; `after` is that of the next decision, if any."""
    answers, stakes = questions.answers(n, last), questions.stakes
    rewards, legal = stakes.rewards[stakes.offers], stakes.legal[:, 0]
    closing, n_offers = stakes.closing[answers.prices], len(legal)
    at = answers.prices if questions.remembered else np.zeros_like(answers.prices)
    # The answers of each limit, end to end.
    limits, pairs = np.nonzero(answers.chances.T)
    worth = closing[pairs]
    for later in after:
        worth = np.maximum(worth, later.tops[at[pairs], limits])
    worth *= rate * answers.chances[pairs, limits][:, None]
    offers = answers.accepts.T[:, :, None] * rewards
    offers += sums(worth, limits * n_offers + answers.offers[pairs], offers[..., 0].size).reshape(
        offers.shape
    )
    own = np.where(legal, offers, -np.inf)
    best = own.argmax(axis=1)
    # The answers to the best offer of each plan and own limit, end to end.
    ends = np.searchsorted(answers.offers, np.arange(n_offers + 1))
    numbers = (ends[best + 1] - ends[best]).ravel()
    play = np.arange(best.size).repeat(numbers)
    plan, limit = np.divmod(play, best.shape[1])
    starts = np.cumsum(numbers) - numbers
    answer = np.arange(len(play)) + (ends[best].ravel() - starts).repeat(numbers)
    met = closing[answer, limit][:, None].repeat(answers.accepts.shape[1], axis=1)
    for later in after:
        on = later.tops[at[answer], plan, limit] > met[:, 0]
        met[on] = later.plans[at[answer[on]], :, plan[on], limit[on]]
    met *= rate * answers.chances[answer]
    plans = answers.accepts[best] * rewards[best, np.arange(best.shape[1])][..., None]
    plans += sums(met, play, best.size).reshape(plans.shape)
    return offers, own.max(axis=1), plans.transpose(2, 0, 1)
