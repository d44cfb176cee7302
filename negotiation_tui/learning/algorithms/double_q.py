"""Double Q-learning: two tables; one says which action is best, the other how good it is.

A coin decides which of the tables A and B learns from a decision. If it is A:

    A(s, a) ← A(s, a) + α·(r + γ·B(s', argmax A(s', ·)) − A(s, a))

and with A and B exchanged otherwise. The learner plays the best actions by (A + B) / 2.

The maximum over noisy values is too high on average; this target is not. The mean is table 0.
Van Hasselt 2010, algorithm 1; Sutton and Barto 2018, section 6.7. If several actions are best in
one table, here the first of them counts.
"""

from typing import Any, ClassVar

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import (
    DISCOUNT,
    RATE,
    Episode,
    Legal,
    Row,
    next_draw,
    write_greedy,
)
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    rate, discount, draw = settings[RATE], settings[DISCOUNT], episode.draw
    for k in range(episode.n):
        chooser, judge = tables[1], tables[2]
        if draw >= 0.5:
            chooser, judge = tables[2], tables[1]
        draw = next_draw(draw)
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            after = episode.states[k + 1]
            write_greedy(chooser, after, legal, row)
            target = discount * judge[after * legal.width + row.actions[0]] - episode.cost
        chooser[at] += rate * (target - chooser[at])
        tables[0][at] = (tables[1][at] + tables[2][at]) / 2


@dataclass(frozen=True)
class DoubleQ(TabularAlgorithm):
    name: ClassVar[str] = "double-q"
    summary: ClassVar[str] = "two tables: one chooses, the other values, against wishful thinking"
    source: ClassVar[str] = "van Hasselt 2010, algorithm 1; Sutton and Barto 2018, section 6.7"
    n_tables: ClassVar[int] = 3
    draws: ClassVar[bool] = True
    learn = staticmethod(learn)
    toward: ClassVar[str] = "next: by the other table"
    moves: ClassVar[tuple[int, ...]] = (1, 2)

    def write_first(self, tables: Floats, scenario: Scenario, role: Role, value: float) -> None:
        super().write_first(tables, scenario, role, value)
        tables[1:] = tables[0] if value else 0.0
