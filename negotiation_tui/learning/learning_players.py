"""The players of a training that learn: an algorithm in a role, and what it has learned so far."""

import copy
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import drawn
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked, untrained_policy
from negotiation_tui.learning.algorithms.base import (
    Algorithm,
    ExactAlgorithm,
    Floats,
    TabularAlgorithm,
)
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import Episode, accumulate
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, position_of
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.q_table import check_size
from negotiation_tui.learning.random_streams import of_learner

Arrays = dict[str, NDArray[np.float64]]


class LearningPlayer(ABC):
    """A learner in a role of a scenario; it is changed by learning."""

    def __init__(self, algorithm: Algorithm, scenario: Scenario, role: Role) -> None:
        """Raises BadInputError if the scenario is too large, or its states do not suffice."""
        check_size(scenario)
        algorithm.check(scenario)
        self.algorithm, self.scenario, self.role = algorithm, scenario, role
        self._kept = untrained_policy(scenario, role)

    @property
    @abstractmethod
    def policy(self) -> TabularPolicy:
        """The policy that is tested, judged and saved, without exploration."""

    @property
    def behaviour(self) -> TabularPolicy:
        """The policy that is played while learning, without the training's exploration."""
        return self.policy

    def keep(self) -> None:
        """Keep the present behaviour, to be played while the other role learns."""
        self._kept = self.behaviour

    @property
    def kept(self) -> TabularPolicy:
        """The behaviour that was kept last."""
        return self._kept

    @property
    def values(self) -> Floats | None:
        """A copy of the values of actions, shape (n_rows, n_actions); None if it has none."""
        return None

    @property
    @abstractmethod
    def arrays(self) -> Arrays:
        """Copies of all that was learned, by name."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return a copy of all that it knows and plays, for `go_to`."""

    @abstractmethod
    def go_to(self, state: dict[str, Any]) -> None:
        """Go to a state of the past."""


class SamplingPlayer(LearningPlayer):
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


class TabularPlayer(SamplingPlayer):
    """A learner with tables, which the loop plays, or itself turn by turn."""

    algorithm: TabularAlgorithm

    def __init__(
        self,
        algorithm: TabularAlgorithm,
        scenario: Scenario,
        role: Role,
        parameters: Parameters,
        population: Population,
    ) -> None:
        super().__init__(algorithm, scenario, role)
        self._population = population
        population.learn(role, algorithm, parameters)

    @property
    def policy(self) -> TabularPolicy:
        return self._population.policy(self.role)

    def keep(self) -> None:
        self._population.keep(self.role)

    @property
    def kept(self) -> TabularPolicy:
        return self._population.kept(self.role)

    @property
    def values(self) -> Floats | None:
        number = self.algorithm.values
        return None if number is None else self._population.values(self.role, number)

    @property
    def arrays(self) -> Arrays:
        return {"tables": self._population.tables_of(self.role)}

    def state(self) -> Arrays:
        return self._population.state(self.role)

    def go_to(self, state: Arrays) -> None:
        self._population.go_to(self.role, state)

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        first, settings, legal, row = self._population.turn_by_turn(self.role)
        state, draw = first + position.row, float(rng.random())
        if not self.algorithm.explores_itself and draw < epsilon:
            k = int(draw * (ALMOST_ONE / epsilon) * legal.n_actions[state])
            return int(legal.actions[state * legal.width + k]), True
        tables = self._population.agents.tables
        n = type(self.algorithm).policy(tables, settings, epsilon, state, legal, row)
        accumulate(row.weights, n)
        k = drawn(row.weights, 0, n, rng.random()) if n > 1 else 0
        return int(row.actions[k]), False

    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: np.random.Generator, /
    ) -> None:
        first, settings, legal, row = self._population.turn_by_turn(self.role)
        states = [first + each.position.row for each in episode]
        actions = [each.action for each in episode]
        draw = float(rng.random()) if self.algorithm.draws else 0.0
        played = Episode(states, actions, len(episode), episode[-1].reward, epsilon, draw)
        tables = self._population.agents.tables
        type(self.algorithm).learn(tables, settings, legal, row, played)
        self._population.learned(self.role, states)


