"""Expected SARSA: as SARSA, but a state has the mean value of what the learner may play there.

    Q(s, a) ← Q(s, a) + α·(r + γ·Σ π(a' | s')·Q(s', a') − Q(s, a))

where π is the learner's own play: a random legal action with probability ε, otherwise a best one.

The draw of a' adds no noise. Sutton and Barto 2018, section 6.6; van Seijen et al. 2009, section 3.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Episode, Legal, Row, best
from negotiation_tui.runtime.records import dataclass


def mean_value(q: Any, state: int, legal: Legal) -> float:
    """Return the mean value of the legal actions of a state that is not the end."""
    at, n, total = state * legal.width, legal.n_actions[state], 0.0
    for k in range(at, at + n):
        total += q[at + legal.actions[k]]
    average: float = total / n
    return average


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, rate, discount = tables[0], settings[RATE], settings[DISCOUNT]
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            after, epsilon = episode.states[k + 1], episode.epsilon
            value = (1 - epsilon) * best(q, after, legal) + epsilon * mean_value(q, after, legal)
            target = discount * value - episode.cost
        q[at] += rate * (target - q[at])


@dataclass(frozen=True)
class ExpectedSarsa(TabularAlgorithm):
    name: ClassVar[str] = "expected-sarsa"
    summary: ClassVar[str] = "values actions by the mean of what it may do next"
    source: ClassVar[str] = "Sutton and Barto 2018, section 6.6; van Seijen et al. 2009"
    learn = staticmethod(learn)
    toward: ClassVar[str] = "next: on average"
