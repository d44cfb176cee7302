"""Episodes of a training with players of any kind.

Learners with tables and players that are tables are played by the loop. Exact learners play from
their tables, and compute between two episodes. Who has no table plays turn by turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.occupants import Occupants
from negotiation_tui.learning.population import EpisodeBatch
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.base import TryingSeat
from negotiation_tui.learning.seats.exact_seat import ExactSeat
from negotiation_tui.learning.seats.tabular_seat import TabularSeat
from negotiation_tui.learning.statistics import n_columns
from negotiation_tui.learning.turn_by_turn import play_schedule
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import require_table


@dataclass
class Episodes:
    """The episodes of both seats, from one change of the players to the next."""

    occupants: Occupants
    roles: tuple[Role, Role] | None
    """The roles that learn in even and in odd cycles; None if none learns."""
    together: bool
    """True if both learn in every cycle."""

    def play(
        self, schedule: Schedule, draws: UniformStream, rng: np.random.Generator
    ) -> EpisodeBatch:
        """Play the episodes of a schedule; the learners are changed.

        Plain Q-learners play turn by turn with `rng`, others with generators from `draws`.
        """
        occupants, learners = self.occupants, self.occupants.learning
        responds = occupants.respond()
        self._plain = not self.together and all(
            isinstance(each.algorithm, QLearning) for each in learners.values()
        )
        in_loop = {
            role: isinstance(learners[role], TabularSeat)
            if role in (self.roles or ())
            else isinstance(occupants.fixed_player(role), TabularPolicy)
            for role in Role
        }
        if all(in_loop.values()) and (self._plain or not responds):
            return self._by_loop(schedule, draws, list(self.roles or ()), responds)
        scenario = occupants.scenario
        counts = np.zeros((schedule.n_cycles, n_columns(scenario)), np.int64)
        first_cycle = schedule.start // schedule.episodes
        for each in self._parts(schedule):
            part, learning = each, self._learning(each)
            if part.start % part.episodes == 0:
                if responds:
                    occupants.answer()
                for computing in self._exact(part) if not self.together else ():
                    computing.freeze()  # others are frozen where they are played
            trying = [role for role in learning if isinstance(learners[role], TryingSeat)]
            leader = part.learners[part.start // part.episodes % 2]
            if trying and leader not in trying:
                leader = trying[0]
            part = replace(part, learners=(leader, leader))
            batch = self._play_part(part, draws, rng, learning, trying)
            counts[part.start // part.episodes - first_cycle] += batch.counts[0]
            self._iterate(part, responds)
        return EpisodeBatch(counts, batch.transcript)

    def _play_part(
        self,
        part: Schedule,
        draws: UniformStream,
        rng: np.random.Generator,
        learning: list[Role],
        trying: list[Role],
    ) -> EpisodeBatch:
        """Play episodes of one cycle."""
        occupants, learners = self.occupants, self.occupants.learning
        players: list[TryingSeat | ReadyPlayer] = []
        for role in Role:
            seat = learners.get(role)
            if seat and (role in learning or (self._plain and self.roles is None)):
                players.append(seat if isinstance(seat, TryingSeat) else seat.behaviour)
            else:
                players.append(occupants.fixed_player(role))
        if all(isinstance(each, TabularPolicy | TabularSeat) for each in players):
            if not trying:
                part = replace(part, epsilons=np.zeros_like(part.epsilons), expected=False)
            return self._by_loop(part, draws, trying)
        rngs = (
            repeat(rng)
            if self._plain and self.occupants.responder is None
            else map(_generator, repeat(draws))
        )
        return play_schedule(occupants.scenario, players, part, rngs, self.roles is not None)

    def _by_loop(
        self, schedule: Schedule, draws: UniformStream, trying: list[Role], responds: bool = False
    ) -> EpisodeBatch:
        """Play learners with tables and other tables."""
        population, learners = self.occupants.population, self.occupants.learning
        for role in Role:
            seat = learners.get(role)
            if responds and role is self.occupants.responder:
                continue  # its table is there
            if role in trying or (
                isinstance(seat, TabularSeat)
                and schedule.learners[0] is not role
                and schedule.learners[1] is not role
            ):
                population.play_table(role, None)
            elif isinstance(seat, ExactSeat) and role in self._learning(schedule):
                population.play_table(role, seat.behaviour)
            else:
                population.play_table(role, require_table(role, self.occupants.fixed_player(role)))
        together = self.together and len(set(trying)) == len(Role)
        responder = self.occupants.responder if responds and self.roles else None
        return population.play(schedule, draws, together, responder)

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

    def _learning(self, part: Schedule) -> list[Role]:
        """Return the roles that learn in the first cycle of a schedule."""
        if self.together or not self.roles:
            return sorted(set(self.roles or ()))
        return [self.roles[part.start // part.episodes % 2]]

    def _learned(self, part: Schedule, episode: int, cycle: int) -> int:
        """Return how many of the episodes up to one in a cycle its learner learned from."""
        in_turn = len(set(self.roles or ())) == len(Role) and not self.together
        return episode - (cycle + 1) // 2 * part.episodes * in_turn

    def _exact(self, part: Schedule) -> list[ExactSeat]:
        """Return the exact learners that learn in the first cycle of a schedule."""
        seats = (self.occupants.learning[role] for role in self._learning(part))
        return [seat for seat in seats if isinstance(seat, ExactSeat)]

    def _iterate(self, part: Schedule, responds: bool) -> None:
        """Let exact learners compute if they have waited long enough.

        Each is told what the other plays after this part, not its frozen table.
        """
        learned, due = self._learned(part, part.stop, part.start // part.episodes), []
        for seat in self._exact(part):
            if learned % seat.algorithm.counts_as == 0:
                role = seat.role.other
                other = self.occupants.learning.get(role)
                player = other.behaviour if other else self.occupants.fixed_player(role)
                due.append((seat, require_table(role, player)))
        for seat, opponent in due:
            seat.iterate(opponent)
        if responds and due:
            self.occupants.answer()


def _generator(draws: UniformStream) -> np.random.Generator:
    """Return the generator of a negotiation that is played turn by turn.

    It takes one number from the stream: so batches of any size give the same run.
    """
    block, position = draws.block(PLAIN, 1)
    draws.used_up_to(position + 1)
    return np.random.default_rng(int(block[position] * 2**53))
