"""A learner with tables in a seat: its agents in a population."""

from collections.abc import Sequence

import numpy as np

from negotiation_tui.game.draws import drawn
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Floats, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode, accumulate
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.population import Population
from negotiation_tui.learning.seats.base import Arrays, TryingSeat


class TabularSeat(TryingSeat):
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

    def freeze(self) -> None:
        self._population.keep(self.role)

    @property
    def frozen_policy(self) -> TabularPolicy:
        return self._population.kept(self.role)

    @property
    def values(self) -> Floats | None:
        number = self.algorithm.values
        return None if number is None else self._population.values(self.role, number)

    @property
    def arrays(self) -> Arrays:
        return {"tables": self._population.tables_of(self.role)}

    def restore(self, arrays: Arrays) -> None:
        self._population.go_to(self.role, arrays)

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
