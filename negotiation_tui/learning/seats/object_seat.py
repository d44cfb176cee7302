"""A learner that is an object of a class of the user's own, in a seat."""

import copy
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Floats
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, position_of
from negotiation_tui.learning.random_streams import of_learner
from negotiation_tui.learning.seats.base import Arrays, TryingSeat


class ObjectSeat(TryingSeat):
    """A learner that plays and learns turn by turn. Its policy is computed when it is asked for.

    `learner` must raise BadInputError for its own errors (see `players.user_learner`).
    """

    algorithm: ObjectAlgorithm

    def __init__(
        self,
        algorithm: ObjectAlgorithm,
        scenario: Scenario,
        role: Role,
        parameters: Parameters,
        seed: int,
    ) -> None:
        super().__init__(algorithm, scenario, role)
        if parameters.curriculum_window or parameters.expected_updates:
            raise BadInputError(
                f"{algorithm.name}: expected curriculum_window 0 and no expected_updates, got a"
                " learner that plays turn by turn; use recipe published"
            )
        views, last = scenario.views[role], scenario.final_state
        self.learner: Learner = algorithm.new(scenario, role, of_learner(seed, role))
        told = (position_of(view, role, s) for view in views for s in range(last))
        self.positions = {position.row: position for position in told}
        """The positions that it is told of, by their rows."""
        self._shared = {id(each): each for each in (*views, scenario, *self.positions.values())}
        self._policy: TabularPolicy | None = None
        self._values: Floats | None = None

    def told(self, position: Position) -> Position:
        return self.positions[position.row]

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        self.learner.epsilon = epsilon
        return self.learner.act(position, rng), self.learner.explored

    def learn(
        self, episode: Sequence[Transition], _epsilon: float, _rng: np.random.Generator, /
    ) -> None:
        self._policy = self._values = None
        self.learner.learn(episode)

    @property
    def policy(self) -> TabularPolicy:
        if self._policy is None:
            dense = np.zeros((self.scenario.n_rows(self.role), self.scenario.n_actions))
            for row, position in self.positions.items():
                dense[row] = self.learner.probabilities(position)
            self._policy = TabularPolicy.of_probabilities(self.scenario, self.role, dense)
        return self._policy

    @property
    def values(self) -> Floats | None:
        if self._values is None:
            table = np.zeros((self.scenario.n_rows(self.role), self.scenario.n_actions))
            for row, position in self.positions.items():
                values = self.learner.values(position)
                if values is None:
                    return None
                table[row] = values
            self._values = table
        return self._values.copy()

    @property
    def arrays(self) -> Arrays:
        return self.learner.state()

    def restore(self, arrays: Arrays) -> None:
        self._policy = self._values = None
        self.learner.restore(arrays)

    def state(self) -> dict[str, Any]:
        """Return a copy of the learner itself: its arrays may not be all that it knows."""
        return {_KEPT: self._copy(self.learner, self._frozen)}

    def go_to(self, state: dict[str, Any]) -> None:
        kept = self._copy(*state[_KEPT][:2])
        self.learner, self._frozen = kept.learner, kept.frozen
        self._policy = self._values = None

    def _copy(self, learner: Learner, frozen: TabularPolicy) -> "_Kept":
        """Copy a learner; it shares the scenario and the positions."""
        copied: dict[int, Any] = dict(self._shared)
        clone = copy.deepcopy(learner, copied)
        own = (each for at, each in copied.items() if at not in self._shared)
        size = sum(max(sys.getsizeof(each), getattr(each, "nbytes", 0)) for each in own)
        return _Kept(clone, frozen, size)


class _Kept(NamedTuple):
    learner: Learner
    frozen: TabularPolicy
    nbytes: int  # of memory, about


_KEPT = "learner"
