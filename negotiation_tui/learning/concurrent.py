"""Concurrent training: seller and buyer learn in turn, one per cycle of episodes.

In each cycle one agent is the learner (the original's "trainee"): it explores and updates its
Q-table. The other is the frozen opponent (the "trainer"): it plays greedily from a frozen table.
Then they swap. The table of an agent is frozen as it was before its last cycle as learner, so the
new learner meets an opponent one generation old. The opponent opens even episodes of a cycle, the
learner odd ones.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TOGETHER, Occupant
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.episodes import Episodes
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.players import Players, PlayersState
from negotiation_tui.learning.population import EpisodeBatch
from negotiation_tui.learning.q_table import both, untrained
from negotiation_tui.learning.random_streams import StreamState, generators
from negotiation_tui.learning.schedules import Schedule, schedule_of
from negotiation_tui.learning.statistics import CycleCounts, CycleStatistics, Learners, n_columns
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

CHUNK = 100_000
_REST, _TURN = 4000, 150
"""Bytes of everything of a state except arrays, and of a turn of the last negotiation."""


@dataclass(frozen=True, eq=False, slots=True)
class TrainingState:
    """Everything of a training that playing changes, except the counts of earlier cycles."""

    episode: int
    stream: StreamState
    players: PlayersState
    first_cycles: dict[Role, int]
    cycles: int
    """Number of cycles that have begun."""
    totals: NDArray[np.int64]
    """Sums of the counts over all cycles."""
    latest: NDArray[np.int64]
    """The counts of the last cycle."""
    epsilon: float
    last_negotiation: Transcript | None
    learning_roles: Learners

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        drawn = 0 if isinstance(self.stream.drawn, int) else self.stream.drawn.nbytes
        turns = len(self.last_negotiation.turns) if self.last_negotiation else 0
        return self.players.size + drawn + _REST + _TURN * turns


class ConcurrentTraining:
    """A training in progress, stepped by episodes or cycles.

    A seat has a learner unless `seat` puts a static strategy there; the learner's table stays in
    memory meanwhile. `train_agent` learns in the first cycle. With `train_both=False` only
    `train_agent` learns, and the other agent plays from a table of zeros, uniformly at random.
    One seed gives one run, equal to the bit with every backend and every mix of

    Raises BadInputError if the scenario is too large for the tables of its seats.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameters | None = None,
        seed: int = 0,
        train_both: bool = True,
        train_agent: Role | str = Role.SELLER,
        seller: Occupant | None = None,
        buyer: Occupant | None = None,
        backend: Backend = PLAIN,
    ) -> None:
        self.scenario = scenario
        self.parameters = Parameters() if parameters is None else parameters
        self.seed = seed
        self.train_both = train_both
        self.train_agent = Role.of(train_agent)
        self.episode = 0
        """Number of episodes played, over all cycles."""
        self.last_negotiation: Transcript | None = None
        self.epsilon = 0.0
        """The exploration probability of the last episode; 0 if no role learned."""
        self.nash_convs: NashConvSeries | None = None
        """NashConv in the course of the training; None unless somebody asks for it."""
        self.learners: Learners = ()
        """The roles that learned in turn, each time with the cycle from which on they did."""
        self._first_cycles: dict[Role, int] = {}
        self._rng = generators(seed).training
        self._draws = UniformStream(self._rng)
        self._counts = CycleCounts(n_columns(scenario))
        self.players = Players(scenario, self.parameters, seed, backend)
        self.seat(Role.SELLER, seller)
        self.seat(Role.BUYER, buyer)

    def seat(self, role: Role, occupant: Occupant | None) -> None:
        """Put a static strategy or a learner in a seat, from the next episode on.

        None is the Q-learner. A learner that takes its seat again goes on where it was.
        Raises BadInputError, and leaves the seat as it was, if the occupant cannot play there.
        """
        self.players.seat(role, occupant)

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat, None for a learner."""
        return self.players.strategy(role)

    @property
    def together(self) -> bool:
        """True if both roles learn in every cycle, False if in turn."""
        learners = self.players.learning.values()
        both = self.train_both and len(learners) == len(Role)
        return both and any(each.algorithm.schedule == TOGETHER for each in learners)

    @property
    def opener(self) -> Opener:
        """The role that opens, or that openers alternate; the scenario's until it is set."""
        return self.scenario.opener

    @opener.setter
    def opener(self, opener: Opener) -> None:
        self.scenario = self.players.scenario = replace(self.scenario, opener=opener)
        self.players.stale = True

    @property
    def backend(self) -> Backend:
        """The way in which the inner loop runs."""
        return self.players.population.backend

    def use(self, backend: Backend) -> None:
        """Switch to another backend; results do not change."""
        self.players.population.use(backend)

    def extend(self, cycles: int) -> None:
        """Add cycles; ε goes on falling and a curriculum goes on toward the opening as before.

        Raises BadInputError if there would be too many.
        """
        self.parameters = replace(self.parameters, cycles=self.parameters.cycles + cycles)

    def run(self, cycles: int | None = None) -> None:
        """Play whole cycles; as many as the parameters say if no number is given."""
        n_cycles = self.parameters.cycles if cycles is None else cycles
        self.run_episodes(n_cycles * self.parameters.episodes)

    def run_episodes(self, n: int) -> None:
        """Play `n` episodes, n ≥ 0, and learn from each."""
        stop = self.episode + n
        while self.episode < stop:
            size = min(CHUNK, stop - self.episode)
            judged = self.nash_convs and self.nash_convs.episodes_until_evaluated(self)
            size = min(size, judged or size)
            batch = self._play(self.episode, self.episode + size)
            self._counts.add(self.cycle, batch.counts)
            self.last_negotiation = batch.transcript
            self.episode += size
            if self.nash_convs and size == judged:
                self.nash_convs.evaluate(self)

    @property
    def cycle(self) -> int:
        """The cycle of the next episode, from 0."""
        return self.episode // self.parameters.episodes

    @property
    def finished(self) -> bool:
        """True if all cycles of the parameters are played."""
        return self.episode >= self.parameters.total

    def learner(self, cycle: int) -> Role | None:
        """Return the role that learns in a cycle, None if none learns."""
        learners = self._learning_roles
        return learners and learners[cycle % 2]

    @property
    def _learning_roles(self) -> tuple[Role, Role] | None:
        """The roles that learn in even and in odd cycles; None if none learns."""
        roles = [
            role
            for role in (self.train_agent, self.train_agent.other)
            if self.strategy(role) is None and (self.train_both or role is self.train_agent)
        ]
        return (roles[0], roles[-1]) if roles else None

    @property
    def q_tables(self) -> NDArray[np.float64]:
        """Copies of both Q-tables, shape (2, n_rows, n_actions), seller first.

        A role with fewer hidden limits has rows of zeros at the end.
        """
        return both(self.scenario, [self.q_table(role) for role in Role])

    def q_table(self, role: Role) -> NDArray[np.float64]:
        """Return a copy of a learner's values of actions, shape (n_rows, n_actions).

        The probabilities of actions if it has no values; zeros if there is no learner.
        """
        learner = self.players.learners.get(role)
        if learner is None:
            return untrained(self.scenario, role, 0.0)
        values = learner.values
        return learner.policy.probabilities if values is None else values

    @property
    def statistics(self) -> CycleStatistics:
        """Counts and wallets of every cycle that has begun, read-only."""
        return self._counts.statistics()

    def state(self) -> TrainingState:
        """Return a copy of the present state, for `restore`."""
        return TrainingState(
            self.episode,
            StreamState.of(self._rng, self._draws.unused),
            self.players.state(),
            dict(self._first_cycles),
            *self._counts.sums(),
            self.epsilon,
            self.last_negotiation,
            self.learners,
        )

    def restore(self, state: TrainingState, later: "ConcurrentTraining") -> None:
        """Go to a state of the training `later`; seats and opener must be of that moment."""
        self.episode, self.epsilon = state.episode, state.epsilon
        self.last_negotiation, self._first_cycles = state.last_negotiation, {**state.first_cycles}
        self.learners = state.learning_roles
        self._rng = state.stream.rng
        self._draws = UniformStream(self._rng, state.stream.unused)
        self._counts = later._counts.up_to(state.cycles, state.totals, state.latest)
        self.players.restore(state.players)

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player of a seat now, for a test: see `Players.policy`."""
        return self.players.policy(role)

    def _schedule(self, roles: tuple[Role, Role] | None, start: int, stop: int) -> Schedule:
        """Return the schedule of some episodes, and note the first cycles of learners."""
        episodes = self.parameters.episodes
        for cycle in range(start // episodes, min(start // episodes + 2, -(-stop // episodes))):
            if roles is not None:
                self._first_cycles.setdefault(roles[cycle % 2], cycle)
        first_cycles = self._first_cycles.values()
        game, seed = self.scenario, self.seed
        return schedule_of(self.parameters, game, roles, start, stop, first_cycles, seed)

    def _play(self, start: int, stop: int) -> EpisodeBatch:
        """Play episodes, and note which roles learn and how they explore."""
        roles = self._learning_roles
        in_turn = None if self.together else roles
        if not self.learners or self.learners[-1][1] != in_turn:
            self.learners = (*self.learners, (self.cycle, in_turn))
        schedule = self._schedule(roles, start, stop)
        self.epsilon = float(schedule.epsilons[-1])
        episodes = Episodes(self.players, roles, self.together)
        return episodes.play(schedule, self._draws, self._rng)
