"""A learner with tables in a seat, which `learner_loop` plays."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from negotiation_tui.game.draws import UNIFORM, drawn
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.algorithms.base import Floats, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row, accumulate
from negotiation_tui.learning.backend import PLAIN, Backend, stakes
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import ALMOST_ONE
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learner_functions import functions_of, loop_of
from negotiation_tui.learning.learner_loop import LearnerRows, TableRows
from negotiation_tui.learning.seats.base import Arrays, TryingSeat


class TabularSeat(TryingSeat):
    """A learner with tables, which `learner_loop` plays."""

    algorithm: TabularAlgorithm

    def __init__(
        self, algorithm: TabularAlgorithm, scenario: Scenario, role: Role, parameters: Parameters
    ) -> None:
        super().__init__(algorithm, scenario, role)
        self._settings = algorithm.settings_row(parameters)
        self._tables: Any = algorithm.tables(scenario, role, parameters)
        self._probabilities: Any = self._frozen.probabilities.ravel()
        self.use(PLAIN)

    def use(self, backend: Backend) -> None:
        self._backend = backend
        self._tables = backend.row(np.asarray(self._tables, np.float64))
        self._probabilities = backend.row(np.asarray(self._probabilities, np.float64))
        self.rows = learner_rows(
            self.algorithm, self.scenario, self.role, self._tables, self._settings, backend
        )._replace(probabilities=self._probabilities)
        self.table = table_rows(untrained_policy(self.scenario, self.role), backend)
        loop_of(backend).write_table(self._probabilities, self.rows.legal, self.table)

    @property
    def policy(self) -> TabularPolicy:
        return policy_of(self.algorithm, self.scenario, self.role, self.rows, self._backend)

    def freeze(self) -> None:
        """Keep the present policy. The loop does it by itself at the start of a cycle."""
        rows = self.rows
        self._probabilities[:] = self._backend.row(self.policy.probabilities.ravel())
        loop_of(self._backend).write_table(self._probabilities, rows.legal, self.table)

    @property
    def frozen_policy(self) -> TabularPolicy:
        return _policy(self.scenario, self.role, self._probabilities)

    @property
    def values(self) -> Floats | None:
        number = self.algorithm.values
        if number is None:
            return None
        return np.array(self._tables[number], np.float64).reshape(-1, self.scenario.n_actions)

    @property
    def arrays(self) -> Arrays:
        return {"tables": np.array(self._tables, np.float64)}

    def restore(self, arrays: Arrays) -> None:
        self._tables = arrays["tables"].copy()
        self.use(self._backend)

    def state(self) -> Arrays:
        return {**self.arrays, _FROZEN: np.array(self._probabilities, np.float64)}

    def go_to(self, state: Arrays) -> None:
        self._probabilities = state[_FROZEN].copy()
        self.restore(state)

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        learner, state, draw = self.rows, position.row, float(rng.random())
        legal, row = learner.legal, learner.row
        if not learner.explores_itself and draw < epsilon:
            k = int(draw * (ALMOST_ONE / epsilon) * legal.n_actions[state])
            return int(legal.actions[state * legal.width + k]), True
        policy = type(self.algorithm).policy
        n = policy(learner.tables, learner.settings, epsilon, state, legal, row)
        accumulate(row.weights, n)
        k = drawn(row.weights, 0, n, rng.random()) if n > 1 else 0
        return int(row.actions[k]), False

    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: np.random.Generator, /
    ) -> None:
        learner = self.rows
        for k, each in enumerate(episode):
            learner.states[k], learner.actions[k] = each.position.row, each.action
        draw = float(rng.random()) if learner.draws else 0.0
        reward = episode[-1].reward
        played = Episode(learner.states, learner.actions, len(episode), reward, epsilon, draw)
        learn = type(self.algorithm).learn
        learn(learner.tables, learner.settings, learner.legal, learner.row, played)
        learner.changed[0] = len(learner.changed)  # the loop then looks at every row


_FROZEN = "frozen"


def learner_rows(
    algorithm: TabularAlgorithm,
    scenario: Scenario,
    role: Role,
    tables: Any,
    settings: Floats,
    backend: Backend,
) -> LearnerRows:
    """Return a learner as the loop takes it; `tables` are in the backend's form and are shared."""
    legal, row = untrained_policy(scenario, role), backend.row
    rounds, width, n_rows = scenario.rounds, scenario.n_actions, scenario.n_rows(role)
    changed = np.zeros(n_rows, np.int64)
    changed[0] = n_rows  # a full log: the first freeze looks at every row
    return LearnerRows(
        tables,
        row(settings),
        Legal(
            row(legal.actions.ravel().astype(np.int64)),
            row(legal.n_actions.astype(np.int64)),
            width,
        ),
        Row(row(np.zeros(width, np.int64)), row(np.zeros(width))),
        explores_itself=int(algorithm.explores_itself),
        draws=int(algorithm.draws),
        responder_offset=legal.responder_offset,
        states=row(np.zeros(rounds, np.int64)),
        actions=row(np.zeros(rounds, np.int64)),
        rewards=row(stakes(scenario.views[role], role)["rewards"]),
        changed=row(changed),
        probabilities=row(np.zeros(n_rows * width)),
        end=0.0,
    )


def table_rows(policy: TabularPolicy, backend: Backend) -> TableRows:
    """Return a table as the loop takes it."""
    row, cumulative = backend.row, policy.cumulative
    if policy.weights is None:
        cumulative = np.full(policy.actions.size, UNIFORM)
    return TableRows(
        row(policy.actions.ravel().astype(np.int64)),
        row(policy.n_actions.astype(np.int64)),
        row(cumulative),
        policy.actions.shape[1],
        policy.stride,
        policy.memory,
        policy.responder_offset,
    )


def policy_of(
    algorithm: TabularAlgorithm, scenario: Scenario, role: Role, rows: LearnerRows, backend: Backend
) -> TabularPolicy:
    """Return the policy of a learner's present tables."""
    probabilities = backend.row(np.zeros(scenario.n_rows(role) * scenario.n_actions))
    write, function = loop_of(backend).write_policy, functions_of(algorithm, backend).policy
    write((function,), rows, probabilities)
    return _policy(scenario, role, probabilities)


def _policy(scenario: Scenario, role: Role, probabilities: Any) -> TabularPolicy:
    dense = np.array(probabilities, np.float64).reshape(-1, scenario.n_actions)
    return TabularPolicy.of_probabilities(scenario, role, dense)
