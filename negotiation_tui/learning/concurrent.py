"""Concurrent training: two seats, cycles of episodes, one seat learning at a time.

In each cycle one agent is the trainee: it explores and updates its Q-table. The other is the
trainer: it plays greedily from a frozen table. Then they swap. The frozen table of an agent that
has just been trained is the copy from before that cycle, so that the new trainee meets an
opponent one generation old. The trainer opens in even episodes, the trainee in odd ones.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning import kernel
from negotiation_tui.learning.backend import (
    PLAIN,
    Backend,
    EpisodeBatch,
    UniformStream,
    learner_seat,
    play,
    policy_seat,
)
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import SeatArrays
from negotiation_tui.learning.q_table import untrained, zeros
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import schedule_of
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import check_pair
from negotiation_tui.strategies.registry import spec_of

CHUNK = 100_000


class ConcurrentTraining:
    """A training in progress, stepped by episodes or cycles.

    Both seats hold a learner until `seat` puts a static strategy there; a learner's table is kept
    meanwhile. With `train_both=False` only `train_agent` learns and the other plays from its
    table of zeros, uniformly at random; else `train_agent` is the trainee of the first cycle.
    The same seed gives the same run to the bit, whichever backend plays which part of it.

    Raises BadInputError where the scenario is too large for the tables a seat needs.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameters | None = None,
        seed: int = 0,
        train_both: bool = True,
        train_agent: Role | str = Role.SELLER,
        seller: Strategy | None = None,
        buyer: Strategy | None = None,
        backend: Backend = PLAIN,
    ) -> None:
        self.scenario = scenario
        self.parameters = Parameters() if parameters is None else parameters
        self.seed = seed
        self.train_both = train_both
        self.train_agent = Role.of(train_agent)
        self.backend = backend
        self.episode = 0
        """Episodes played so far, over all cycles."""
        self.last_negotiation: Transcript | None = None
        self._rng = generators(seed).training
        self._draws = UniformStream(self._rng)
        self._statistics = np.zeros((64, kernel.N_STATISTICS), np.int64)
        self._learners: dict[Role, SeatArrays] = {}
        self._strategies: dict[Role, Strategy | None] = {}
        self._tables: dict[Role, TabularPolicy | None] = {}
        self._static: dict[Role, SeatArrays | None] = {}
        self._stale = True
        self.seat(Role.SELLER, seller)
        self.seat(Role.BUYER, buyer)

    def seat(self, role: Role, strategy: Strategy | None) -> None:
        """Put a strategy in a seat, or its learner back (None); it plays from now on.

        Raises BadInputError, and leaves the seat as it was, where it cannot play there.
        """
        strategy = strategy and strategy.in_seat(self.scenario, role)
        check_pair(self.scenario, strategy, self._strategies.get(role.other))
        if strategy is None:
            if role not in self._learners:
                self._learners[role] = self._learner(role)
        else:
            drawn = self.parameters.curriculum_window or self.parameters.expected_updates
            if "history" in strategy.depends_on and drawn:
                raise BadInputError(
                    f"{spec_of(strategy)} heeds the whole negotiation and has no table: use"
                    " curriculum_window 0 and no expected_updates, as in recipe published"
                )
            table = self._tables[role] = strategy.tabulated(self.scenario, role)
            self._static[role] = self._formed(table, role)
        self._strategies[role] = strategy
        self._stale = True

    def strategy(self, role: Role) -> Strategy | None:
        """The static strategy in a seat, None for the learner."""
        return self._strategies[role]

    @property
    def opener(self) -> Opener:
        """Who opens: as the scenario says, until it is set."""
        return self.scenario.opener

    @opener.setter
    def opener(self, opener: Opener) -> None:
        self.scenario = replace(self.scenario, opener=opener)
        self._stale = True

    def use(self, backend: Backend) -> None:
        """Go on with another backend; nothing else changes."""
        self.backend = backend
        self._learners = {role: backend.seat(seat) for role, seat in self._learners.items()}
        self._static = {role: seat and backend.seat(seat) for role, seat in self._static.items()}

    def run(self, cycles: int | None = None) -> None:
        """Play whole cycles, all of the parameters' where no number is given."""
        wanted = self.parameters.cycles if cycles is None else cycles
        self.run_episodes(wanted * self.parameters.episodes)

    def run_episodes(self, n: int) -> None:
        """Play n negotiations, n ≥ 0, learning from each."""
        stop = self.episode + n
        while self.episode < stop:
            size = min(CHUNK, stop - self.episode)
            played = self._play(self.episode, self.episode + size)
            first = self.episode // self.parameters.episodes
            last = first + len(played.statistics)
            if last > len(self._statistics):
                room = np.zeros((last, kernel.N_STATISTICS), np.int64)
                self._statistics = np.concatenate([self._statistics, room])
            self._statistics[first:last] += played.statistics
            self.last_negotiation = played.transcript
            self.episode += size

    @property
    def cycle(self) -> int:
        """The cycle that the next episode belongs to, from 0."""
        return self.episode // self.parameters.episodes

    @property
    def finished(self) -> bool:
        """Whether all the cycles of the parameters are done."""
        return self.episode >= self.parameters.total

    def learner(self, cycle: int) -> Role | None:
        """Who learns in a cycle, None where nobody does."""
        trainees = self._trainees
        return trainees and trainees[cycle % 2]

    @property
    def _trainees(self) -> tuple[Role, Role] | None:
        """The roles that learn in even and in odd cycles; None if none learns."""
        learners = [
            role
            for role in (self.train_agent, self.train_agent.other)
            if self._strategies[role] is None and (self.train_both or role is self.train_agent)
        ]
        return (learners[0], learners[-1]) if learners else None

    @property
    def q_tables(self) -> NDArray[np.float64]:
        """Copies of both Q-tables, shape (2, n_states, n_actions), seller first."""
        return np.stack([self.q_table(role) for role in Role])

    def q_table(self, role: Role) -> NDArray[np.float64]:
        """A copy of one Q-table, shape (n_states, n_actions); zeros where none was begun."""
        if role not in self._learners:
            return zeros(self.scenario)
        shape = self.scenario.n_states, self.scenario.n_actions
        return np.array(self._learners[role].q, np.float64).reshape(shape)

    def has_table(self, role: Role) -> bool:
        """Whether a learner was ever in this seat."""
        return role in self._learners

    @property
    def statistics(self) -> CycleStatistics:
        """Counts and wallets of every cycle begun, read-only."""
        begun = -(-self.episode // self.parameters.episodes)
        counts = self._statistics[:begun].copy()
        counts.flags.writeable = False
        return CycleStatistics(counts)

    def _learner(self, role: Role) -> SeatArrays:
        rates = self.parameters.learning_rate, self.parameters.discount_rate
        table = untrained(self.scenario, role, self.parameters.initial_value)
        return self.backend.seat(learner_seat(self.scenario, role, table, *rates))

    def _formed(self, table: TabularPolicy | None, role: Role) -> SeatArrays | None:
        return None if table is None else self.backend.seat(policy_seat(table, role))

    def _respond(self) -> bool:
        """Whether a seat responds to the other; formed anew if a seat or the opener changed.

        A learner opposite changes too: the inner loop sees to that at the start of a cycle.
        """
        seats = self._strategies.items()
        responder = next((role for role, held in seats if held and held.needs_opponent), None)
        if self._stale and responder is not None:
            table = self.policy(responder).tabulated(self.scenario, responder)
            self._static[responder] = self._formed(table, responder)
        self._stale = False
        return responder is not None

    def policy(self, role: Role) -> ReadyPlayer:
        """How a seat would play a test: greedy over its table as it is now, or its strategy.

        The strategy itself only where it has no table. A best response is one to the other seat
        as it would play now.
        """
        strategy = self._strategies[role]
        if strategy is None:
            return greedy(self.scenario, role, self.q_table(role))
        if strategy.needs_opponent:
            rate = self.parameters.discount_rate
            return strategy.ready(self.scenario, role, self.policy(role.other), rate)
        return self._tables[role] or strategy

    def _play(self, start: int, stop: int) -> EpisodeBatch:
        """Play these episodes: by the inner loop, or turn by turn where a strategy has no table."""
        responds, learners, trainees = self._respond(), self._learners, self._trainees
        if trainees is None:
            still = self.backend.row(np.zeros(1))
            learners = {r: seat._replace(learning_rates=still) for r, seat in learners.items()}
            responds = False
        schedule = schedule_of(self.parameters, self.scenario, trainees, start, stop)
        seller, buyer = (
            learners[role] if self._strategies[role] is None else self._static[role]
            for role in Role
        )
        if seller and buyer:
            seats = seller, buyer
            return play(self.backend, self.scenario, seats, schedule, self._draws, responds)
        players = [self._strategies[role] or learners[role] for role in Role]
        return play_schedule(self.scenario, players, schedule, self._rng)
