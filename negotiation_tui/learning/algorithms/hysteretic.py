"""Hysteretic Q-learning: quick to believe good news, slow to believe bad news.

    δ = r + γ·max Q(s', ·) − Q(s, a)
    Q(s, a) ← Q(s, a) + α·δ    if δ ≥ 0
    Q(s, a) ← Q(s, a) + β·δ    if δ < 0,   with β = decrease · α

Bad news may come from an opponent that was exploring or still learning. With `decrease` 1 it is
Q-learning.

Made for teams with one reward; in a negotiation it hopes for the opponent's best answers, and can
come to ask too much if β is small. Matignon, Laurent and Le Fort-Piat 2007, section IV.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import AT_BEST, How, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, OWN, RATE, Episode, Legal, Row, best
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting

DECREASE = OWN


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, discount = tables[0], settings[DISCOUNT]
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            target = discount * best(q, episode.states[k + 1], legal) - episode.cost
        rate = settings[RATE]
        if target < q[at]:
            rate *= settings[DECREASE]
        q[at] += rate * (target - q[at])


@dataclass(frozen=True)
class Hysteretic(TabularAlgorithm):
    name: ClassVar[str] = "hysteretic"
    summary: ClassVar[str] = "Q-learning that lowers values more slowly than it raises them"
    source: ClassVar[str] = "Matignon, Laurent and Le Fort-Piat 2007"
    learn = staticmethod(learn)
    toward: ClassVar[str] = AT_BEST

    decrease: float = setting(0.1, "β/α, the share of α by which values fall, from 0 to 1")

    def how(self, settings: Any, tables: Any, at: int, last: bool, lowers: bool) -> How:
        step = super().how(settings, tables, at, last, lowers)
        return step._replace(rate=step.rate * settings[DECREASE]) if lowers else step
