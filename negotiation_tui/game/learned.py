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


class Learned:
    """Nothing, if no learner sat in the seat; a subclass says what a learner knows."""

    @property
    def nothing(self) -> bool:
        return type(self) is Learned

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays that it holds, such as to compare it with another or to count its bytes."""
        return ()

    def rows(self, scenario: Scenario, role: Role) -> Floats:
        """Return values of actions, else probabilities, else 0; shape (n_rows, n_actions)."""
        return np.zeros((scenario.n_rows(role), scenario.n_actions))

    def policy_in(self, scenario: Scenario, role: Role) -> TabularPolicy:
        """Return the policy that it plays, made again each time if it is greedy."""
        return untrained_policy(scenario, role)

    def part(self, view: Scenario, limit: int) -> Learned:
        """Return what was learned with the limit of an index, in the game that its role sees."""
        return self

    def shared(self, before: Learned) -> Learned:
        """Return `before` if it is equal, so that both share their arrays; otherwise this."""
        mine, earlier = self.arrays, before.arrays
        if type(self) is not type(before) or len(mine) != len(earlier):
            return self
        pairs = zip(mine, earlier, strict=True)
        same = all(one is other or np.array_equal(one, other) for one, other in pairs)
        return before if same else self


@dataclass(frozen=True, eq=False)
class WithValues(Learned):
    """A value per action: of a learner that plays greedily by them if it has no policy."""

    values: LearnedTable  # shape (n_rows, n_actions)

    @property
    def arrays(self) -> tuple[Any, ...]:
        values = self.values
        return (values.used, values.entries) if isinstance(values, SparseTable) else (values,)

    def rows(self, scenario: Scenario, role: Role) -> Floats:
        return self.values[:]

    def policy_in(self, scenario: Scenario, role: Role) -> TabularPolicy:
        return greedy(scenario, role, self.values[:])

    def part(self, view: Scenario, limit: int) -> Learned:
        return WithValues(_part(self.values, view, limit))


@dataclass(frozen=True, eq=False)
class WithPolicy(Learned):
    """A policy of the learner's own, without values unless the subclass adds them."""

    policy: TabularPolicy

    @property
    def arrays(self) -> tuple[Any, ...]:
        policy = self.policy
        weights = () if policy.weights is None else (policy.weights,)
        return policy.n_actions, policy.actions, *weights

    def rows(self, scenario: Scenario, role: Role) -> Floats:
        return self.policy.probabilities

    def policy_in(self, scenario: Scenario, role: Role) -> TabularPolicy:
        return self.policy

    def part(self, view: Scenario, limit: int) -> Learned:
        return WithPolicy(self.policy.tables[limit])


@dataclass(frozen=True, eq=False)
class WithBoth(WithPolicy, WithValues):
    """A policy of the learner's own, and values of actions beside it."""

    @property
    def arrays(self) -> tuple[Any, ...]:
        return *WithValues(self.values).arrays, *WithPolicy(self.policy).arrays

    def rows(self, scenario: Scenario, role: Role) -> Floats:
        return self.values[:]

    def part(self, view: Scenario, limit: int) -> Learned:
        return WithBoth(_part(self.values, view, limit), self.policy.tables[limit])


def _part(table: LearnedTable, view: Scenario, limit: int) -> Floats:
    rows: Floats = table[limit * view.n_states : (limit + 1) * view.n_states]
    return rows


NOTHING_LEARNED = Learned()
LearnedOfBoth = tuple[Learned, Learned]


def learned_of(values: LearnedTable | None = None, policy: TabularPolicy | None = None) -> Learned:
    """Return values and a policy as one value; None is what a learner does not have."""
    if values is None:
        return NOTHING_LEARNED if policy is None else WithPolicy(policy)
    return WithValues(values) if policy is None else WithBoth(values, policy)
