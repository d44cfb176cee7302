"""Fictitious play: respond to the opponent's average policy; play the average of the responses.

    βᵢ ← the best responses to π̄₋ᵢ, drawn uniformly
    Sᵢ ← Sᵢ + xᵢ(β)·βᵢ,   π̄ᵢ = Sᵢ / Σ Sᵢ over the actions

where x is the reach: the probability with which a policy's own choices lead to a state.

Brown 1951; Heinrich et al. 2015, section 3. In a game with several moves an average of policies is
one of realization plans: each policy counts in a state with its own reach there.
The response counts as often as each one before it, so its step is 1/n in the n-th iteration.
Against another kind of learner it responds to what that one plays now.
"""

from typing import ClassVar

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import AveragingAlgorithm, Tables
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.reach import own_reach


@dataclass(frozen=True)
class FictitiousPlay(AveragingAlgorithm):
    name: ClassVar[str] = "fictitious-play"
    summary: ClassVar[str] = "computes the best response to the other side's average play"
    needs_known_limits: ClassVar[bool] = True
    source: ClassVar[str] = "Brown 1951; Heinrich, Lanctot and Silver 2015, section 3"

    def iterate(
        self, tables: Tables, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float
    ) -> None:
        best = best_response(scenario, role, opponent, rate).best_actions
        response = best / best.sum(axis=-1, keepdims=True)
        tables["last"] = response
        tables["sum"] += own_reach(scenario, role, response) * response

    def behaviour(self, tables: Tables, scenario: Scenario, role: Role) -> TabularPolicy:
        return self.average(tables, scenario, role)
