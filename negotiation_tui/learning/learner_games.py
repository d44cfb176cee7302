"""Episodes with learners of any kind: each cycle is played by the fastest loop that can.

Q-learning against a table is played by `kernel`, other tabular learners by `learner_loop`. Exact
learners play from their tables and compute between two episodes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import backend as backends
from negotiation_tui.learning import kernel
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.learner_functions import functions_of, loop_of
from negotiation_tui.learning.learner_loop import LearnerRows, LoopSetup, TableRows
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.base import LearnerSeat, TryingSeat
from negotiation_tui.learning.seats.exact_seat import ExactSeat
from negotiation_tui.learning.seats.q_seat import QSeat
from negotiation_tui.learning.seats.tabular_seat import TabularSeat, learner_rows
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import require_table

Players = Sequence[TryingSeat | ReadyPlayer]
Q_LEARNING = QLearning()
_IN_A_LOOP = QSeat, TabularSeat, TabularPolicy
"""Players that need not be played turn by turn."""


@dataclass
class LearnerGames:
    """Two seats of which at least one has a learner other than plain Q-learning."""

    backend: backends.Backend
    scenario: Scenario
    occupants: Sequence[LearnerSeat | None]
    """The learners, seller first; None for a static strategy."""
    fixed: Callable[[Role], ReadyPlayer]
    """Returns the player of a role while it does not learn: a table, if there is one."""
    learning: Sequence[Role]
    """The roles that learn; both if they learn together, or in turn."""
    together: bool
    """True if both learn in every cycle."""

    def play(self, schedule: Schedule, draws: backends.UniformStream) -> backends.EpisodeBatch:
        """Play the episodes of a schedule; the learners are changed."""
        counts = np.zeros((schedule.n_cycles, kernel.N_STATISTICS), np.int64)
        first_cycle = schedule.start // schedule.episodes
        for part in self._parts(schedule):
            row = part.start // schedule.episodes - first_cycle
            batch = self._play_part(part, draws)
            counts[row] += batch.statistics[0]
            self._iterate(part)
        return backends.EpisodeBatch(counts, batch.transcript)

    def _parts(self, schedule: Schedule) -> Iterator[Schedule]:
        """Cut a schedule at the ends of cycles and of the iterations of exact learners."""
        every = [schedule.episodes, *(seat.algorithm.counts_as for seat in self._exact)]
        begin, first_cycle = schedule.start, schedule.start // schedule.episodes
        while begin < schedule.stop:
            stop = min(schedule.stop, *((begin // n + 1) * n for n in every))
            row = begin // schedule.episodes - first_cycle
            starts = schedule.starts
            yield replace(
                schedule,
                start=begin,
                epsilons=schedule.epsilons[begin - schedule.start : stop - schedule.start],
                starts=None if starts is None else starts[row : row + 1],
            )
            begin = stop

    def _learners(self, part: Schedule) -> list[Role]:
        """Return the roles that learn in a part, which lies within one cycle."""
        if self.together or not self.learning:
            return list(self.learning)
        return [part.learners[part.start // part.episodes % 2]]

    @property
    def _exact(self) -> list[ExactSeat]:
        seats = (self.occupants[role] for role in self.learning)
        return [seat for seat in seats if isinstance(seat, ExactSeat)]

    def _iterate(self, part: Schedule) -> None:
        """Let exact learners compute if they have waited long enough."""
        due = []
        for role in self._learners(part):
            seat = self.occupants[role]
            if isinstance(seat, ExactSeat) and part.stop % seat.algorithm.counts_as == 0:
                opponent = require_table(role.other, self._player(role.other, part))
                due.append((seat, opponent))
        for seat, opponent in due:
            seat.iterate(opponent)

    def _player(self, role: Role, part: Schedule) -> ReadyPlayer:
        """Return the player of a role that does not try: frozen, unless it learns now."""
        seat = self.occupants[role]
        if seat and role in self._learners(part):
            return seat.behaviour
        return self.fixed(role)

    def _play_part(self, part: Schedule, draws: backends.UniformStream) -> backends.EpisodeBatch:
        learners = self._learners(part)
        if part.start % part.episodes == 0 and not self.together:
            for role in learners:
                seat = self.occupants[role]
                if seat:
                    seat.freeze()
        trying = [role for role in learners if not isinstance(self.occupants[role], ExactSeat)]
        leader = part.learners[part.start // part.episodes % 2]
        if trying and leader not in trying:
            leader = trying[0]
        part = replace(part, learners=(leader, leader))
        players = [self._trying(role, trying) or self._player(role, part) for role in Role]
        if trying and not all(isinstance(each, _IN_A_LOOP) for each in players):
            return play_schedule(self.scenario, players, part, map(_generator, repeat(draws)))
        if not trying or (len(trying) == 1 and isinstance(self.occupants[leader], QSeat)):
            return self._by_kernel(part, players, draws)
        return self._by_loop(part, players, trying, draws)

    def _trying(self, role: Role, trying: Sequence[Role]) -> TryingSeat | None:
        seat = self.occupants[role]
        return seat if role in trying and isinstance(seat, TryingSeat) else None

    def _by_kernel(
        self, part: Schedule, players: Players, draws: backends.UniformStream
    ) -> backends.EpisodeBatch:
        """Play Q-learning against a table, or two tables."""
        seats = []
        for role, player in zip(Role, players, strict=True):
            if isinstance(player, QSeat):
                seats.append(player.seat)
            else:
                table = backends.policy_seat(_table_of(role, player), role)
                seats.append(self.backend.seat(table))
        if not any(isinstance(each, QSeat) for each in players):
            part = replace(part, epsilons=np.zeros_like(part.epsilons))
        return backends.play(self.backend, self.scenario, seats, part, draws)

    def _by_loop(
        self,
        part: Schedule,
        players: Players,
        trying: Sequence[Role],
        draws: backends.UniformStream,
    ) -> backends.EpisodeBatch:
        """Play learners with tables against each other, or one against a table."""
        scenario, row, plies = self.scenario, self.backend.row, 2 * self.scenario.rounds
        leader, starts = part.learners[0], part.starts
        shown = [role if role in trying else leader for role in Role]
        rows, policies, learns = zip(*(self._rows(role) for role in shown), strict=True)
        tables = [
            _table_rows(None if role in trying else _table_of(role, player), self.backend)
            for role, player in zip(Role, players, strict=True)
        ]
        counts = row(np.zeros(kernel.N_STATISTICS, np.int64))
        setup = LoopSetup(
            rows,
            (tables[0], tables[1]),
            learner=int(leader),
            together=int(len(trying) == 2),
            opener=_opener(part.opener),
            begin=part.start // part.episodes * part.episodes,
            first=part.start,
            epsilons=row(part.epsilons),
            prices=row(np.array(scenario.prices, np.int64)),
            rounds=scenario.rounds,
            first_offers=row(np.array([scenario.offers(role).start for role in Role], np.int64)),
            n_offers=row(np.array([len(scenario.offers(role)) for role in Role], np.int64)),
            counts=counts,
            earliest=0 if starts is None else int(starts[0, 0]),
            window=0 if starts is None else int(starts[0, 1]),
            turns=row(np.zeros(plies, np.int32)),
            explored=row(np.zeros(plies, np.int32)),
            decisions=row(np.zeros(2, np.int64)),
        )
        offers = None
        if any(table.memory for table in tables):
            offers = row(np.zeros((2, scenario.rounds + 2), np.int32))
        play = loop_of(self.backend).play
        at, stop, opened, first_ply, n_turns = part.start, part.stop, 0, 0, 0
        while at < stop:
            block, position = draws.block(self.backend, 4 * scenario.rounds + 4, len(part.epsilons))
            at, position, opened, first_ply, n_turns = play(
                setup, policies, learns, offers, at, stop, block, position
            )
            draws.used_up_to(position)
        for role in trying:
            seat = self.occupants[role]
            if isinstance(seat, QSeat):
                seat.refresh()
        actions = iter(setup.turns)
        transcript: Transcript = play_out(
            scenario,
            Role(int(opened)),
            lambda _: int(next(actions)),
            setup.explored[:n_turns],
            int(first_ply),
        )
        return backends.EpisodeBatch(np.asarray(counts, np.int64)[None], transcript)

    def _rows(self, role: Role) -> tuple[LearnerRows, Callable[..., int], Callable[..., None]]:
        """Return a learner as the loop takes it, and its functions."""
        seat = self.occupants[role]
        if isinstance(seat, QSeat):
            q = seat.seat.q
            q = q.reshape(1, -1) if isinstance(q, np.ndarray) else [q]
            settings = np.array([seat.seat.learning_rates[0], seat.seat.discount_rates[0]])
            rows = learner_rows(Q_LEARNING, self.scenario, role, q, settings, self.backend)
            return rows, *functions_of(Q_LEARNING, self.backend)
        assert isinstance(seat, TabularSeat)
        return seat.rows, *functions_of(seat.algorithm, self.backend)


def _table_of(role: Role, player: TryingSeat | ReadyPlayer) -> TabularPolicy:
    assert not isinstance(player, TryingSeat)
    return require_table(role, player)


def _table_rows(policy: TabularPolicy | None, backend: backends.Backend) -> TableRows:
    """Return a table as the loop takes it; None stands for a role that learns."""
    row = backend.row
    if policy is None:
        one = np.zeros(1, np.int64)
        return TableRows(row(one), row(one), row(np.zeros(1)), 1, 1, 0, 0)
    width = policy.actions.shape[1]
    cumulative = policy.cumulative
    if policy.weights is None:
        cumulative = np.full(policy.actions.size, UNIFORM)
    return TableRows(
        row(policy.actions.ravel().astype(np.int64)),
        row(policy.n_actions.astype(np.int64)),
        row(cumulative),
        width,
        policy.stride,
        policy.memory,
        policy.responder_offset,
    )


def _generator(draws: backends.UniformStream) -> np.random.Generator:
    """Return the generator of a negotiation that is played turn by turn.

    It takes one number from the stream: so batches of any size give the same run.
    """
    block, position = draws.block(backends.PLAIN, 1)
    draws.used_up_to(position + 1)
    return np.random.default_rng(int(block[position] * 2**53))


def _opener(opener: Opener) -> int:
    return kernel.ALTERNATE if opener is Opener.ALTERNATE else int(opener.role())
