"""Episodes of a training with players of any kind.

Learners with tables and players that are tables are played by the loop. Exact learners play from
their tables, and compute between two episodes. All others play turn by turn: learners that are
objects, and strategies that depend on all offers or whose table would be too large.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learning_players import ExactPlayer, SamplingPlayer, TabularPlayer
from negotiation_tui.learning.players import Players
from negotiation_tui.learning.population import EpisodeBatch
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import add_negotiation, n_columns
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import require_table


@dataclass
class Episodes:
    """The episodes of both seats, from one change of the players to the next."""

    players: Players
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
        training, learners = self.players, self.players.learning
        responds = training.respond()
        self._plain = not self.together and all(
            isinstance(each.algorithm, QLearning) for each in learners.values()
        )
        in_loop = {
            role: isinstance(learners[role], TabularPlayer)
            if role in (self.roles or ())
            else isinstance(training.kept(role), TabularPolicy)
            for role in Role
        }
        if all(in_loop.values()) and (self._plain or not responds):
            return self._by_loop(schedule, draws, list(self.roles or ()), responds)
        counts = np.zeros((schedule.n_cycles, n_columns(training.scenario)), np.int64)
        first_cycle = schedule.start // schedule.episodes
        for each in self._parts(schedule):
            cycle, in_cycle = divmod(each.start, each.episodes)
            learning = self._learning(cycle)
            if in_cycle == 0:
                if responds:
                    training.answer()
                for computing in self._exact(cycle) if not self.together else ():
                    computing.keep()  # others keep theirs where they are played
            sampling = [role for role in learning if isinstance(learners[role], SamplingPlayer)]
            leader = each.learners[cycle % 2]
            if sampling and leader not in sampling:
                leader = sampling[0]
            part = replace(each, learners=(leader, leader))
            batch = self._play_part(part, draws, rng, learning, sampling)
            counts[cycle - first_cycle] += batch.counts[0]
            self._iterate(part, responds)
        return EpisodeBatch(counts, batch.transcript)

    def _play_part(
        self,
        part: Schedule,
        draws: UniformStream,
        rng: np.random.Generator,
        learning: list[Role],
        sampling: list[Role],
    ) -> EpisodeBatch:
        """Play episodes of one cycle."""
        learners = self.players.learning
        players: list[SamplingPlayer | ReadyPlayer] = []
        for role in Role:
            seat = learners.get(role)
            if seat and (role in learning or (self._plain and self.roles is None)):
                players.append(seat if isinstance(seat, SamplingPlayer) else seat.behaviour)
            else:
                players.append(self.players.kept(role))
        if all(isinstance(each, TabularPolicy | TabularPlayer) for each in players):
            if not sampling:
                part = replace(part, epsilons=np.zeros_like(part.epsilons), expected=False)
            return self._by_loop(part, draws, sampling)
        rngs = (
            repeat(rng)
            if self._plain and self.players.responder is None
            else map(_generator, repeat(draws))
        )
        return play_schedule(self.players.scenario, players, part, rngs, self.roles is not None)

    def _by_loop(
        self, schedule: Schedule, draws: UniformStream, sampling: list[Role], responds: bool = False
    ) -> EpisodeBatch:
        """Play learners with tables and other tables."""
        population, learners = self.players.population, self.players.learning
        learning = self._learning(schedule.start // schedule.episodes)
        for role in Role:
            seat = learners.get(role)
            if responds and role is self.players.responder:
                continue  # its table is there
            table = None
            if isinstance(seat, ExactPlayer) and role in learning:
                table = seat.behaviour
            elif role not in sampling and not (
                isinstance(seat, TabularPlayer) and role not in schedule.learners
            ):
                table = require_table(role, self.players.kept(role))
            population.play_table(role, table)
        together = self.together and len(set(sampling)) == len(Role)
        responder = self.players.responder if responds and self.roles else None
        return population.play(schedule, draws, together, responder)

    def _parts(self, schedule: Schedule) -> Iterator[Schedule]:
        """Cut a schedule at the ends of cycles and of the iterations of exact learners."""
        begin, first_cycle = schedule.start, schedule.start // schedule.episodes
        while begin < schedule.stop:
            cycle, starts = begin // schedule.episodes, schedule.starts
            row, ends = cycle - first_cycle, [(cycle + 1) * schedule.episodes, schedule.stop]
            for seat in self._exact(cycle):
                learned, every = self._learned(schedule, begin, cycle), seat.algorithm.counts_as
                ends.append(begin + every - learned % every)
            stop = min(ends)
            at = slice(begin - schedule.start, stop - schedule.start)
            yield replace(
                schedule,
                start=begin,
                epsilons=schedule.epsilons[at],
                starts=None if starts is None else starts[row : row + 1],
                limit_pairs=None if schedule.limit_pairs is None else schedule.limit_pairs[at],
            )
            begin = stop

    def _learning(self, cycle: int) -> list[Role]:
        """Return the roles that learn in a cycle."""
        if self.together or not self.roles:
            return sorted(set(self.roles or ()))
        return [self.roles[cycle % 2]]

    def _learned(self, part: Schedule, episode: int, cycle: int) -> int:
        """Return how many of the episodes up to one in a cycle its learner learned from."""
        in_turn = len(set(self.roles or ())) == len(Role) and not self.together
        return episode - (cycle + 1) // 2 * part.episodes * in_turn

    def _exact(self, cycle: int) -> list[ExactPlayer]:
        """Return the exact learners that learn in a cycle."""
        seats = (self.players.learning[role] for role in self._learning(cycle))
        return [seat for seat in seats if isinstance(seat, ExactPlayer)]

    def _iterate(self, part: Schedule, responds: bool) -> None:
        """Let exact learners compute if they have waited long enough.

        Each is told what the other plays after this part, not its frozen table.
        """
        cycle = part.start // part.episodes
        learned, due = self._learned(part, part.stop, cycle), []
        for seat in self._exact(cycle):
            if learned % seat.algorithm.counts_as == 0:
                role = seat.role.other
                other = self.players.learning.get(role)
                player = other.behaviour if other else self.players.kept(role)
                due.append((seat, require_table(role, player)))
        for seat, opponent in due:
            seat.iterate(opponent)
        if responds and due:
            self.players.answer()


def _generator(draws: UniformStream) -> np.random.Generator:
    """Return the generator of a negotiation that is played turn by turn.

    It takes one number from the stream: so batches of any size give the same run.
    """
    block, position = draws.block(PLAIN, 1)
    draws.used_up_to(position + 1)
    return np.random.default_rng(int(block[position] * 2**53))


def _negotiate(
    scenario: Scenario,
    players: Sequence[SamplingPlayer | Player],
    opener: Role,
    epsilon: float,
    rng: np.random.Generator,
    learning: bool = True,
) -> Transcript:
    """Play one negotiation between two players, and let the learners learn from it.

    With hidden limits `scenario` is the game of those that were drawn.
    """
    told: list[Position] = []
    explored: list[bool] = []

    def choose(position: Position) -> int:
        player = players[position.role]
        if isinstance(player, SamplingPlayer):
            position = player.told(position)
            action, random = player.act(position, epsilon, rng)
        else:
            action, random = player.act(position, rng), False
        told.append(position)
        explored.append(random)
        return action

    transcript = play_out(scenario, opener, choose, explored)
    for role, player in zip(Role, players, strict=True):
        if learning and isinstance(player, SamplingPlayer):
            episode = _episode(transcript, role, told)
            if episode:
                player.learn(episode, epsilon, rng)
    return transcript


def _episode(transcript: Transcript, role: Role, told: Sequence[Position]) -> list[Transition]:
    """Return the decisions of a role; `told` are the positions of all turns."""
    price, turns = transcript.outcome.price, transcript.turns
    reward = 0.0 if price is None else transcript.scenario.reward(role, price)
    return [
        Transition(
            told[k],
            turns[k].action,
            0.0 if k + 2 < len(turns) else reward,
            told[k + 2] if k + 2 < len(turns) else None,
            turns[k + 1].action if k + 1 < len(turns) else None,
        )
        for k in range(0 if transcript.opener is role else 1, len(turns), 2)
    ]


def play_schedule(
    scenario: Scenario,
    players: Sequence[SamplingPlayer | Player],
    schedule: Schedule,
    rngs: Iterable[np.random.Generator],
    learning: bool = True,
) -> EpisodeBatch:
    """Play the episodes of a schedule, each with one of the generators.

    Opposite a player that does not learn, a learner keeps its policy at the start of each cycle.
    """
    counts = np.zeros((schedule.n_cycles, n_columns(scenario)), np.int64)
    seats = [player for player in players if isinstance(player, SamplingPlayer)]
    numbered = enumerate(schedule.epsilons.tolist(), schedule.start)
    for (episode, epsilon), rng in zip(numbered, rngs, strict=False):
        cycle, in_cycle = divmod(episode, schedule.episodes)
        if learning and in_cycle == 0 and len(seats) == 1:
            seats[0].keep()
        opener = schedule.opener_of(episode)
        game = schedule.game_of(scenario, episode)
        last = _negotiate(game, players, opener, epsilon, rng, learning)
        add_negotiation(counts[cycle - schedule.start // schedule.episodes], last)
    return EpisodeBatch(counts, last)
