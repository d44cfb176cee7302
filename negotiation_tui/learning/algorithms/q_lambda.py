"""Watkins's Q(λ): as Q-learning, but a reward reaches earlier decisions of the episode at once.

The target of a decision is its λ-return

    G(k) = r + γ·((1 − λ)·max Q(s', ·) + λ·G(k + 1))    if a(k + 1) is a best action of s'
    G(k) = r + γ·max Q(s', ·)                           if not: the trace is cut

With λ = 0 it is Q-learning.

No state comes twice in a negotiation. So in exact arithmetic going backwards gives the same entries
as eligibility traces after each step: an entry changes only at its own decision, after it was read.
With rounding, two equal values may differ in one form and not in the other. Then one cuts a trace.
Watkins 1989, chapter 7; Sutton and Barto 2018, section 12.10.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import How, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, OWN, RATE, Episode, Legal, Row, best
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting

TRACE_DECAY = OWN


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, rate, discount = tables[0], settings[RATE], settings[DISCOUNT]
    target = episode.reward
    for k in range(episode.n - 1, -1, -1):
        state = episode.states[k]
        at, top = state * legal.width + episode.actions[k], best(q, state, legal)
        decay = settings[TRACE_DECAY] if q[at] == top else 0.0
        q[at] += rate * (target - q[at])
        target = discount * ((1 - decay) * top + decay * target) - episode.cost


@dataclass(frozen=True)
class QLambda(TabularAlgorithm):
    name: ClassVar[str] = "q-lambda"
    summary: ClassVar[str] = "Q-learning whose rewards reach earlier decisions at once"
    source: ClassVar[str] = "Watkins 1989, chapter 7; Sutton and Barto 2018, section 12.10"
    learn = staticmethod(learn)
    toward: ClassVar[str] = "what followed, by λ:"
    at_end: ClassVar[bool] = True

    trace_decay: float = setting(0.8, "λ, from 0 to 1; 0: Q-learning")

    def how(self, settings: Any, tables: Any, at: int, last: bool, lowers: bool) -> How:
        return super().how(settings, tables, at, last, lowers)._replace(factor=1.0)
