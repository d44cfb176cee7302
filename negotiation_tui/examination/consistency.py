"""Test if a program plays alike wherever it is asked: in both passes, after other histories.

Each answer comes from a source: play, the first pass or the second. If the source does not matter,
the answers to a decision can change places among the sources. The test statistic is the sum of the
squared counts of each action, each over the number of answers of its source; it grows with the
differences. Its probability is that of permutations within each decision, all decisions together.
Answers by odds must be equal.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from negotiation_tui.examination.elicit import TEST, DecisionPoint, Elicited
from negotiation_tui.runtime.arrays import Floats, Ints32
from negotiation_tui.runtime.estimate import NORMAL_80

LEVEL = 0.001
_PERMUTATIONS = 1999
_QUANTILE = 3.090232  # of the normal distribution, which `LEVEL` lie above
_EQUAL = 1e-9


class Consistency(NamedTuple):
    """The result of the test over all decisions of a role."""

    chance: float  # of differences as large if the source of an answer does not matter
    decisions: int  # with answers from more than one source
    seen: float | None
    """The smallest change of the probability of an action, in every decision from one pass to the
    other, that 80% of such tests would see; None if all answers are odds: any change is seen."""
    worst: int | None  # the row of the decision that differs most

    @property
    def consistent(self) -> bool:
        return self.chance > LEVEL


def consistency(elicited: Elicited) -> Consistency:
    """Compare the answers of all sources, decision by decision."""
    total, pairs, compared, sampled = np.zeros(1 + _PERMUTATIONS), 0.0, 0, 0
    worst, most, rng = None, _EQUAL, elicited.draws(TEST)
    for decision in sorted(set[DecisionPoint]().union(*elicited.sources)):
        given = [source.get(decision, []) for source in elicited.sources]
        first, second, _ = numbers = [len(each) for each in given]
        if max(numbers) == sum(numbers):
            continue
        compared += 1
        answers = np.array([chances for each in given for chances in each])
        if decision in elicited.by_moves:
            sums = _statistic(answers.argmax(axis=1), numbers, rng)
            total, sampled = total + sums, sampled + 1
            pairs += first * second / max(1, first + second)
            differs = float(sums[0] - sums.mean())
        else:
            differs = math.inf if np.ptp(answers, axis=0).max() > _EQUAL else 0.0
        if differs > most:
            worst, most = elicited.position(decision, 0).row, differs
    chance = 0.0 if most == math.inf else float((total >= total[0] - _EQUAL).mean())
    return Consistency(chance, compared, _visible(sampled, pairs), worst)


def _statistic(actions: Ints32, numbers: Sequence[int], rng: np.random.Generator) -> Floats:
    """Return the statistic of a decision as it is, and for each permutation."""
    found, at = np.unique(actions, return_inverse=True)
    if len(found) == 1:
        return np.zeros(1 + _PERMUTATIONS)
    order = rng.random((1 + _PERMUTATIONS, len(at))).argsort(axis=1)
    order[0] = np.arange(len(at))
    cells = len(found) * len(numbers)
    source = np.repeat(np.arange(len(numbers)), numbers)
    entries = at[order] * len(numbers) + source + cells * np.arange(len(order))[:, None]
    counts = np.bincount(entries.ravel(), minlength=cells * len(order))
    squares = counts.reshape(len(order), -1, len(numbers)) ** 2 / np.maximum(numbers, 1)
    return np.asarray(squares.sum(axis=(1, 2)))


def _visible(decisions: int, pairs: float) -> float | None:
    """Return `Consistency.seen` for actions that are played half the time, by the χ² test."""
    if not pairs:
        return None
    excess = 0.0
    for _ in range(50):
        excess = _QUANTILE * math.sqrt(2 * decisions)
        excess += NORMAL_80 * math.sqrt(2 * decisions + 4 * excess)
    return min(1.0, 0.5 * math.sqrt(excess / pairs))
