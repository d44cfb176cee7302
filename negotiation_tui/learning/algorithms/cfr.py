"""Counterfactual regret minimisation: play what would have been better before, in proportion.

    q(s, a)   value of action a in state s, both roles playing on by their present policies π
    R(s, a) ← R(s, a) + x₋ᵢ(s)·(q(s, a) − Σ π(s, b)·q(s, b))
    π(s, a) ← max(R(s, a), 0) / Σ max(R(s, b), 0),   uniform if no regret is above 0
    S(s, a) ← S(s, a) + w·xᵢ(s)·π(s, a),             average π̄ = S / Σ S over the actions

where x₋ᵢ and xᵢ are the reaches of the opponent's and of its own choices, and w = 1. With `plus`
negative regrets become 0 and w is the number of the iteration (CFR+).

Reaches come from `solvers.reach`. Zinkevich et al. 2007,
section 3; Tammelin 2014.

With hidden limits q and x₋ᵢ are means over the opponent's limits, by their weights: x₋ᵢ·q becomes
Σ weight·x₋ᵢ·q of each limit's table. So a limit that would hardly have come here hardly counts.

A state here is opener or responder, ply and price on the table, not the whole history as in the
publications. The game is general-sum besides: nothing guarantees that the average comes to an
equilibrium. Where the opponent hardly ever leads, regrets hardly change: long games take long.
"""

from typing import ClassVar

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import IN_TURN, AveragingAlgorithm, Tables, scheduled
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting
from negotiation_tui.runtime.validate import boolean
from negotiation_tui.solvers.reach import (
    action_values,
    legal_decisions,
    normalised,
    opponents_reach,
    own_reach,
)


@dataclass(frozen=True)
class Cfr(AveragingAlgorithm):
    name: ClassVar[str] = "cfr"
    summary: ClassVar[str] = "computes regrets, and plays actions in proportion to them"
    source: ClassVar[str] = "Zinkevich et al. 2007, section 3; Tammelin 2014"

    schedule: str = scheduled(IN_TURN)
    plus: bool = setting(False, "true: CFR+, which forgets negative regrets; false: CFR", boolean)

    def begin(self, scenario: Scenario, role: Role) -> Tables:
        tables = super().begin(scenario, role)
        return {**tables, "regrets": np.zeros_like(tables["last"]), "iterations": np.zeros(1)}

    def iterate(
        self, tables: Tables, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float
    ) -> None:
        legal, policy, regrets = legal_decisions(scenario, role), tables["last"], tables["regrets"]
        values = action_values(scenario, role, policy, opponent, rate)
        gains = values - (policy * values).sum(axis=-1, keepdims=True)
        weights = opponent.scenario.chances(role.other)[:, None, None, None]
        reach = weights * opponents_reach(scenario, role, opponent)
        for each in np.where(legal, reach[..., None] * gains, 0.0):
            regrets += each
        if self.plus:
            np.maximum(regrets, 0.0, out=regrets)
        uniform = legal / legal.sum(axis=-1, keepdims=True)
        tables["last"] = policy = normalised(np.maximum(regrets, 0.0), uniform)
        tables["iterations"] += 1
        weight = tables["iterations"] if self.plus else 1.0
        tables["sum"] += weight * own_reach(scenario, role, policy) * policy
