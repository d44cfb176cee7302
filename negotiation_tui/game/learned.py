"""All that an agent learned in its role, as one value: nothing, values, a policy, or both."""

from __future__ import annotations

from typing import Any

import numpy as np

from negotiation_tui.game.learned_table import LearnedTable, SparseTable
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import dataclass


@dataclass(frozen=True, eq=False)
class Learned:
    """All that a learner knows; nothing, if no learner sat in the seat."""

    values: LearnedTable | None = None
    """A value per action, shape (n_rows, n_actions): without a policy it plays greedily by them."""
    policy: TabularPolicy | None = None  # a policy of the learner's own

    @property
    def nothing(self) -> bool:
        return self.values is None and self.policy is None

    @property
    def probabilities(self) -> Floats | None:
        """The probability of each action by the policy, shape (n_rows, n_actions)."""
        return self.policy.probabilities if self.policy else None

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays that it holds, such as to compare it with another or to count its bytes."""
        values, policy = self.values, self.policy
        tables = (values.used, values.entries) if isinstance(values, SparseTable) else (values,)
        played = (policy.n_actions, policy.actions, policy.weights) if policy else ()
        return tuple(each for each in (*tables, *played) if each is not None)

    def rows(self, scenario: Scenario, role: Role) -> Floats:
        """Return values of actions, else probabilities, else 0; shape (n_rows, n_actions)."""
        rows = self.probabilities if self.values is None else self.values[:]
        return np.zeros((scenario.n_rows(role), scenario.n_actions)) if rows is None else rows

    def policy_in(self, scenario: Scenario, role: Role) -> TabularPolicy:
        """Return the policy that it plays, made again each time if it is greedy."""
        if self.policy is not None:
            return self.policy
        if self.values is not None:
            return greedy(scenario, role, self.values[:])
        return untrained_policy(scenario, role)

    def part(self, view: Scenario, limit: int) -> Learned:
        """Return what was learned with the limit of an index, in the game that its role sees."""
        at = slice(limit * view.n_states, (limit + 1) * view.n_states)
        values = None if self.values is None else self.values[at]
        return Learned(values, self.policy and self.policy.tables[limit])

    def shared(self, before: Learned) -> Learned:
        """Return `before` if it is equal, so that both share their arrays; otherwise this."""
        mine, earlier = self.arrays, before.arrays
        if len(mine) != len(earlier):
            return self
        pairs = zip(mine, earlier, strict=True)
        same = all(one is other or np.array_equal(one, other) for one, other in pairs)
        return before if same else self


LearnedOfBoth = tuple[Learned, Learned]
