"""The learners of a market that has others than plain Q-learners, each in its own way."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import untrained_policy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Row
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.learner_functions import functions_of, loop_of
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.agents import Agent, check_tables
from negotiation_tui.market.kernel_seats import rewards, scenario_for
from negotiation_tui.market.learner_pair import Learners, Ways, learner_rows
from negotiation_tui.players.user_learner import is_outside
from negotiation_tui.runtime.validate import refusal

Floats = NDArray[np.float64]
_parameters = lru_cache(1024)(lambda learning: Parameters(*astuple(learning)))
_HINT = "in a market use learned:sarsa or another with tables"
_FLOATS = {"tables", "settings", "probabilities"}


@lru_cache(maxsize=1024)
def learner_of(spec: str) -> TabularAlgorithm:
    """Return the learner of a spec. Raise BadInputError if it is unknown or cannot take part."""
    if is_outside(spec):
        raise refusal("learner", spec, "one that is built in", _HINT)
    algorithm = learner(spec)
    if not isinstance(algorithm, TabularAlgorithm):
        raise refusal("learner", spec, "one that learns from negotiations", _HINT)
    return algorithm


def checked(agents: Sequence[Agent]) -> list[Agent]:
    """Return the agents, those who learn with the shortest spec of their learner.

    Raises BadInputError if a learner is unknown or cannot take part.
    """
    specs = {LEARNED: LEARNED}
    for agent in agents:
        if learns(agent.strategy) and agent.strategy not in specs:
            try:
                specs[agent.strategy] = spec_of_learner(learner_of(agent.strategy))
            except BadInputError as error:
                raise BadInputError(f"{agent.name}: {error}") from None
    return [
        replace(agent, strategy=specs[agent.strategy])
        if specs.get(agent.strategy, agent.strategy) != agent.strategy
        else agent
        for agent in agents
    ]


def all_plain(agents: Sequence[Agent]) -> bool:
    """True if all agents who learn are plain Q-learners, whom `learning.kernel` plays."""
    return not any(learns(agent.strategy) and agent.strategy != LEARNED for agent in agents)


def tables_shape(scenario: Scenario, agents: Sequence[Agent]) -> tuple[int, int, int]:
    """Return the shape of the tables of one role's learners; without them, that of one learner."""
    most = max((learner_of(agent.strategy).n_tables for agent in agents), default=1)
    return max(1, len(agents)), most, scenario.n_states * scenario.n_actions


def free_seat(scenario: Scenario, role: Role, agents: Sequence[Agent], scale: float) -> SeatArrays:
    """Return the arrays of such learners outside of their negotiations.

    `best` is the value of being free. Their tables are in `AnyLearners`.
    """
    none, n = np.zeros(1, np.int32), max(1, len(agents))
    rates = np.zeros((n, 2))
    for at, agent in enumerate(agents):
        rates[at] = _settings(agent)[[RATE, DISCOUNT]]
    return SeatArrays(
        learning_rates=rates[:, 0],
        discount_rates=rates[:, 1],
        q=np.zeros(1),
        best=np.zeros(n),
        actions=none,
        n_actions=none,
        frozen_actions=none,
        frozen_n_actions=none,
        cumulative=np.array([UNIFORM]),
        changed=none,
        memories=none,
        first_offers=none,
        n_offers=none,
        limits=np.zeros(1, np.int64),
        rewards=rewards(scenario, role, agents, scale),
        responder_offset=untrained_policy(scenario, role).responder_offset,
    )


def weighted(seat: SeatArrays) -> SeatArrays:
    """Return the seat with an entry in `cumulative` for each of its actions."""
    return seat._replace(cumulative=np.resize(seat.cumulative, len(seat.actions)))


