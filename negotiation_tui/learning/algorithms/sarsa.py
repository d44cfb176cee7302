"""SARSA: as Q-learning, but a state has the value of the action played there.

    Q(s, a) ← Q(s, a) + α·(r + γ·Q(s', a') − Q(s, a))

where a' is the action that was played in s'.

Rummery and Niranjan 1994; Sutton and Barto 2018, section 6.4.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Episode, Legal, Row
from negotiation_tui.runtime.records import dataclass


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, rate, discount = tables[0], settings[RATE], settings[DISCOUNT]
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            after = episode.states[k + 1] * legal.width + episode.actions[k + 1]
            target = discount * q[after] - episode.cost
        q[at] += rate * (target - q[at])


@dataclass(frozen=True)
class Sarsa(TabularAlgorithm):
    name: ClassVar[str] = "sarsa"
    summary: ClassVar[str] = "values actions by what it did next, guesses and all"
    source: ClassVar[str] = "Rummery and Niranjan 1994; Sutton and Barto 2018, section 6.4"
    learn = staticmethod(learn)
    toward: ClassVar[str] = "what it does next:"
