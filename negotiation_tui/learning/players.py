"""The players of a training: learners in a role with what they learned so far, and both seats."""

import copy
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.draws import drawn
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, stacked, untrained_policy
from negotiation_tui.learning.algorithms import rows
from negotiation_tui.learning.algorithms.base import (
    Algorithm,
    ExactAlgorithm,
    Floats,
    Occupant,
    Tables,
    TabularAlgorithm,
)
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.algorithms.rows import Episode, accumulate
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, position_of
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.population import Population, padded
from negotiation_tui.learning.q_table import check_size
from negotiation_tui.learning.random_streams import of_learner
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import check_pair
from negotiation_tui.strategies.registry import spec_of

MOST_ANSWERED = 700  # rows of hidden limits that a best responder answers in up to 0.2 seconds

_USUAL = Parameters()


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
        self._kept = self.behaviour

    @property
    def kept(self) -> TabularPolicy:
        return self._kept

    @property
    def values(self) -> Floats | None:
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

    def told(self, position: Position) -> Position:
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
    """A learner with tables, in a population's arrays: the loop plays it, or itself in turn."""

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
        self._population, self._is_q_learner = population, isinstance(algorithm, QLearning)
        self.settings = algorithm.settings_row(parameters)
        population.add(self, algorithm.tables(scenario, role, parameters))

    @property
    def policy(self) -> TabularPolicy:
        if self._is_q_learner:
            return greedy(self.scenario, self.role, self.tables[0])
        population, (first, stop) = self._population, self._rows
        dense = population.backend.row(np.zeros((stop - first) * self.scenario.n_actions))
        _, write_policy, functions = population.loop_for(population.learners.values())
        agents = population.agents
        write_policy(agents, functions, agents.firsts[self.role], first, stop, dense)
        return self._of_probabilities(dense)

    @property
    def kept(self) -> TabularPolicy:
        """The policy that it plays while the other role learns."""
        (first, stop), width, agents = self._rows, self.scenario.n_actions, self._population.agents
        if not self._is_q_learner:
            return self._of_probabilities(agents.chances[first * width : stop * width])
        later = agents.parts[2]
        actions = agents.actions[(first + later) * width : (stop + later) * width]
        n_actions = np.array(agents.n_actions[first + later : stop + later], np.int32)
        table = np.array(actions, np.int32).reshape(-1, width)
        return TabularPolicy.of(self.scenario, self.role, table, n_actions)

    def keep(self) -> None:
        """Keep the present policy. The loop does it at the start of a learner's cycle."""
        self.write_kept(self.policy)

    @property
    def values(self) -> Floats | None:
        number = self.algorithm.values
        return None if number is None else self.tables[number]

    @property
    def tables(self) -> Floats:
        """Copies of all tables, shape (n_tables, n_rows, n_actions)."""
        (first, stop), width = self._rows, self.scenario.n_actions
        cells, n_tables = slice(first * width, stop * width), self.algorithm.n_tables
        flat = np.array([self._population.agents.tables[k][cells] for k in range(n_tables)])
        return flat.reshape(n_tables, -1, width)

    @property
    def arrays(self) -> Tables:
        return {"tables": self.tables.reshape(self.algorithm.n_tables, -1)}

    def state(self) -> dict[str, Any]:
        kept = self.kept
        if kept.weights is not None:
            return {**self.arrays, "kept": kept.probabilities}
        actions, n_actions = kept.actions.astype(np.int16), kept.n_actions.astype(np.int16)
        return {**self.arrays, "actions": actions, "n_actions": n_actions}

    def go_to(self, state: dict[str, Any]) -> None:
        """Take back what `state` returned, or the tables alone."""
        (first, stop), width = self._rows, self.scenario.n_actions
        for row, table in zip(self._population.agents.tables, state["tables"], strict=False):
            row[first * width : stop * width] = self._population.backend.row(table.ravel())
        self.refresh()
        if "kept" in state:
            self.write_kept(self._of_probabilities(state["kept"]))
        elif "actions" in state:
            parts = (state[name].astype(np.int32) for name in ("actions", "n_actions"))
            self.write_kept(TabularPolicy.of(self.scenario, self.role, *parts))

    def write_kept(self, policy: TabularPolicy) -> None:
        population, (first, stop), width = self._population, self._rows, self.scenario.n_actions
        agents, row, later = population.agents, population.backend.row, population.agents.parts[2]
        cells = slice((first + later) * width, (stop + later) * width)
        actions = padded(policy.actions, width).ravel()
        agents.actions[cells] = row(actions.astype(np.int16))
        agents.n_actions[first + later : stop + later] = row(policy.n_actions.astype(np.int16))
        if population.weighted:
            cumulative = np.resize(policy.cumulative, policy.actions.shape)
            agents.chances[cells] = row(padded(cumulative, width).ravel())
            if not self._is_q_learner:
                agents.chances[first * width : stop * width] = row(policy.probabilities.ravel())

    def refresh(self) -> None:
        """Make a Q-learner's policy greedy by its table; let `loop.keep` look at all rows."""
        agents, (first, stop), width = self._population.agents, self._rows, self.scenario.n_actions
        self._changed_everywhere()
        if self._is_q_learner:
            values, row = self.tables[0], self._population.backend.row
            policy = greedy(self.scenario, self.role, values)
            tops = values[np.arange(len(values)), policy.actions[:, 0]]
            agents.best[first:stop] = row(np.where(policy.n_actions > 0, tops, 0.0))
            agents.n_actions[first:stop] = row(policy.n_actions.astype(np.int16))
            actions = policy.actions.ravel().astype(np.int16)
            agents.actions[first * width : stop * width] = row(actions)

    def _changed_everywhere(self) -> None:
        changed = self._population.agents.changed
        changed[self.role * (len(changed) // 2)] = len(changed) // 2  # a full log, see `loop.log`

    @property
    def _rows(self) -> tuple[int, int]:
        parts = self._population.agents.parts
        return int(parts[self.role]), int(parts[self.role + 1])

    def _of_probabilities(self, flat: Any) -> TabularPolicy:
        dense = np.array(flat, np.float64).reshape(-1, self.scenario.n_actions)
        return TabularPolicy.of_probabilities(self.scenario, self.role, dense)

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        agents, draw = self._population.agents, float(rng.random())
        legal, row, state = agents.legal, agents.scratch, self._rows[0] + position.row
        settings = agents.rates[agents.firsts[self.role]]
        if not self.algorithm.explores_itself and draw < epsilon:
            k = int(draw * (ALMOST_ONE / epsilon) * legal.n_actions[state])
            return int(legal.actions[state * legal.width + k]), True
        policy = type(self.algorithm).policy
        n = policy(agents.tables, settings, epsilon, state, legal, row)
        accumulate(row.weights, n)
        k = drawn(row.weights, 0, n, rng.random()) if n > 1 else 0
        return int(row.actions[k]), False

    def learn(
        self, episode: Sequence[Transition], epsilon: float, rng: np.random.Generator, /
    ) -> None:
        agents = self._population.agents
        legal, row, settings = agents.legal, agents.scratch, agents.rates[agents.firsts[self.role]]
        states = [self._rows[0] + each.position.row for each in episode]
        actions = [each.action for each in episode]
        draw = float(rng.random()) if self.algorithm.draws else 0.0
        played = Episode(states, actions, len(episode), episode[-1].reward, epsilon, draw)
        type(self.algorithm).learn(agents.tables, settings, legal, row, played)
        self._changed_everywhere()
        for state in states if self._is_q_learner else ():
            n, at = rows.greedy(agents.q, state, legal, row), state * legal.width
            agents.best[state], agents.n_actions[state] = agents.q[at + row.actions[0]], n
            agents.actions[at : at + n] = row.actions[:n]


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
        return {**self.arrays, "kept": self._kept.probabilities}

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
        return {"learner": self._copy(self.learner, self._kept)}

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


class PlayersState(NamedTuple):
    learners: dict[Role, dict[str, Any]]  # arrays, or anything that says its `nbytes`
    responders: dict[Role, TabularPolicy]  # the tables of best responders
    answered: TabularPolicy | None  # by a best responder out of the loop
    stale: bool  # True if a best responder is computed again before the next episode

    @property
    def size(self) -> int:
        policies = (*self.responders.values(), *([self.answered] if self.answered else []))
        tables = (*self.learners.values(), *map(vars, policies))
        return sum(getattr(each, "nbytes", 0) for table in tables for each in table.values())


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


class Players:
    """The seller and the buyer. A learner stays in memory while a static strategy has its seat."""

    def __init__(
        self, scenario: Scenario, parameters: Parameters, seed: int, backend: Backend
    ) -> None:
        self.scenario = scenario  # the rules, with the opener of now
        self.population = Population(scenario, backend)  # learners and the tables they face
        self.learners: dict[Role, LearningPlayer] = {}  # the latest of each seat that had one
        self.stale = True  # True: compute a best responder again before the next episode
        self.answered: TabularPolicy | None = None  # by a best responder, out of the loop
        self._response: ReadyPlayer | None = None
        self._parameters, self._seed = parameters, seed
        self._strategies: dict[Role, Strategy | None] = {}
        self._tables: dict[Role, TabularPolicy | None] = {}

    def seat(self, role: Role, occupant: Occupant | None) -> None:
        """See `ConcurrentTraining.seat`."""
        strategy = occupant if isinstance(occupant, Strategy) else None
        strategy = strategy and strategy.in_seat(self.scenario, role)
        check_pair(self.scenario, strategy, self._strategies.get(role.other))
        if strategy is None:
            self._seat_learner(role, occupant if isinstance(occupant, Algorithm) else Q_LEARNING)
        else:
            opposite = self.learning.get(role.other) if role.other in self._strategies else None
            if opposite:
                self._check_learner(role.other, opposite.algorithm, strategy)
            if needs_whole_games(self.scenario, self._parameters, role, strategy):
                raise BadInputError(
                    f"{spec_of(strategy)}: expected a strategy with a table, got one that depends"
                    " on all earlier offers; use curriculum_window 0 and no expected_updates, as"
                    " in recipe published"
                )
            self._tables[role] = strategy.tabulated(self.scenario, role)
        self._strategies[role] = strategy
        self.stale = True

    def _seat_learner(self, role: Role, algorithm: Algorithm) -> None:
        self._check_learner(role, algorithm, self._strategies.get(role.other))
        before = self.learners.get(role)
        if before is None or before.algorithm != algorithm:
            game, parameters, population = self.scenario, self._parameters, self.population
            if isinstance(algorithm, TabularAlgorithm):
                seat: LearningPlayer = TabularPlayer(algorithm, game, role, parameters, population)
            elif isinstance(algorithm, ExactAlgorithm):
                seat = ExactPlayer(algorithm, game, role, parameters)
            else:
                assert isinstance(algorithm, ObjectAlgorithm)
                seat = UserLearnerPlayer(algorithm, game, role, self._seed, parameters)
            self.learners[role] = seat

    def _check_learner(self, role: Role, learner: Algorithm, opponent: Strategy | None) -> None:
        learner.check_opponent(opponent)
        rows, limits = self.scenario.n_rows(role), self.scenario.n_tables(role)
        if opponent and opponent.needs_opponent and limits > 1 and rows > MOST_ANSWERED:
            raise BadInputError(
                f"{spec_of(opponent)}: expected a learner with at most {MOST_ANSWERED} rows in the"
                f" tables of its limits, got {rows:,} in scenario {self.scenario.name}; use fewer"
                " limits, prices or rounds, as in scenario hidden"
            )

    def tune(self, parameters: Parameters) -> None:
        """Let the players go on with other parameters."""
        self._parameters = parameters
        self.population.tune(parameters)

    def strategy(self, role: Role) -> Strategy | None:
        return self._strategies[role]

    @property
    def seated(self) -> tuple[Occupant, Occupant]:
        return pair(self._strategies[role] or self.learners[role].algorithm for role in Role)

    @property
    def learning(self) -> dict[Role, LearningPlayer]:
        return {role: one for role, one in self.learners.items() if not self._strategies.get(role)}

    def known(self, role: Role) -> tuple[Floats | None, TabularPolicy | None]:
        """Return values and policy of the latest learner; None: greedy by its values."""
        learner = self.learners.get(role)
        if learner is None:
            return None, None
        return learner.values, None if isinstance(learner.algorithm, QLearning) else learner.policy

    def respond(self) -> bool:
        """Update a best responder if a seat or the opener changed. True if there is one."""
        responder = self.responder
        if self.stale and responder is not None:
            self.answer()
            table = self.kept(responder).tabulated(self.scenario, responder)
            self.population.play_table(responder, table)
        self.stale = False
        return responder is not None

    def answer(self) -> None:
        """Let a best responder answer the present policy of the other seat."""
        responder = self.responder
        assert responder is not None
        opponent = self.policy(responder.other).tabulated(self.scenario, responder.other)
        self.answered, self._response = opponent, None

    def state(self) -> PlayersState:
        responder, learners = self.responder, self.learners.items()
        table = None if responder is None else self.population.table(responder)
        return PlayersState(
            {role: learner.state() for role, learner in learners},
            {} if responder is None or table is None else {responder: table},
            self.answered,
            self.stale,
        )

    def restore(self, state: PlayersState) -> None:
        self.stale, self.answered, self._response = state.stale, state.answered, None
        for role, learner in state.learners.items():
            self.learners[role].go_to(learner)
        for role, table in state.responders.items():
            self.population.play_table(role, table)

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player of a seat now, without exploration: a table if there is one.

        A best responder answers the other seat's present policy.
        """
        strategy = self._strategies[role]
        if strategy is None:
            return self.learners[role].policy
        if strategy.needs_opponent:
            rate = self._parameters.discount_rate
            return strategy.ready(self.scenario, role, self.policy(role.other), rate)
        return self._tables[role] or strategy

    def kept(self, role: Role) -> ReadyPlayer:
        """Return the player of a role while it does not learn: a table, if there is one.

        It plays as before its last cycle; a best responder goes on with its last answer.
        """
        strategy = self._strategies[role]
        if strategy is None:
            return self.learners[role].kept
        if not strategy.needs_opponent or self.answered is None:
            return strategy.remembering(self.scenario, role) or self.policy(role)
        if self._response is None:
            rate = self._parameters.discount_rate
            self._response = strategy.ready(self.scenario, role, self.answered, rate)
        return self._response

    @property
    def responder(self) -> Role | None:
        seats = self._strategies.items()
        return next((role for role, each in seats if each and each.needs_opponent), None)
