"""Magnetic mirror descent: take better actions more often, and be drawn to a fixed policy.

    q(s, a)    value of action a in state s, both roles playing on by their present policies π
    log π(s, a) ← (log π(s, a) + η·q(s, a) + η·α·log m(s, a)) / (1 + η·α),   then normalised

where α is the strength of the magnet m. log m is 0 but for `accepting`, added for accepting, and
`greed`, added per step from a role's worst offer for itself to its best.

α falls `falls` times from `strongest` to `weakest`, in equal ratios, each time after `iterations`
iterations: the policies need rest to follow. Without those two settings the magnet is uniform.
log π ends at −80. Sokota et al. 2023, section 4,
equation 12 in closed form.

With hidden limits q is a mean over the opponent's limits, each with the probability that it has
after both present policies led to s. A state here is opener or responder, ply and price on the
table, not the whole history as in the publication, which also shows convergence only for
zero-sum games: nothing guarantees that the policies come to an equilibrium.
"""

from typing import ClassVar

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm, Tables
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.settings_text import setting, within
from negotiation_tui.solvers.reach import action_values, joint_reach, legal_decisions

LOWEST = -80.0
"""The least logarithm of a probability."""


@dataclass(frozen=True)
class Mmd(ExactAlgorithm):
    name: ClassVar[str] = "mmd"
    summary: ClassVar[str] = "climbs towards better actions, drawn to a fixed policy"
    source: ClassVar[str] = "Sokota et al. 2023, section 4"

    step: float = setting(3.0, "η, the size of a step, above 0 to 100", within(0, 100, above=True))
    strongest: float = setting(0.02, "α at first, from 0 to 10", within(0, 10))
    weakest: float = setting(0.008, "α at the end, from 0 to 10", within(0, 10))
    falls: int = setting(8, "times that α falls, 1 to 1,000,000", within(1, 1_000_000))
    iterations: int = setting(
        250, "iterations before each fall, 1 to 1,000,000", within(1, 1_000_000)
    )
    accepting: float = setting(0.0, "log weight of accepting in the magnet", within(-20, 20))
    greed: float = setting(0.0, "log weight per price of greed in the magnet", within(-20, 20))

    def begin(self, scenario: Scenario, role: Role) -> Tables:
        tables = super().begin(scenario, role)
        return {**tables, "logs": _logarithms(tables["last"]), "iterations": np.zeros(1)}

    def magnet(self, scenario: Scenario, role: Role) -> Floats:
        """Return the logarithm of the magnet, up to a constant, per action: shape (P + 2)."""
        logs = np.zeros(scenario.n_actions)
        steps = np.arange(scenario.n_prices)
        logs[: scenario.n_prices] = self.greed * (steps if role is Role.SELLER else steps[::-1])
        logs[scenario.accept] = self.accepting
        return logs

    def iterate(
        self, tables: Tables, scenario: Scenario, role: Role, opponent: TabularPolicy, rate: float
    ) -> None:
        policy, legal = tables["last"], legal_decisions(scenario, role)
        chances = opponent.scenario.chances(role.other)[:, None, None, None]
        reach = chances * joint_reach(policy, opponent)
        values = action_values(scenario, role, policy, opponent, rate)
        total, reached = (reach[..., None] * values).sum(axis=0), reach.sum(axis=0)[..., None]
        means = np.divide(total, reached, out=values.mean(axis=0), where=reached > 0)
        fallen = min(1.0, tables["iterations"][0] // self.iterations / self.falls)
        alpha = self.strongest ** (1 - fallen) * self.weakest**fallen
        logs = tables["logs"] + self.step * (means + alpha * self.magnet(scenario, role))
        logs = np.where(legal, logs / (1 + self.step * alpha), -np.inf)
        logs -= logs.max(axis=-1, keepdims=True)
        policy = np.where(legal, np.exp(np.maximum(logs, LOWEST)), 0.0)
        tables["last"] = policy = policy / policy.sum(axis=-1, keepdims=True)
        tables["logs"] = _logarithms(policy)
        tables["iterations"] += 1


def _logarithms(policy: Floats) -> Floats:
    """Return the logarithm of each probability; LOWEST for an action that is not legal."""
    return np.log(policy, out=np.full(policy.shape, LOWEST), where=policy > 0)
