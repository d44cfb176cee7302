"""Episodes with learners of any kind: each cycle is played by the fastest loop that can.

Q-learning against a table is played by `kernel`, other tabular learners by `learner_loop`. Exact
learners play from their tables and compute between two episodes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import backend as backends
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.learner_functions import functions_of, loop_of
from negotiation_tui.learning.learner_loop import LearnerRows, LoopSetup, TableRows
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.base import LearnerSeat, TryingSeat
from negotiation_tui.learning.seats.exact_seat import ExactSeat
from negotiation_tui.learning.seats.q_seat import QSeat
from negotiation_tui.learning.seats.tabular_seat import TabularSeat, learner_rows, table_rows
from negotiation_tui.learning.statistics import n_columns
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import require_table

Players = Sequence[TryingSeat | ReadyPlayer]
_IN_A_LOOP = QSeat, TabularSeat, TabularPolicy
"""Players that need not be played turn by turn."""


@dataclass
class LearnerGames:
    """Two seats of which at least one has a learner other than plain Q-learning."""

    backend: backends.Backend
    scenario: Scenario
    seats: Sequence[LearnerSeat | None]
    """The learners, seller first; None for a static strategy."""
    fixed: Callable[[Role], ReadyPlayer]
    """Returns the player of a role while it does not learn: a table, if there is one."""
    learning: Sequence[Role]
    """The roles that learn; both if they learn together, or in turn."""
    together: bool
    """True if both learn in every cycle."""
    answer: Callable[[], None] | None = None
    """Lets a best responder, which is one of `fixed`, answer the present policy of the other."""

    def play(self, schedule: Schedule, draws: backends.UniformStream) -> backends.EpisodeBatch:
        """Play the episodes of a schedule; the learners are changed."""
        in_loop = (TabularSeat,) if schedule.expected else (TabularSeat, QSeat)
        tabular = self.answer is None and all(
            isinstance(self.seats[role], in_loop)
            if role in self.learning
            else isinstance(self.fixed(role), TabularPolicy)
            for role in Role
        )
        if tabular and self.learning:
            return self._by_loop(schedule, self.learning, draws)
        counts = np.zeros((schedule.n_cycles, n_columns(self.scenario)), np.int64)
        first_cycle = schedule.start // schedule.episodes
        for part in self._parts(schedule):
            row = part.start // schedule.episodes - first_cycle
            batch = self._play_part(part, draws)
            counts[row] += batch.statistics[0]
            self._iterate(part)
        return backends.EpisodeBatch(counts, batch.transcript)

    def _parts(self, schedule: Schedule) -> Iterator[Schedule]:
        """Cut a schedule at the ends of cycles and of the iterations of exact learners."""
        begin, first_cycle = schedule.start, schedule.start // schedule.episodes
        while begin < schedule.stop:
            cycle, starts = begin // schedule.episodes, schedule.starts
            row, ends = cycle - first_cycle, [(cycle + 1) * schedule.episodes, schedule.stop]
            for seat in self._exact(replace(schedule, start=begin)):
                learned, every = self._learned(schedule, begin, cycle), seat.algorithm.counts_as
                ends.append(begin + every - learned % every)
            stop = min(ends)
            at = slice(begin - schedule.start, stop - schedule.start)
            yield replace(
                schedule,
                start=begin,
                epsilons=schedule.epsilons[at],
                starts=None if starts is None else starts[row : row + 1],
                limits=None if schedule.limits is None else schedule.limits[at],
            )
            begin = stop

    def _learners(self, part: Schedule) -> list[Role]:
        """Return the roles that learn in a part, which lies within one cycle."""
        if self.together or not self.learning:
            return list(self.learning)
        return [part.learners[part.start // part.episodes % 2]]

    def _learned(self, part: Schedule, episode: int, cycle: int) -> int:
        """Return how many of the episodes up to one in a cycle its learner learned from."""
        in_turn = len(self.learning) == 2 and not self.together
        return episode - (cycle + 1) // 2 * part.episodes * in_turn

    def _exact(self, part: Schedule) -> list[ExactSeat]:
        """Return the exact learners that learn in the first cycle of a schedule."""
        seats = (self.seats[role] for role in self._learners(part))
        return [seat for seat in seats if isinstance(seat, ExactSeat)]

    def _iterate(self, part: Schedule) -> None:
        """Let exact learners compute if they have waited long enough.

        Each is told what the other plays after this part, not its frozen table.
        """
        learned, due = self._learned(part, part.stop, part.start // part.episodes), []
        for seat in self._exact(part):
            if learned % seat.algorithm.counts_as == 0:
                other = self.seats[seat.role.other]
                player = other.behaviour if other else self.fixed(seat.role.other)
                due.append((seat, require_table(seat.role.other, player)))
        for seat, opponent in due:
            seat.iterate(opponent)
        if self.answer and due:
            self.answer()

    def _player(self, role: Role, part: Schedule) -> ReadyPlayer:
        """Return the player of a role that does not try: frozen, unless it learns now."""
        seat = self.seats[role]
        if seat and role in self._learners(part):
            return seat.behaviour
        return self.fixed(role)

    def _play_part(self, part: Schedule, draws: backends.UniformStream) -> backends.EpisodeBatch:
        learners = self._learners(part)
        if part.start % part.episodes == 0:
            if self.answer:
                self.answer()
            for computing in self._exact(part) if not self.together else ():
                computing.freeze()  # others are frozen where they are played
        seats = {role: self.seats[role] for role in learners}
        trying = {role: seat for role, seat in seats.items() if isinstance(seat, TryingSeat)}
        leader = part.learners[part.start // part.episodes % 2]
        if trying and leader not in trying:
            leader = next(iter(trying))
        part = replace(part, learners=(leader, leader))
        players = [trying.get(role) or self._player(role, part) for role in Role]
        if not all(isinstance(each, _IN_A_LOOP) for each in players):
            return play_schedule(self.scenario, players, part, map(_generator, repeat(draws)))
        if not trying or (len(trying) == 1 and isinstance(trying[leader], QSeat)):
            return self._by_kernel(part, players, draws)
        return self._by_loop(part, list(trying), draws)

    def _by_kernel(
        self, part: Schedule, players: Players, draws: backends.UniformStream
    ) -> backends.EpisodeBatch:
        """Play Q-learning against a table, or two tables."""
        seats = []
        for role, player in zip(Role, players, strict=True):
            if isinstance(player, QSeat):
                seats.append(player.seat)
            else:
                assert not isinstance(player, TryingSeat)
                table = backends.policy_seat(require_table(role, player), role)
                seats.append(self.backend.seat(table))
        if not any(isinstance(each, QSeat) for each in players):
            part = replace(part, epsilons=np.zeros_like(part.epsilons), expected=False)
        return backends.play(self.backend, self.scenario, seats, part, draws)

    def _by_loop(
        self, schedule: Schedule, trying: Sequence[Role], draws: backends.UniformStream
    ) -> backends.EpisodeBatch:
        """Play learners with tables against each other, or against a table.

        If there is any other player that changes, the schedule must lie within one cycle.
        """
        scenario, row, plies = self.scenario, self.backend.row, 2 * self.scenario.rounds
        starts, cycles, pairs = schedule.starts, schedule.n_cycles, schedule.limits
        stakes = [backends.stakes(scenario.views[role], role) for role in Role]
        shown = [role if role in trying else trying[0] for role in Role]
        rows, policies, learns = zip(*(self._rows(role) for role in shown), strict=True)
        tables = [self._table_rows(role, schedule) for role in Role]
        statistics = row(np.zeros((cycles, n_columns(scenario)), np.int64))
        setup = LoopSetup(
            rows,
            (tables[0], tables[1]),
            leaders=(int(schedule.learners[0]), int(schedule.learners[1])),
            together=int(len(trying) == 2 and self.together),
            present=(0, 0),
            opener=schedule.opener.number,
            first=schedule.start,
            episodes=schedule.episodes,
            epsilons=row(schedule.epsilons),
            prices=row(np.array(scenario.prices, np.int64)),
            rounds=scenario.rounds,
            first_offers=row(_padded([each["first_offers"] for each in stakes])),
            n_offers=row(_padded([each["n_offers"] for each in stakes])),
            limits=row(_padded([each["limits"] for each in stakes])),
            statistics=statistics,
            starts=row(np.zeros((cycles, 2), np.int64) if starts is None else starts),
            turns=row(np.zeros(plies, np.int32)),
            explored=row(np.zeros(plies, np.int32)),
            decisions=row(np.zeros(2, np.int64)),
        )
        offers = None
        if any(table.memory for table in tables):
            offers = row(np.zeros((2, scenario.rounds + 2), np.int32))
        tables_drawn = None if pairs is None else row(pairs)
        play = loop_of(self.backend).play
        at, stop, opened, first_ply, n_turns = schedule.start, schedule.stop, 0, 0, 0
        ahead = min(stop - at, backends.MANY_DRAWS)
        while at < stop:
            block, position = draws.block(self.backend, 4 * scenario.rounds + 4, ahead)
            at, position, opened, first_ply, n_turns = play(
                setup, policies, learns, tables_drawn, offers, at, stop, block, position
            )
            draws.used_up_to(position)
        for role in trying:
            seat = self.seats[role]
            if isinstance(seat, QSeat):
                seat.go_on_from(tables[role])
        actions = iter(setup.turns)
        transcript: Transcript = play_out(
            schedule.game_of(scenario, stop - 1),
            Role(int(opened)),
            lambda _: int(next(actions)),
            setup.explored[:n_turns],
            int(first_ply),
        )
        return backends.EpisodeBatch(np.asarray(statistics, np.int64), transcript)

    def _table_rows(self, role: Role, schedule: Schedule) -> TableRows:
        """Return the table that a role plays from while it does not learn."""
        seat = self.seats[role]
        if isinstance(seat, TabularSeat):
            return seat.table
        player = seat.frozen_policy if isinstance(seat, QSeat) else self._player(role, schedule)
        return table_rows(require_table(role, player), self.backend)

    def _rows(self, role: Role) -> tuple[LearnerRows, Callable[..., int], Callable[..., None]]:
        """Return a learner as the loop takes it, and its functions."""
        seat = self.seats[role]
        if isinstance(seat, QSeat):
            q = seat.seat.q
            q = q.reshape(1, -1) if isinstance(q, np.ndarray) else [q]
            settings = np.array([seat.seat.learning_rates[0], seat.seat.discount_rates[0]])
            rows = learner_rows(Q_LEARNING, self.scenario, role, q, settings, self.backend)
            return rows, *functions_of(Q_LEARNING, self.backend)
        assert isinstance(seat, TabularSeat)
        return seat.rows, *functions_of(seat.algorithm, self.backend)


def _padded(rows: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return rows as one array, filled up with zeros."""
    found = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for k, each in enumerate(rows):
        found[k, : len(each)] = each
    return found


def _generator(draws: backends.UniformStream) -> np.random.Generator:
    """Return the generator of a negotiation that is played turn by turn.

    It takes one number from the stream: so batches of any size give the same run.
    """
    block, position = draws.block(backends.PLAIN, 1)
    draws.used_up_to(position + 1)
    return np.random.default_rng(int(block[position] * 2**53))
