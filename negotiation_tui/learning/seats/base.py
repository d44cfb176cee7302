"""A learner in a seat: an algorithm, and what it has learned so far."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.algorithms.base import Algorithm, Floats
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.q_table import check_size

Arrays = dict[str, NDArray[np.float64]]


class LearnerSeat(ABC):
    """A learner in a role of a scenario; it is changed by learning."""

    def __init__(self, algorithm: Algorithm, scenario: Scenario, role: Role) -> None:
        """Raises BadInputError if the scenario is too large, or its states do not suffice."""
        check_size(scenario)
        algorithm.check(scenario)
        self.algorithm, self.scenario, self.role = algorithm, scenario, role
        self._frozen = untrained_policy(scenario, role)

    @property
    @abstractmethod
    def policy(self) -> TabularPolicy:
        """The policy that is tested, judged and saved, without exploration."""

    @property
    def behaviour(self) -> TabularPolicy:
        """The policy that is played while learning, without the training's exploration."""
        return self.policy

    def freeze(self) -> None:
        """Keep the present behaviour, to be played while the other role learns."""
        self._frozen = self.behaviour

    @property
    def frozen_policy(self) -> TabularPolicy:
        """The behaviour that was kept last."""
        return self._frozen

    @property
    def values(self) -> Floats | None:
        """A copy of the values of actions, shape (n_rows, n_actions); None if it has none."""
        return None

    @property
    @abstractmethod
    def arrays(self) -> Arrays:
        """Copies of all that was learned, by name."""

    @abstractmethod
    def restore(self, arrays: Arrays) -> None:
        """Take back what `arrays` returned."""

    def state(self) -> Arrays:
        """Return `arrays` and the frozen policy, for `go_to`."""
        return {**self.arrays, _FROZEN: self._frozen.probabilities}

    def go_to(self, state: Arrays) -> None:
        """Go to a state of the past."""
        self.restore({name: each for name, each in state.items() if name != _FROZEN})
        self._frozen = TabularPolicy.of_probabilities(self.scenario, self.role, state[_FROZEN])


class TryingSeat(LearnerSeat):
    """A learner that learns from its own negotiations, and can do so turn by turn."""

    def told(self, position: Position) -> Position:
        """Return what the learner is told of a position."""
        return position

    @abstractmethod
    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        """Return a legal action, and True if it explores."""

    @abstractmethod
    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: np.random.Generator, /
    ) -> None:
        """Learn from its decisions in one negotiation."""


_FROZEN = "frozen"
