"""Monte Carlo control: the value of an action is the mean of what it earned in the end.

    G = γ^(n − 1 − k)·r        for decision k of n, both from the same player
    Q(s, a) ← Q(s, a) + step·(G − Q(s, a))

The step is α, or with `average` 1 / (number of visits), so that Q is the mean of all returns.

A mean never forgets: it also holds returns against opponents that have learned since.
First-visit, on-policy. No state comes twice in a negotiation, so every visit is the first.
Sutton and Barto 2018, section 5.4, and with random starts section 5.3; constant α is equation 6.1.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import How, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, OWN, RATE, Episode, Legal, Row
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting
from negotiation_tui.runtime.validate import boolean

_AVERAGE = OWN


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, visits = tables[0], tables[1]
    earned = episode.reward
    for k in range(episode.n - 1, -1, -1):
        at = episode.states[k] * legal.width + episode.actions[k]
        visits[at] += 1.0
        step = 1.0 / visits[at] if settings[_AVERAGE] > 0.0 else settings[RATE]
        q[at] += step * (earned - q[at])
        earned = earned * settings[DISCOUNT] - episode.cost


@dataclass(frozen=True)
class MonteCarlo(TabularAlgorithm):
    name: ClassVar[str] = "monte-carlo"
    summary: ClassVar[str] = "values actions by the end alone, not by other values"
    source: ClassVar[str] = "Sutton and Barto 2018, section 5.4"
    n_tables: ClassVar[int] = 2
    learn = staticmethod(learn)
    toward: ClassVar[str] = "what the game earned, seen from here:"
    at_end: ClassVar[bool] = True

    average: bool = setting(
        False, "true: the mean of all returns; false: newer ones count more", boolean
    )

    def how(self, settings: Any, tables: Any, at: int, last: bool, lowers: bool) -> How:
        step = super().how(settings, tables, at, last, lowers)
        rate = 1.0 / tables[1][at] if settings[_AVERAGE] > 0.0 else step.rate
        return step._replace(rate=rate, factor=1.0)
