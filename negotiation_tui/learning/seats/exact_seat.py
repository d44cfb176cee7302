"""A learner that computes, in a seat."""

from collections.abc import Callable, Sequence

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked
from negotiation_tui.learning.algorithms.base import ExactAlgorithm
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.seats.base import Arrays, LearnerSeat


class ExactSeat(LearnerSeat):
    """A learner that computes: after each `counts_as` episodes it makes one iteration.

    It has tables for each limit; `arrays` has those of all limits, end to end.
    """

    algorithm: ExactAlgorithm

    def __init__(
        self, algorithm: ExactAlgorithm, scenario: Scenario, role: Role, parameters: Parameters
    ) -> None:
        super().__init__(algorithm, scenario, role)
        self._rate = parameters.discount_rate
        self._views = scenario.views[role]
        self._tables: list[Arrays] = []
        self._policies: dict[str, TabularPolicy] = {}
        self.restore(first_arrays(algorithm, scenario, role))

    def iterate(self, opponent: TabularPolicy) -> None:
        """Learn from what the opponent plays now."""
        for tables, view in zip(self._tables, self._views, strict=True):
            self.algorithm.iterate(tables, view, self.role, opponent, self._rate)
        self._policies = {}

    @property
    def policy(self) -> TabularPolicy:
        return self._kept("judged", self.algorithm.judged)

    @property
    def behaviour(self) -> TabularPolicy:
        return self._kept("behaviour", self.algorithm.behaviour)

    def _kept(self, name: str, make: Callable[..., TabularPolicy]) -> TabularPolicy:
        """Return a policy, made once after each iteration."""
        if name not in self._policies:
            seen = zip(self._tables, self._views, strict=True)
            policies = [make(tables, view, self.role) for tables, view in seen]
            self._policies[name] = stacked(self.scenario, policies)
        return self._policies[name]

    @property
    def arrays(self) -> Arrays:
        return _end_to_end(self._tables)

    def restore(self, arrays: Arrays) -> None:
        n = len(self._views)
        parts = {name: np.split(table.copy(), n) for name, table in arrays.items()}
        self._tables = [{name: each[k] for name, each in parts.items()} for k in range(n)]
        self._policies = {}


def first_arrays(algorithm: ExactAlgorithm, scenario: Scenario, role: Role) -> Arrays:
    """Return the tables that a learner begins with."""
    return _end_to_end([algorithm.begin(view, role) for view in scenario.views[role]])


def _end_to_end(tables: Sequence[Arrays]) -> Arrays:
    """Return the tables of all limits by name, in new arrays."""
    return {name: np.concatenate([each[name] for each in tables]) for name in tables[0]}
