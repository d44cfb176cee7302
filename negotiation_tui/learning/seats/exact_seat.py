"""A learner that computes, in a seat."""

from collections.abc import Callable

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import ExactAlgorithm
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.seats.base import Arrays, LearnerSeat


class ExactSeat(LearnerSeat):
    """A learner that computes: after each `counts_as` episodes it makes one iteration."""

    algorithm: ExactAlgorithm

    def __init__(
        self, algorithm: ExactAlgorithm, scenario: Scenario, role: Role, parameters: Parameters
    ) -> None:
        super().__init__(algorithm, scenario, role)
        self._rate = parameters.discount_rate
        self._tables: Arrays = {}
        self._policies: dict[str, TabularPolicy] = {}
        self.restore(algorithm.begin(scenario, role))

    def iterate(self, opponent: TabularPolicy) -> None:
        """Learn from what the opponent plays now."""
        self.algorithm.iterate(self._tables, self.scenario, self.role, opponent, self._rate)
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
            self._policies[name] = make(self._tables, self.scenario, self.role)
        return self._policies[name]

    @property
    def arrays(self) -> Arrays:
        return {name: table.copy() for name, table in self._tables.items()}

    def restore(self, arrays: Arrays) -> None:
        self._tables = {name: table.copy() for name, table in arrays.items()}
        self._policies = {}
