"""The base classes of learners in a role of a scenario, with what they learned so far."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from negotiation_tui.game.learned_table import LearnedTable
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.algorithms.base import Algorithm, Tables
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.q_table import check_size


class LearningPlayer(ABC):
    """A learner in a role of a scenario; it is changed by learning."""

    def __init__(self, algorithm: Algorithm, scenario: Scenario, role: Role) -> None:
        """Raises BadInputError if the scenario is too large; `seats.check_seat` asks the rest."""
        check_size(scenario)
        self.algorithm, self.scenario, self.role = algorithm, scenario, role
        self._kept: TabularPolicy | None = None

    @property
    @abstractmethod
    def policy(self) -> TabularPolicy:
        """The policy that is tested, judged and saved, without exploration."""

    @property
    def behaviour(self) -> TabularPolicy:
        """The policy that is played while learning, without the training's exploration."""
        return self.policy

    def go_on_by(self, algorithm: Algorithm) -> None:
        """Go on with other settings of its algorithm; all that it learned is kept."""
        self.algorithm = algorithm

    def keep(self) -> None:
        self._kept = self.behaviour

    @property
    def kept(self) -> TabularPolicy:
        self._kept = self._kept or untrained_policy(self.scenario, self.role)
        return self._kept

    @property
    def values(self) -> LearnedTable | None:
        """A copy of the values of actions, shape (n_rows, n_actions); None if it has none."""
        return None

    @property
    @abstractmethod
    def arrays(self) -> Tables:
        """Copies of all that was learned, by name."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return a copy of all that it knows and plays, for `go_to`."""

    @abstractmethod
    def go_to(self, state: dict[str, Any]) -> None:
        """Go to a state of the past."""


class SamplingPlayer(LearningPlayer):
    """A learner that learns from its own negotiations, and can do so turn by turn."""

    def seen(self, position: Position) -> Position:
        return position

    @abstractmethod
    def act(
        self, position: Position, epsilon: float, rng: "np.random.Generator"
    ) -> tuple[int, bool]:
        """Return a legal action, and True if it explores."""

    @abstractmethod
    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: "np.random.Generator", /
    ) -> None:
        """Learn from its decisions in one negotiation."""