class ExactPlayer(LearningPlayer):
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
        self._tables = [algorithm.begin(view, role) for view in self._views]
        self._policies: dict[str, TabularPolicy] = {}

    def iterate(self, opponent: TabularPolicy) -> None:
        """Learn from what the opponent plays now."""
        for tables, view in zip(self._tables, self._views, strict=True):
            self.algorithm.iterate(tables, view, self.role, opponent, self._rate)
        self._policies = {}

    @property
    def policy(self) -> TabularPolicy:
        return self._made("policy")

    @property
    def behaviour(self) -> TabularPolicy:
        return self._made("behaviour")

    def _made(self, name: str) -> TabularPolicy:
        """Return the policy that a method of the algorithm makes, once after each iteration."""
        if name not in self._policies:
            seen, make = zip(self._tables, self._views, strict=True), getattr(self.algorithm, name)
            policies = [make(tables, view, self.role) for tables, view in seen]
            self._policies[name] = stacked(self.scenario, policies)
        return self._policies[name]

    @property
    def arrays(self) -> Arrays:
        names = self._tables[0]
        return {name: np.concatenate([each[name] for each in self._tables]) for name in names}

    def state(self) -> dict[str, Any]:
        return {**self.arrays, "kept": self._kept.probabilities}

    def go_to(self, state: dict[str, Any]) -> None:
        n = len(self._views)
        parts = {name: np.split(state[name].copy(), n) for name in self._tables[0]}
        self._tables = [{name: each[k] for name, each in parts.items()} for k in range(n)]
        self._policies = {}
        self._kept = TabularPolicy.of_probabilities(self.scenario, self.role, state["kept"])


class UserLearnerPlayer(SamplingPlayer):
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
        """Take back what `arrays` returned."""
        self._policy = self._values = None
        self.learner.restore(arrays)

    def state(self) -> dict[str, Any]:
        """Return a copy of the learner itself: its arrays may not be all that it knows."""
        return {"learner": self._copy(self.learner, self._kept)}

    def go_to(self, state: dict[str, Any]) -> None:
        self.learner, self._kept, _ = self._copy(*state["learner"][:2])
        self._policy = self._values = None

    def _copy(self, learner: Learner, kept: TabularPolicy) -> "_Copy":
        """Copy a learner; it shares the scenario and the positions."""
        copied: dict[int, Any] = dict(self._shared)
        clone = copy.deepcopy(learner, copied)
        own = (each for at, each in copied.items() if at not in self._shared)
        size = sum(max(sys.getsizeof(each), getattr(each, "nbytes", 0)) for each in own)
        return _Copy(clone, kept, size)


class _Copy(NamedTuple):
    learner: Learner
    kept: TabularPolicy
    nbytes: int  # of memory, about


def learning_player(
    algorithm: Algorithm,
    scenario: Scenario,
    role: Role,
    parameters: Parameters,
    population: Population,
    seed: int,
) -> LearningPlayer:
    """Return an untrained learner in a seat; raises BadInputError if it cannot learn there."""
    match algorithm:
        case TabularAlgorithm():
            return TabularPlayer(algorithm, scenario, role, parameters, population)
        case ExactAlgorithm():
            return ExactPlayer(algorithm, scenario, role, parameters)
        case ObjectAlgorithm():
            return UserLearnerPlayer(algorithm, scenario, role, parameters, seed)
        case _:
            raise AssertionError(algorithm)


def shapes_of(
    algorithm: Algorithm, scenario: Scenario, role: Role, parameters: Parameters
) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array that a learner has beside its Q-table, by name.

    Raises BadInputError if it cannot learn over the states of the scenario.
    """
    algorithm.check(scenario)
    match algorithm:
        case QLearning():
            return {}
        case TabularAlgorithm():
            return {"tables": algorithm.tables(scenario, role, parameters).shape}
        case ExactAlgorithm():
            arrays = ExactPlayer(algorithm, scenario, role, parameters).arrays
            return {name: array.shape for name, array in arrays.items()}
        case _:
            raise AssertionError(algorithm)
