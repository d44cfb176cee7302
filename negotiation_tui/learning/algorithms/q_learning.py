"""Q-learning, the original's way of learning.

    Q(s, a) ← Q(s, a) + α·(r + γ·max Q(s', ·) − Q(s, a))

where s' is the learner's next state, after the opponent's answer.

Watkins 1989; Sutton and Barto 2018, section 6.5. `learning.loop` is the fast form of this,
with results equal to the bit.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Episode, Legal, Row, best


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, rate, discount = tables[0], settings[RATE], settings[DISCOUNT]
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            target = discount * best(q, episode.states[k + 1], legal)
        q[at] = q[at] * (1 - rate) + rate * target


@dataclass(frozen=True)
class QLearning(TabularAlgorithm):
    """Learns the value of each action under the best play that follows."""

    name: ClassVar[str] = "q-learning"
    summary: ClassVar[str] = "values actions by the best that can follow: the original's learner"
    source: ClassVar[str] = "Watkins 1989; Sutton and Barto 2018, section 6.5"
    learn = staticmethod(learn)


Q_LEARNING = QLearning()  # plain Q-learning, with the settings of the training
