"""Episodes of a training with players of any kind.

The loop plays learners with tables and other tables, also those of exact learners, which compute
between episodes. Learners that are objects and strategies without a table play turn by turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, play_out, tell_end
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN, UniformStream
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learning_player import SamplingPlayer
from negotiation_tui.learning.players import ExactPlayer, Players
from negotiation_tui.learning.population import EpisodeBatch, TabularPlayer
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import add_negotiation, n_columns
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.matchup import require_table


def play_episodes(
    players: Players, schedule: Schedule, draws: UniformStream, rng: np.random.Generator
) -> EpisodeBatch:
    """Play episodes: plain Q-learners turn by turn with `rng`, others with draws of `draws`."""
    learners, roles = players.learning, players.learning_roles or ()
    players.respond()
    responder = players.responder
    plain = not players.together and all(
        isinstance(each.algorithm, QLearning) for each in learners.values()
    )
    computes = any(isinstance(learners[role], ExactPlayer) for role in roles)
    seated = [_player(players, role, role in roles) for role in Role]
    if _all_in_loop(seated) and not computes and (responder is None or not roles):
        return _by_loop(players, schedule, draws, seated)
    game, rest, alone = players.scenario, plain and not roles, plain and responder is None
    counts = np.zeros((schedule.n_cycles, n_columns(game)), np.int64)
    for part in _parts(players, schedule):
        cycle, in_cycle = divmod(part.start, part.episodes)
        if in_cycle == 0 and responder is not None:
            players.answer()
        for each in _exact(players, cycle) if in_cycle == 0 and not players.together else ():
            each.keep()  # others keep theirs where they are played
        learning = _learning(players, cycle)
        seated = [_player(players, role, rest or role in learning) for role in Role]
        sampling = [role for role in learning if isinstance(seated[role], SamplingPlayer)]
        leader = part.learners[cycle % 2]
        if sampling and leader not in sampling:
            leader = sampling[0]
        part = replace(part, learners=(leader, leader))  # noqa: PLW2901 - the same part
        if _all_in_loop(seated):
            batch = _by_loop(players, part, draws, seated)
        else:
            rngs = repeat(rng) if alone else map(_generator, repeat(draws))
            batch = play_schedule(game, seated, part, rngs, players.learning_roles is not None)
        counts[cycle - schedule.start // schedule.episodes] += batch.counts[0]
        _iterate(players, part)
    return EpisodeBatch(counts, batch.transcript)


def _player(players: Players, role: Role, learns: bool) -> SamplingPlayer | ReadyPlayer:
    """Return the learner of a role if it learns by playing, otherwise what the role plays."""
    seat = players.learning.get(role)
    if seat is None or not learns:
        return players.kept(role)
    return seat if isinstance(seat, SamplingPlayer) else seat.behaviour


def _by_loop(
    players: Players,
    schedule: Schedule,
    draws: UniformStream,
    seated: Sequence[SamplingPlayer | ReadyPlayer],
) -> EpisodeBatch:
    """Let the loop play learners with tables, and other tables."""
    population = players.population
    learn = [isinstance(each, TabularPlayer) for each in seated]
    for role, player in zip(Role, seated, strict=True):
        # A learner that does not learn plays the rows that it kept, unless it leads.
        rests = isinstance(players.learning.get(role), TabularPlayer)
        rests &= role not in schedule.learners
        if rests or isinstance(player, SamplingPlayer):
            population.play_table(role, None)
        else:
            population.play_table(role, require_table(role, player))
    if not any(learn):  # exact learners do not explore
        none = np.zeros_like(schedule.epsilons)
        schedule = replace(schedule, epsilons=none, expected=False)
    return population.play(schedule, draws, players.together and all(learn))


def _parts(players: Players, schedule: Schedule) -> Iterator[Schedule]:
    """Cut a schedule at the ends of cycles and of the iterations of exact learners."""
    begin, first_cycle = schedule.start, schedule.start // schedule.episodes
    while begin < schedule.stop:
        cycle, starts = begin // schedule.episodes, schedule.starts
        row, ends = cycle - first_cycle, [(cycle + 1) * schedule.episodes, schedule.stop]
        for seat in _exact(players, cycle):
            learned, every = _learned(players, schedule, begin, cycle), seat.algorithm.counts_as
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


def _learning(players: Players, cycle: int) -> list[Role]:
    """Return the roles that learn in a cycle."""
    if players.together or not players.learning_roles:
        return sorted(set(players.learning_roles or ()))
    return [players.learning_roles[cycle % 2]]


def _learned(players: Players, part: Schedule, episode: int, cycle: int) -> int:
    """Return how many of the episodes up to one in a cycle its learner learned from."""
    in_turn = len(set(players.learning_roles or ())) == len(Role) and not players.together
    return episode - (cycle + 1) // 2 * part.episodes * in_turn


def _exact(players: Players, cycle: int) -> list[ExactPlayer]:
    """Return the exact learners that learn in a cycle."""
    seats = (players.learning[role] for role in _learning(players, cycle))
    return [seat for seat in seats if isinstance(seat, ExactPlayer)]


def _iterate(players: Players, part: Schedule) -> None:
    """Let exact learners that waited long enough answer what is played after this part."""
    cycle = part.start // part.episodes
    learned, due = _learned(players, part, part.stop, cycle), []
    for seat in _exact(players, cycle):
        if learned % seat.algorithm.counts_as == 0:
            role = seat.role.other
            other = players.learning.get(role)
            player = other.behaviour if other else players.kept(role)
            due.append((seat, require_table(role, player)))
    for seat, opponent in due:
        seat.iterate(opponent)
    if due and players.responder is not None:
        players.answer()


def _all_in_loop(players: Sequence[SamplingPlayer | ReadyPlayer]) -> bool:
    return all(isinstance(each, TabularPolicy | TabularPlayer) for each in players)


def _generator(draws: UniformStream) -> np.random.Generator:
    """Return a generator for one negotiation, which takes one number from the stream."""
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
    """Play one negotiation between two players, and let the learners learn from it."""
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
    tell_end(players, transcript)
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
