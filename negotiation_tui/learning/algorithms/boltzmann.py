"""Boltzmann exploration: Q-learning that tries better actions more often than worse ones.

    π(a | s) = exp(Q(s, a) / τ) / Σ exp(Q(s, b) / τ),    τ = temperature · ε

So the temperature τ falls with ε of the training. At ε = 0 the best actions are played.

Nothing else explores. Values are those of Q-learning. Kaelbling, Littman and Moore 1996, section
2.2.2; Watkins 1989.
"""

from typing import Any, ClassVar

from negotiation_tui.learning.algorithms.base import AT_BEST, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import learn
from negotiation_tui.learning.algorithms.rows import OWN, Legal, Row, softmax, write_greedy
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting, within

TEMPERATURE = OWN
COLDEST = 1e-300  # below this τ the best actions are played: 1 / τ must stay finite


def policy(tables: Any, settings: Any, epsilon: float, state: int, legal: Legal, row: Row) -> int:
    temperature = settings[TEMPERATURE] * epsilon
    if temperature < COLDEST:
        return write_greedy(tables[0], state, legal, row)
    return softmax(tables[0], 1.0 / temperature, state, legal, row)


@dataclass(frozen=True)
class Boltzmann(TabularAlgorithm):
    name: ClassVar[str] = "boltzmann"
    summary: ClassVar[str] = "Q-learning that tries good actions more often than bad ones"
    source: ClassVar[str] = "Kaelbling, Littman and Moore 1996, section 2.2.2"
    explores_itself: ClassVar[bool] = True
    policy = staticmethod(policy)
    learn = staticmethod(learn)
    toward: ClassVar[str] = AT_BEST

    temperature: float = setting(1.0, "τ at ε = 1, from 0.001 to 1000", within(0.001, 1000))
