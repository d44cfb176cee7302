"""Learners in a role, with what they learned so far, that compute or are objects of a class."""

import copy
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked
from negotiation_tui.learning.algorithms.base import (
    Algorithm,
    ExactAlgorithm,
    Floats,
    Occupant,
    Tables,
)
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, position_of
from negotiation_tui.learning.learning_player import LearningPlayer, SamplingPlayer
from negotiation_tui.learning.random_streams import of_learner
from negotiation_tui.strategies.base import Strategy

_USUAL = Parameters()


class ExactPlayer(LearningPlayer):
    """A learner that computes after each `counts_as` episodes, with tables for each limit."""

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
    def arrays(self) -> Tables:
        names = self._tables[0]
        return {name: np.concatenate([each[name] for each in self._tables]) for name in names}

    def state(self) -> dict[str, Any]:
        return {**self.arrays, "kept": self.kept.probabilities}

    def go_to(self, state: dict[str, Any]) -> None:
        n = len(self._views)
        parts = {name: np.split(state[name].copy(), n) for name in self._tables[0]}
        self._tables = [{name: each[k] for name, each in parts.items()} for k in range(n)]
        self._policies = {}
        self._kept = TabularPolicy.of_probabilities(self.scenario, self.role, state["kept"])


class UserLearnerPlayer(SamplingPlayer):
    """A learner that plays and learns turn by turn. Its policy is computed when it is asked for.

    `learner` raises BadInputError for its own errors (see `players.user_learner`).
    """

    algorithm: ObjectAlgorithm

    def __init__(
        self,
        algorithm: ObjectAlgorithm,
        scenario: Scenario,
        role: Role,
        seed: int,
        parameters: Parameters = _USUAL,
    ) -> None:
        super().__init__(algorithm, scenario, role)
        if needs_whole_games(scenario, parameters, role, algorithm):
            raise BadInputError(
                f"{algorithm.name}: expected curriculum_window 0 and no expected_updates, got a"
                " learner that plays turn by turn; use recipe published"
            )
        views, last = scenario.views[role], scenario.final_state
        self.learner: Learner = algorithm.new(scenario, role, of_learner(seed, role))
        told = (position_of(view, role, s) for view in views for s in range(last))
        self.positions = {position.row: position for position in told}  # by row
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
    def arrays(self) -> Tables:
        return self.learner.state()

    def restore(self, arrays: Tables) -> None:
        self._policy = self._values = None
        self.learner.restore(arrays)

    def state(self) -> dict[str, Any]:
        """Return a copy of the learner itself: its arrays may not be all that it knows."""
        return {"learner": self._copy(self.learner, self.kept)}

    def go_to(self, state: dict[str, Any]) -> None:
        self.learner, self._kept, _ = self._copy(*state["learner"][:2])
        self._policy = self._values = None

    def _copy(self, learner: Learner, kept: TabularPolicy) -> "_Copy":
        copied: dict[int, Any] = dict(self._shared)
        clone = copy.deepcopy(learner, copied)
        own = (each for at, each in copied.items() if at not in self._shared)
        size = sum(max(sys.getsizeof(each), getattr(each, "nbytes", 0)) for each in own)
        return _Copy(clone, kept, size)


class _Copy(NamedTuple):
    learner: Learner
    kept: TabularPolicy
    nbytes: int  # of memory, about


def needs_opener(scenario: Scenario, player: Occupant) -> bool:
    """True if a learner could take a seat if the states said who opened."""
    if not isinstance(player, Algorithm) or (player.needs_known_limits and scenario.hidden):
        return False
    return player.needs_opener and not scenario.opener_aware


def needs_whole_games(
    scenario: Scenario, parameters: Parameters, role: Role, player: Occupant
) -> bool:
    """True if a player needs parameters without random starts and expected updates."""
    if not (parameters.curriculum_window or parameters.expected_updates):
        return False
    if isinstance(player, Strategy):
        return "history" in player.in_seat(scenario, role).depends_on
    return isinstance(player, ObjectAlgorithm)
