"""Concurrent training: seller and buyer learn in turn, one per cycle of episodes.

In each cycle one agent learns (the original's "trainee"). The other (the "trainer") plays greedily
from its table as it was before its own last cycle, so the learner meets an opponent one generation
old. The opponent opens even episodes of a cycle, the learner odd ones.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.episodes import play_episodes
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.players import Players
from negotiation_tui.learning.population import EpisodeBatch, Population
from negotiation_tui.learning.q_table import both
from negotiation_tui.learning.random_streams import StreamState, generators
from negotiation_tui.learning.schedules import epsilons, schedule_of
from negotiation_tui.learning.statistics import CycleCounts, CycleStatistics, Learners, n_columns
from negotiation_tui.runtime.jit import busy_seconds
from negotiation_tui.runtime.records import dataclass, replace

_CHUNK = 200_000  # episodes per call of the loop, which takes 0.3 ms beside them
_USUAL = Parameters()
_REST = 4000  # bytes of a state without arrays and turns


@dataclass(frozen=True, eq=False, slots=True)
class TrainingState:
    """Everything of a training that playing changes, except the counts of earlier cycles."""

    episode: int
    epsilon: float
    last_negotiation: Transcript | None
    last_learners: tuple[Role, ...]
    learners: Learners
    firsts: dict[Role, int]
    answered: TabularPolicy | None
    stale: bool
    stream: StreamState
    learned: dict[Role, dict[str, Any]]  # arrays, or other values that have `nbytes`
    counts: tuple[int, NDArray[np.int64], NDArray[np.int64]]  # see `CycleCounts.sums`

    @property
    def nbytes(self) -> int:
        size = _REST + self.stream.nbytes
        for learned in self.learned.values():
            size += sum(each.nbytes for each in learned.values())
        return size + sum(each.nbytes for each in (self.last_negotiation, self.answered) if each)


class ConcurrentTraining(Players):
    """A training in progress, stepped by episodes or cycles.

    `train_agent` learns in the first cycle. With `train_both=False` it alone learns, and the other
    agent plays uniformly at random. One seed gives one run, equal to the bit with every backend.
    Raises BadInputError if the scenario is too large for the tables of its seats.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameters = _USUAL,
        seed: int = 0,
        train_both: bool = True,
        train_agent: Role = Role.SELLER,
        seller: Occupant | None = None,
        buyer: Occupant | None = None,
        backend: Backend = PLAIN,
    ) -> None:
        super().__init__(Population(scenario, backend, parameters), seed, train_both, train_agent)
        self.seat(Role.SELLER, seller)
        self.seat(Role.BUYER, buyer)
        self.seconds = 0.0  # of this thread on a processor to play them; without evaluations
        self.last_negotiation: Transcript | None = None
        self.last_learners: tuple[Role, ...] = ()  # the roles that learned from it
        self.last_numbers: tuple[float, ...] = ()  # drawn in it, see `EpisodeBatch`
        self.epsilon = 0.0  # the exploration probability of the last episode; 0 if no role learned
        self.nash_convs: NashConvSeries | None = None  # None unless asked for
        self.learners: Learners = ()  # those that learned in turn, and from which cycle on
        self._firsts: dict[Role, int] = {}
        self._counts = CycleCounts(n_columns(self.scenario))

    @cached_property
    def _draws(self) -> UniformStream:  # late, because its module takes long to load
        return UniformStream(generators(self.seed).training)

    @property
    def opener(self) -> Opener:
        """The role that opens, or that openers alternate; the scenario's until it is set."""
        return self.scenario.opener

    @opener.setter
    def opener(self, opener: Opener) -> None:
        self.scenario = replace(self.scenario, opener=opener)
        self.stale = True

    @property
    def backend(self) -> Backend:
        return self.population.backend

    def use(self, backend: Backend) -> None:
        self.population.use(backend)

    def run(self, cycles: int | None = None) -> None:
        """Play whole cycles; as many as the parameters say if no number is given."""
        n_cycles = self.parameters.cycles if cycles is None else cycles
        self.run_episodes(n_cycles * self.parameters.episodes)

    def run_episodes(self, n: int) -> None:
        """Play `n` episodes, n ≥ 0, and learn from each."""
        stop = self.episode + n
        while self.episode < stop:
            size = min(_CHUNK, stop - self.episode)
            judged = self.nash_convs and self.nash_convs.episodes_until_evaluated(self)
            size = min(size, judged or size)
            if self.nash_convs:
                self.nash_convs.latest = None
            begun = busy_seconds()
            batch = self._play(self.episode, self.episode + size)
            self.seconds += busy_seconds() - begun
            self._counts.add(self.cycle, batch.counts)
            self.last_negotiation, self.last_numbers = batch.transcript, batch.last_numbers
            self.episode += size
            if self.nash_convs and size == judged:
                self.nash_convs.evaluate(self)

    @property
    def cycle(self) -> int:
        return self.episode // self.parameters.episodes

    @property
    def finished(self) -> bool:
        return self.episode >= self.parameters.total

    def learner(self, cycle: int) -> Role | None:
        learners = self.learning_roles
        return learners and learners[cycle % 2]

    @property
    def q_tables(self) -> NDArray[np.float64]:
        """Copies of both Q-tables, shape (2, n_rows, n_actions), seller first; see `both`."""
        return both(self.scenario, [self.q_table(role) for role in Role])

    def q_table(self, role: Role) -> NDArray[np.float64]:
        """Return a copy of values of actions, else of probabilities; zeros without a learner."""
        return np.array(self.learned(role).rows(self.scenario, role))

    @property
    def statistics(self) -> CycleStatistics:
        """Counts and wallets of every cycle that has begun, read-only."""
        return self._counts.statistics()

    @property
    def next_epsilon(self) -> float:
        """The exploration probability of the next episode, if a role learns in it."""
        firsts, at = self._firsts_with(self.cycle).values(), self.episode
        return float(epsilons(self.parameters, at, at + 1, firsts, self.fade)[0])

    def _firsts_with(self, cycle: int) -> dict[Role, int]:
        roles = self.learning_roles
        return self._firsts if roles is None else {roles[cycle % 2]: cycle} | self._firsts

    def state(self) -> TrainingState:
        last = self.last_negotiation, self.last_learners
        played = self.episode, self.epsilon, *last, self.learners, self._firsts
        stream = StreamState.of(self._draws.rng, self._draws.unused)
        learned = {role: learner.state() for role, learner in self.latest_learners.items()}
        counts = self._counts.sums()
        return TrainingState(*played, self.answered, self.stale, stream, learned, counts)

    def restore(self, state: TrainingState, later: "ConcurrentTraining") -> None:
        """Go to a state of the training `later`; seats and opener must be of that moment."""
        self.episode, self.epsilon = state.episode, state.epsilon
        self.last_negotiation, self.last_learners = state.last_negotiation, state.last_learners
        self.learners, self._firsts = state.learners, state.firsts
        self.answered, self.stale = state.answered, state.stale
        self._draws = UniformStream(state.stream.rng, state.stream.unused)
        self._counts = later._counts.up_to(*state.counts)
        for role, learned in state.learned.items():
            self.latest_learners[role].go_to(learned)
        self._response = self._present = None

    def _play(self, start: int, stop: int) -> EpisodeBatch:
        roles, episodes = self.learning_roles, self.parameters.episodes
        in_turn = None if self.together else roles
        if not self.learners or self.learners[-1][1] != in_turn:
            self.learners = (*self.learners, (self.cycle, in_turn))
        for cycle in range(start // episodes, min(start // episodes + 2, -(-stop // episodes))):
            self._firsts = self._firsts_with(cycle)
        firsts = self._firsts.values()
        game, seed = self.scenario, self.seed
        learners = tuple(Role) if self.together else roles and (roles[(stop - 1) // episodes % 2],)
        self.last_learners = learners or ()
        schedule = schedule_of(self.parameters, game, roles, start, stop, firsts, seed, self.fade)
        self.epsilon = float(schedule.epsilons[-1])
        return play_episodes(self, schedule, self._draws)
