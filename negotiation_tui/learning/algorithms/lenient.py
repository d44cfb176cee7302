"""Lenient Q-learning: Q-learning that forgives bad results at first, and less with each visit.

Each state and action has a temperature T, at first `temperature`:

    δ = r + γ·max Q(s', ·) − Q(s, a)
    Q(s, a) ← Q(s, a) + α·δ    if δ ≥ 0; else only with probability 1 − exp(−1 / T(s, a))
    T(s, a) ← cooling · T(s, a)

So an opponent's exploration early on is forgiven, and in the end it is Q-learning.

Panait, Sullivan
and Luke 2006; Wei and Luke 2016, section 4, without their folding of temperatures into those of
earlier states and with the training's ε for exploration.
"""

import math
from typing import Any, ClassVar

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import AT_BEST, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import (
    DISCOUNT,
    OWN,
    RATE,
    Episode,
    Legal,
    Row,
    best,
    next_draw,
)
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting, within

COOLING = OWN + 1
COLD = 0.001  # below this T nothing is forgiven: the probability would be exp(−1000)


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, temperatures, draw = tables[0], tables[1], episode.draw
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            following = best(q, episode.states[k + 1], legal)
            target = settings[DISCOUNT] * following - episode.cost
        forgives = 0.0
        if temperatures[at] > COLD and target < q[at]:
            forgives = math.exp(-1.0 / temperatures[at])
        if draw >= forgives:
            q[at] += settings[RATE] * (target - q[at])
        temperatures[at] *= settings[COOLING]
        draw = next_draw(draw)


@dataclass(frozen=True)
class Lenient(TabularAlgorithm):
    name: ClassVar[str] = "lenient"
    summary: ClassVar[str] = "Q-learning that forgives bad results at first"
    source: ClassVar[str] = "Panait, Sullivan and Luke 2006; Wei and Luke 2016"
    n_tables: ClassVar[int] = 2
    draws: ClassVar[bool] = True
    first: ClassVar[tuple[str, ...]] = ("temperature",)
    learn = staticmethod(learn)
    toward: ClassVar[str] = AT_BEST

    temperature: float = setting(
        50.0, "first temperature T, from 0 to 1000; 0: Q-learning", within(0, 1000)
    )
    cooling: float = setting(0.995, "factor of T at each visit, from 0 to 1")

    def write_first(self, tables: Floats, scenario: Scenario, role: Role, value: float) -> None:
        super().write_first(tables, scenario, role, value)
        tables[1] = self.temperature
