"""The two players of a training: static strategies and learners, and the policies they play."""

from typing import Any, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm, Floats, Occupant
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.backend import Backend
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learning_players import LearningPlayer, learning_player
from negotiation_tui.learning.population import Population
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import check_pair
from negotiation_tui.strategies.registry import spec_of

MOST_ANSWERED = 700
"""The most rows of a learner with hidden limits that a best responder answers in each cycle.

With 600 rows it takes up to 0.2 seconds per negotiation, with twice as many several seconds.
"""


class PlayersState(NamedTuple):
    """Everything of both players that playing changes."""

    learners: dict[Role, dict[str, Any]]
    """The state of each learner: arrays, or anything that says its `nbytes`."""
    responders: dict[Role, TabularPolicy]
    """The table of a best responder, which may answer an earlier moment of its opponent."""
    answered: TabularPolicy | None
    """The policy that a best responder answers outside of the inner loop."""
    stale: bool
    """True if a best responder is computed again before the next episode."""

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        policies = (*self.responders.values(), *([self.answered] if self.answered else []))
        tables = (*self.learners.values(), *map(vars, policies))
        return sum(getattr(each, "nbytes", 0) for table in tables for each in table.values())


class Players:
    """The seller and the buyer, each a static strategy or a learner.

    Each has a policy now, and one that is kept while the other learns. A learner stays in memory
    while a static strategy has its seat.
    """

    def __init__(
        self, scenario: Scenario, parameters: Parameters, seed: int, backend: Backend
    ) -> None:
        self.scenario = scenario
        """The rules, with the opener of now."""
        self.population = Population(scenario, backend)
        """The learners with tables, and the tables that they face."""
        self.learners: dict[Role, LearningPlayer] = {}
        """The latest learner of each seat that had one."""
        self.stale = True
        """True if a best responder is to be computed again before the next episode."""
        self.answered: TabularPolicy | None = None
        """The policy that a best responder answered last, outside of the inner loop."""
        self._response: ReadyPlayer | None = None
        self._parameters, self._seed = parameters, seed
        self._strategies: dict[Role, Strategy | None] = {}
        self._tables: dict[Role, TabularPolicy | None] = {}

    def seat(self, role: Role, occupant: Occupant | None) -> None:
        """Put a static strategy or a learner in a seat; None is the Q-learner.

        See `ConcurrentTraining.seat`.
        """
        strategy = occupant if isinstance(occupant, Strategy) else None
        strategy = strategy and strategy.in_seat(self.scenario, role)
        check_pair(self.scenario, strategy, self._strategies.get(role.other))
        if strategy is None:
            self._seat_learner(role, occupant if isinstance(occupant, Algorithm) else Q_LEARNING)
        else:
            self._seat_strategy(role, strategy)
        self._strategies[role] = strategy
        self.stale = True

    def _seat_learner(self, role: Role, algorithm: Algorithm) -> None:
        self._check_learner(role, algorithm, self._strategies.get(role.other))
        before = self.learners.get(role)
        if before is None or before.algorithm != algorithm:
            self.learners[role] = learning_player(
                algorithm, self.scenario, role, self._parameters, self.population, self._seed
            )

    def _seat_strategy(self, role: Role, strategy: Strategy) -> None:
        opposite = self.learning.get(role.other) if role.other in self._strategies else None
        if opposite:
            self._check_learner(role.other, opposite.algorithm, strategy)
        needs_table = self._parameters.curriculum_window or self._parameters.expected_updates
        if "history" in strategy.depends_on and needs_table:
            raise BadInputError(
                f"{spec_of(strategy)}: expected a strategy with a table, got one that depends"
                " on all earlier offers; use curriculum_window 0 and no expected_updates, as"
                " in recipe published"
            )
        self._tables[role] = strategy.tabulated(self.scenario, role)

    def _check_learner(self, role: Role, learner: Algorithm, opponent: Strategy | None) -> None:
        """Raise BadInputError unless a learner in a role and its opponent can play each other."""
        learner.check_opponent(opponent)
        rows, limits = self.scenario.n_rows(role), self.scenario.n_tables(role)
        if opponent and opponent.needs_opponent and limits > 1 and rows > MOST_ANSWERED:
            raise BadInputError(
                f"{spec_of(opponent)}: expected a learner with at most {MOST_ANSWERED} rows in the"
                f" tables of its limits, got {rows:,} in scenario {self.scenario.name}; use fewer"
                " limits, prices or rounds, as in scenario hidden"
            )

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat, None for a learner."""
        return self._strategies[role]

    @property
    def seated(self) -> tuple[Occupant, Occupant]:
        """The static strategy or the learner in each seat, seller first."""
        seller, buyer = (self._strategies[role] or self.learners[role].algorithm for role in Role)
        return seller, buyer

    @property
    def learning(self) -> dict[Role, LearningPlayer]:
        """The learners that have a seat now."""
        return {
            role: each for role, each in self.learners.items() if not self._strategies.get(role)
        }

    def known(self, role: Role) -> tuple[Floats | None, TabularPolicy | None]:
        """Return a copy of a learner's values and its policy, None if it is greedy by them.

        It is the learner that is in the seat, or was there last.
        """
        learner = self.learners.get(role)
        if learner is None:
            return None, None
        return learner.values, None if isinstance(learner.algorithm, QLearning) else learner.policy

    def respond(self) -> bool:
        """Update a best responder if a seat or the opener changed. True if there is one.

        It is updated again at the start of each cycle, when the learner has changed: by the loop,
        otherwise by `answer`.
        """
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
        """Return a copy of the present state, for `restore`."""
        responder, learners = self.responder, self.learners.items()
        table = None if responder is None else self.population.table(responder)
        return PlayersState(
            {role: learner.state() for role, learner in learners},
            {} if responder is None or table is None else {responder: table},
            self.answered,
            self.stale,
        )

    def restore(self, state: PlayersState) -> None:
        """Take back what `state` returned."""
        self.stale, self.answered, self._response = state.stale, state.answered, None
        for role, learner in state.learners.items():
            self.learners[role].go_to(learner)
        for role, table in state.responders.items():
            self.population.play_table(role, table)

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player of a seat now, for a test: a learner does not explore.

        A static strategy plays from its table, or by itself if it has none. A best responder
        answers the other seat's present policy.
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

        A learner plays its policy from before its last cycle. A best responder goes on with its
        last answer.
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
        """The seat of a best responder."""
        seats = self._strategies.items()
        return next((role for role, each in seats if each and each.needs_opponent), None)
