"""The players of a training: learners in a role with what they learned so far, and both seats."""

import copy
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.game.learned import NOTHING_LEARNED, Learned, learned_of
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked
from negotiation_tui.learning.algorithms.base import (
    TOGETHER,
    Algorithm,
    ExactAlgorithm,
    Occupant,
    Tables,
    TabularAlgorithm,
)
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner import Learner, ObjectAlgorithm, Transition, position_of
from negotiation_tui.learning.learning_player import LearningPlayer, SamplingPlayer
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.random_streams import of_learner
from negotiation_tui.learning.schedules import Fade
from negotiation_tui.learning.seats import check_seat
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.records import replace
from negotiation_tui.runtime.validate import integer, one_of
from negotiation_tui.strategies.base import ReadyPlayer, Strategy


class ExactPlayer(LearningPlayer):
    """A learner that computes after each `counts_as` episodes, with tables for each limit."""

    algorithm: ExactAlgorithm

    def __init__(
        self, algorithm: ExactAlgorithm, scenario: Scenario, role: Role, parameters: Parameters
    ) -> None:
        super().__init__(algorithm, scenario, role)
        self.rate = parameters.discount_rate
        self._views = scenario.views[role]
        self._tables = [algorithm.begin(view, role) for view in self._views]
        self._policies: dict[str, TabularPolicy] = {}

    def iterate(self, opponent: TabularPolicy) -> None:
        for tables, view in zip(self._tables, self._views, strict=True):
            self.algorithm.iterate(tables, view, self.role, opponent, self.rate)
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
        self, algorithm: ObjectAlgorithm, scenario: Scenario, role: Role, seed: int
    ) -> None:
        super().__init__(algorithm, scenario, role)
        views, last = scenario.views[role], scenario.final_state
        self.learner: Learner = algorithm.new(scenario, role, of_learner(seed, role))
        seen = (position_of(view, role, s) for view in views for s in range(last))
        self.positions = {position.row: position for position in seen}  # by row
        self._shared = {id(each): each for each in (*views, scenario, *self.positions.values())}
        self._policy: TabularPolicy | None = None
        self._values: Floats | None = None

    def seen(self, position: Position) -> Position:
        return self.positions[position.row]

    def act(
        self, position: Position, epsilon: float, rng: "np.random.Generator"
    ) -> tuple[int, bool]:
        self.learner.epsilon = epsilon
        return self.learner.act(position, rng), self.learner.explored

    def learn(
        self, episode: Sequence[Transition], _epsilon: float, _rng: "np.random.Generator", /
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
            table.flags.writeable = False
            self._values = table
        return self._values

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
        new = (each for at, each in copied.items() if at not in self._shared)
        size = sum(max(sys.getsizeof(each), getattr(each, "nbytes", 0)) for each in new)
        return _Copy(clone, kept, size)


class _Copy(NamedTuple):
    learner: Learner
    kept: TabularPolicy
    nbytes: int  # of memory, about


OF_EPSILON = "exploration_start", "exploration_end", "exploration_decay"
LIVE = "learning_rate", "discount_rate", *OF_EPSILON, "expected_updates"
"""The parameters that can change while a training runs, beside `cycles`, which can only grow."""


class Players:
    """The seller and the buyer. A learner stays in memory while a static strategy has its seat."""

    def __init__(
        self, population: Population, seed: int, train_both: bool, train_agent: Role
    ) -> None:
        self.population, self.scenario, self.seed = population, population.scenario, seed
        self.train_both, self.train_agent = train_both, train_agent
        self.episode = 0  # number of episodes played, over all cycles
        self.fade: Fade | None = None  # of ε, once one of its settings has changed
        self.latest_learners: dict[Role, LearningPlayer] = {}  # of each seat that had one
        self.stale = True  # a seat or the opener changed since a best responder answered
        self.answered: TabularPolicy | None = None  # by a best responder, out of the loop
        self._response: ReadyPlayer | None = None
        self._strategies: dict[Role, Strategy] = {}  # of the seats without a learner
        self._tables: dict[Role, TabularPolicy | None] = {}  # of these
        self._present: object = None
        self._policies: dict[Role, ReadyPlayer] = {}  # of both seats while this is `_present`

    @property
    def parameters(self) -> Parameters:
        return self.population.parameters

    @parameters.setter
    def parameters(self, parameters: Parameters) -> None:
        """Go on with other parameters, with cycles of the same length; the tables are kept."""
        self.population.go_on_with(parameters)
        for learner in self.latest_learners.values():
            if isinstance(learner, ExactPlayer):
                learner.rate = parameters.discount_rate

    @property
    def steps(self) -> dict[str, float]:
        """The steps of all learners that sit, which can change while they learn."""
        learning = [each.algorithm.steps for each in self.learning.values()]
        return {name: step for steps in learning for name, step in steps.items()}

    def set(self, name: str, value: Any, fade: Fade | None = None) -> None:
        """Go on with another value of a parameter or of a step of learners.

        Raises BadInputError, and leaves all as it was, if the value is not allowed.
        """
        one_of("setting", name, (*LIVE, *self.steps, "cycles"))
        if name not in self.steps:
            if name == "cycles":
                integer(name, value, self.parameters.cycles + 1)
            parameters, (seller, buyer) = replace(self.parameters, **{name: value}), self.seated
            check_seat(self.scenario, parameters, Role.SELLER, seller, buyer)
            check_seat(self.scenario, parameters, Role.BUYER, buyer, seller)
            self.parameters, self.fade = parameters, fade or self.fade
            self.stale |= name == "discount_rate"
        else:
            learners = [each for each in self.learning.values() if name in each.algorithm.steps]
            algorithms = [replace(each.algorithm, **{name: value}) for each in learners]
            for learner, algorithm in zip(learners, algorithms, strict=True):
                learner.go_on_by(algorithm)
        self._present = None

    def seat(self, role: Role, occupant: Occupant | None) -> None:
        """Put a strategy or a learner in a seat, from the next episode on; None is the Q-learner.

        A learner that takes its seat again goes on where it was. Raises BadInputError, and leaves
        the seat as it was, if the occupant cannot play there.
        """
        player = Q_LEARNING if occupant is None else occupant
        self.check(role, player)
        if isinstance(player, Strategy):
            strategy = player.in_seat(self.scenario, role)
            self._tables[role] = strategy.tabulated(self.scenario, role)
            self._strategies[role] = strategy
        else:
            self._seat_learner(role, player)
            self._strategies.pop(role, None)
        self.stale, self._present = True, None

    def check(self, role: Role, player: Occupant) -> None:
        """Raise BadInputError if a player cannot take a seat now."""
        opposite = self.strategy(role.other) or self._algorithm(role.other)
        check_seat(self.scenario, self.parameters, role, player, opposite)

    def _seat_learner(self, role: Role, algorithm: Algorithm) -> None:
        if algorithm != self._algorithm(role):
            game = self.scenario
            if isinstance(algorithm, TabularAlgorithm):
                seat: LearningPlayer = TabularPlayer(algorithm, role, self.population)
            elif isinstance(algorithm, ExactAlgorithm):
                seat = ExactPlayer(algorithm, game, role, self.parameters)
            else:
                assert isinstance(algorithm, ObjectAlgorithm)
                seat = UserLearnerPlayer(algorithm, game, role, self.seed)
            self.latest_learners[role] = seat

    def _algorithm(self, role: Role) -> Algorithm | None:
        return self.latest_learners[role].algorithm if role in self.latest_learners else None

    def strategy(self, role: Role) -> Strategy | None:
        return self._strategies.get(role)

    @property
    def seated(self) -> tuple[Occupant, Occupant]:
        return pair(self.strategy(role) or self.latest_learners[role].algorithm for role in Role)

    @property
    def learning(self) -> dict[Role, LearningPlayer]:
        learners = self.latest_learners.items()
        return {role: one for role, one in learners if role not in self._strategies}

    def learned(self, role: Role) -> Learned:
        """Return what the latest learner of a role learned."""
        learner = self.latest_learners.get(role)
        if learner is None:
            return NOTHING_LEARNED
        policy = None if isinstance(learner.algorithm, QLearning) else learner.policy
        return learned_of(learner.values, policy)

    def answer(self) -> None:
        """Let a best responder, if there is one, answer the present policy of the other seat."""
        self.stale = False
        if self.responder is not None:
            role, self._response = self.responder.other, None
            self.answered = self._policy(role).tabulated(self.scenario, role)

    @property
    def together(self) -> bool:
        learners = self.learning.values()
        both = self.train_both and len(learners) == len(Role)
        return both and any(each.algorithm.schedule == TOGETHER for each in learners)

    @property
    def learning_roles(self) -> tuple[Role, Role] | None:
        roles = [
            role
            for role in (self.train_agent, self.train_agent.other)
            if self.strategy(role) is None and (self.train_both or role is self.train_agent)
        ]
        return (roles[0], roles[-1]) if roles else None

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player of a seat now, without exploration: one object until it changes."""
        present = self.episode, self.scenario.opener, self.parameters
        if present != self._present:
            self._present, self._policies = present, {}
        if role not in self._policies:
            self._policies[role] = self._policy(role)
        return self._policies[role]

    def _policy(self, role: Role) -> ReadyPlayer:
        """Return the player of a seat now: a table if there is one.

        A best responder answers the other seat's present policy.
        """
        strategy = self.strategy(role)
        if strategy is None:
            return self.latest_learners[role].policy
        if strategy.needs_opponent:
            rate = self.parameters.discount_rate
            return strategy.ready(self.scenario, role, self._policy(role.other), rate)
        return self._tables[role] or strategy

    def kept(self, role: Role) -> ReadyPlayer:
        """Return the player of a role while it does not learn: a table, if there is one.

        It plays as before its last cycle; a best responder goes on with its last answer.
        """
        strategy = self.strategy(role)
        if strategy is None:
            return self.latest_learners[role].kept
        if not strategy.needs_opponent or self.answered is None:
            return strategy.remembering(self.scenario, role) or self._policy(role)
        if self._response is None:
            rate = self.parameters.discount_rate
            self._response = strategy.ready(self.scenario, role, self.answered, rate)
        return self._response

    @property
    def responder(self) -> Role | None:
        return next((role for role, each in self._strategies.items() if each.needs_opponent), None)
