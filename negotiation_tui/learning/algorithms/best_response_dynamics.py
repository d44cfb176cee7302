"""Best-response dynamics: play an exact best response to what the opponent plays now.

    πᵢ ← an element of argmax u(π, π₋ᵢ) over all π

The response is best in every state, reached or not.

Cournot 1838, chapter 7; Fudenberg and Levine 1998, chapter 1. A ply depends on later plies
only: after n iterations of both roles together the last n plies stand still, and after 2·T both
roles play an equilibrium of every subgame. This holds for any rule for ties that depends on nothing
but the values of the actions. The rule decides which equilibrium it is, and whether it is found
sooner.
"""

from typing import ClassVar

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm, Tables
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import among, setting
from negotiation_tui.solvers.best_response import best_response

_UNIFORM, ACCEPT, REJECT = TIE_BREAKS = "uniform", "accept", "reject"
TIE_BREAK = (
    "of equally good actions, uniform: all; accept: accepting first, then the offer best for"
    " itself, walking away last; reject: walking away first, accepting last"
)


def preferences(scenario: Scenario, role: Role, tie_break: str) -> Floats:
    """Return a number above 0 per action; of equally good actions the greatest is played."""
    P = scenario.n_prices
    order = np.arange(2.0, P + 4)
    if role is Role.BUYER:
        order[:P] = order[:P][::-1]
    order[scenario.accept], order[scenario.walk_away] = 2 + P, 1
    if tie_break == REJECT:
        order[P:] = order[P:][::-1]
    return order


@dataclass(frozen=True)
class BestResponseDynamics(ExactAlgorithm):
    name: ClassVar[str] = "best-response-dynamics"
    summary: ClassVar[str] = "computes the best response to what the other side plays now"
    needs_known_limits: ClassVar[bool] = True
    source: ClassVar[str] = "Cournot 1838, chapter 7; Fudenberg and Levine 1998, chapter 1"

    tie_break: str = setting(_UNIFORM, TIE_BREAK, among(TIE_BREAKS))

    def iterate(
        self, tables: Tables, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float
    ) -> None:
        played = best_response(scenario, role, opponent, rate).best_actions
        if self.tie_break != _UNIFORM:
            ranks = played * preferences(scenario, role, self.tie_break)
            played &= ranks == ranks.max(axis=-1, keepdims=True)
        tables["last"] = played / played.sum(axis=-1, keepdims=True)