class AnyLearners:
    """The tables of all learners of a market, sellers first, in the form of a backend."""

    def __init__(self, scenario: Scenario, agents: Sequence[Sequence[Agent]]) -> None:
        """`agents` are the sellers and the buyers. Raises BadInputError if tables are too large."""
        self.scenario = scenario
        sides = [[agent for agent in side if learns(agent.strategy)] for side in agents]
        algorithms = [learner_of(agent.strategy) for side in sides for agent in side]
        for algorithm in algorithms:
            algorithm.check(scenario)
        self._kinds = list({type(each): each for each in algorithms}.values())
        self._learners = [self._new(role, agents) for role, agents in zip(Role, sides, strict=True)]

    def _new(self, role: Role, agents: Sequence[Agent]) -> Learners:
        """Return untrained learners of a role."""
        scenario, n = self.scenario, max(1, len(agents))
        shape = tables_shape(scenario, agents)
        check_tables(role, n, shape[1] * shape[2])
        types = [type(each) for each in self._kinds]
        tables, kinds, ranges = np.zeros(shape), np.zeros(n, np.int64), np.zeros(n, np.int64)
        some = {agent.reservation: agent for agent in agents}
        games = {price: scenario_for(scenario, agent) for price, agent in some.items()}
        games = games or {0: scenario}
        numbers = {reservation: number for number, reservation in enumerate(games)}
        first: dict[tuple[str, int], Floats] = {}
        for at, agent in enumerate(agents):
            algorithm, kind = learner_of(agent.strategy), (agent.strategy, agent.reservation)
            if kind not in first:
                parameters = _parameters(agent.learning)
                first[kind] = algorithm.tables(games[agent.reservation], role, parameters)
            tables[at, : algorithm.n_tables] = first[kind]
            kinds[at], ranges[at] = types.index(type(algorithm)), numbers[agent.reservation]
        rows = [_settings(agent) for agent in agents] or [np.zeros(2)]
        settings = np.zeros((n, max(map(len, rows))))
        for at, row in enumerate(rows):
            settings[at, : len(row)] = row
        legal = [untrained_policy(game, role) for game in games.values()]
        width = scenario.n_actions
        return Learners(
            kinds,
            tables,
            settings,
            ranges,
            np.stack([each.actions.ravel() for each in legal]),
            np.stack([each.n_actions for each in legal]),
            np.array([each.explores_itself for each in self._kinds]),
            np.array([each.draws for each in self._kinds]),
            Row(np.zeros(width, np.int64), np.zeros(width)),
            states=np.zeros(scenario.rounds),
            actions=np.zeros(scenario.rounds),
            changed=np.ones(1),  # a full log, which nobody reads
            probabilities=np.zeros(1),
        )

    def use(self, backend: Backend) -> Ways:
        """Switch to a backend, and return what the tick loop needs."""
        self._backend = backend
        one, other = self._learners = [_in_form(each, backend) for each in self._learners]
        functions = [functions_of(each, backend) for each in self._kinds]
        # All markets have the same number, so that the loop is compiled once.
        functions += functions[:1] * (len(LEARNERS) - len(functions))
        policies, learn = zip(*functions, strict=True)
        return Ways(policies, learn, (one, other), backend.row(np.zeros(2, np.int64)))

    def table(self, role: Role, agent: int, seat: SeatArrays) -> Floats:
        """Return a copy of a learner's values of actions; their probabilities if it has none."""
        learners, scenario = self._learners[role], self.scenario
        algorithm = self._kinds[learners.kinds[agent]]
        if algorithm.values is None:
            flat = self._backend.row(np.zeros(scenario.n_states * scenario.n_actions))
            rows = learner_rows(learners, seat, agent, scenario.n_prices)
            policy = functions_of(algorithm, self._backend).policy
            loop_of(self._backend).write_policy((policy,), rows, flat)
        else:
            flat = learners.tables[agent][algorithm.values]
        return np.array(flat, np.float64).reshape(scenario.n_states, scenario.n_actions)

    @property
    def size(self) -> int:
        """Bytes of memory of the tables."""
        return sum(np.asarray(learners.tables).nbytes for learners in self._learners)

    def state(self) -> dict[str, Floats]:
        """Return copies of all tables, by name."""
        sides = zip(Role, self._learners, strict=True)
        return {f"{role}_tables": np.array(each.tables, np.float64) for role, each in sides}

    def restore(self, state: Mapping[str, Floats]) -> None:
        """Take back what `state` returned."""
        self._learners = [
            learners._replace(tables=state[f"{role}_tables"])
            for role, learners in zip(Role, self._learners, strict=True)
        ]


def _in_form(learners: Learners, backend: Backend) -> Learners:
    """Return the learners in a backend's form."""

    def row(name: str, value: Any) -> Any:
        if isinstance(value, Row):
            return Row(row("actions", value.actions), row("tables", value.weights))
        return backend.row(np.asarray(value, np.float64 if name in _FLOATS else np.int64))

    return Learners(**{name: row(name, value) for name, value in learners._asdict().items()})


def _settings(agent: Agent) -> Floats:
    """Return the settings of an agent's learner, as numbers."""
    return learner_of(agent.strategy).settings_row(_parameters(agent.learning))
