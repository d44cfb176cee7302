"""Episodes of a training with players of any kind. A schedule is played in one of three ways.

- In the loop, if both roles have tables and neither computes. Random numbers: those of `draws`.
- Turn by turn, if a strategy without a table plays a Q-learner or a strategy. Random numbers: those
  of `draws.rng`, from which `draws` are drawn ahead (`random_streams`: `training`).
- In parts, if a player computes between cycles, or another learner has no table while it learns.
  Each part is played in the loop by `draws`, or turn by turn with one generator per negotiation,
  whose seed is the next number of `draws`.

While a role learns in turn, the other plays the table that it kept at the start of its own last
cycle (`Players.kept`, in the loop the rows at `loop.KEPT`). Roles that learn together play by all
that they know. The strategy `best-response` plays its answer to the learner's policy at the start
of the cycle (`Players.answer`). An exact learner, such as `best-response-dynamics`, computes by
the policy that the other has now (`_iterate`).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
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
from negotiation_tui.strategies.matchup import require_table

Seated = Sequence[SamplingPlayer | Player]  # seller first


def play_episodes(players: Players, schedule: Schedule, draws: UniformStream) -> EpisodeBatch:
    """Play the episodes of a schedule, and let the learners learn from each."""
    if players.stale:
        players.answer()
    scenario, learning = players.scenario, players.learning_roles or ()
    seated, responds = _seated(players, learning), players.responder is not None
    computes = any(responds or isinstance(players.learning[role], ExactPlayer) for role in learning)
    if _have_tables(seated) and not computes:
        return _in_loop(players, schedule, draws, seated)
    if not responds and len(_q_learners(players)) == len(players.learning):
        seated = _seated(players, learning or _q_learners(players))
        return play_turn_by_turn(scenario, seated, schedule, repeat(draws.rng), bool(learning))
    return _in_parts(players, schedule, draws)


def _seated(players: Players, learning: Collection[Role]) -> Seated:
    """Return who plays while some roles learn: learners that learn by playing, and tables."""
    seated: list[SamplingPlayer | Player] = []
    for role in Role:
        learner = players.learning.get(role)
        if learner is None or role not in learning:
            seated.append(players.kept(role))
        else:
            seated.append(learner if isinstance(learner, SamplingPlayer) else learner.behaviour)
    return seated


def _q_learners(players: Players) -> list[Role]:
    """Return the roles of Q-learners: turn by turn they are asked even if no role learns."""
    learners = players.learning.items()
    return [role for role, each in learners if isinstance(each.algorithm, QLearning)]


def _have_tables(seated: Seated) -> bool:
    return all(isinstance(each, TabularPolicy | TabularPlayer) for each in seated)


# In the loop.


def _in_loop(
    players: Players, schedule: Schedule, draws: UniformStream, seated: Seated
) -> EpisodeBatch:
    for role, player in zip(Role, seated, strict=True):
        # A learner that does not learn plays the rows that it kept, unless it leads.
        learner = players.learning.get(role)
        rests = isinstance(learner, TabularPlayer) and role not in schedule.learners
        table = player if isinstance(player, TabularPolicy) and not rests else None
        players.population.play_table(role, table)
    both = players.together and all(isinstance(each, TabularPlayer) for each in seated)
    return players.population.play(schedule, draws, both)


# Turn by turn.


def play_turn_by_turn(
    scenario: Scenario,
    seated: Seated,
    schedule: Schedule,
    rngs: Iterable["np.random.Generator"],
    learning: bool = True,
) -> EpisodeBatch:
    """Play the episodes of a schedule, each with one of the generators.

    Opposite a player that does not learn, a learner keeps its policy at the start of each cycle.
    """
    counts = np.zeros((schedule.n_cycles, n_columns(scenario)), np.int64)
    learners = [player for player in seated if isinstance(player, SamplingPlayer)]
    numbered = enumerate(schedule.epsilons.tolist(), schedule.start)
    for (episode, epsilon), rng in zip(numbered, rngs, strict=False):
        cycle, in_cycle = divmod(episode, schedule.episodes)
        if learning and in_cycle == 0 and len(learners) == 1:
            learners[0].keep()
        opener = schedule.opener_of(episode)
        game = schedule.game_of(scenario, episode)
        last = _negotiate(game, seated, opener, epsilon, rng, learning)
        add_negotiation(counts[cycle - schedule.start // schedule.episodes], last)
    return EpisodeBatch(counts, last)


def _negotiate(
    scenario: Scenario,
    seated: Seated,
    opener: Role,
    epsilon: float,
    rng: "np.random.Generator",
    learning: bool,
) -> Transcript:
    """Play one negotiation between two players, and let the learners learn from it."""
    positions: list[Position] = []
    explored: list[bool] = []

    def choose(position: Position) -> int:
        player = seated[position.role]
        if isinstance(player, SamplingPlayer):
            position = player.seen(position)
            action, random = player.act(position, epsilon, rng)
        else:
            action, random = player.act(position, rng), False
        positions.append(position)
        explored.append(random)
        return action

    transcript = play_out(scenario, opener, choose, explored)
    tell_end(seated, transcript)
    for role, player in zip(Role, seated, strict=True):
        if learning and isinstance(player, SamplingPlayer):
            episode = _episode(transcript, role, positions)
            if episode:
                player.learn(episode, epsilon, rng)
    return transcript


def _episode(transcript: Transcript, role: Role, positions: Sequence[Position]) -> list[Transition]:
    """Return the decisions of a role; `positions` are the positions of all turns."""
    turns, reward = transcript.turns, transcript.reward(role)
    return [
        Transition(
            positions[k],
            turns[k].action,
            0.0 if k + 2 < len(turns) else reward,
            positions[k + 2] if k + 2 < len(turns) else None,
            turns[k + 1].action if k + 1 < len(turns) else None,
        )
        for k in range(0 if transcript.opener is role else 1, len(turns), 2)
    ]


# In parts.


def _in_parts(players: Players, schedule: Schedule, draws: UniformStream) -> EpisodeBatch:
    scenario, first = players.scenario, schedule.start // schedule.episodes
    counts = np.zeros((schedule.n_cycles, n_columns(scenario)), np.int64)
    for part in _parts(players, schedule):
        cycle, in_cycle = divmod(part.start, part.episodes)
        if in_cycle == 0:
            players.answer()
            for each in () if players.together else _exact(players, cycle):
                each.keep()  # others keep theirs where they are played
        learning = _learning(players, cycle)
        seated = _seated(players, learning or _q_learners(players))
        if _have_tables(seated):
            batch = _in_loop(players, part, draws, seated)
        else:
            rngs = _generators(draws)
            batch = play_turn_by_turn(scenario, seated, part, rngs, bool(learning))
        counts[cycle - first] += batch.counts[0]
        _iterate(players, part)
    return batch._replace(counts=counts)


def _parts(players: Players, schedule: Schedule) -> Iterator[Schedule]:
    """Cut a schedule at the ends of cycles and of the iterations of exact learners.

    A learner that learns by playing leads each part; if there is none, no role explores.
    """
    start, episodes = schedule.start, schedule.episodes
    while start < schedule.stop:
        cycle = start // episodes
        learned, exact = _learned(players, schedule, start, cycle), _exact(players, cycle)
        iterations = [each.algorithm.counts_as for each in exact]
        ends = [start + every - learned % every for every in iterations]
        stop = min(schedule.stop, (cycle + 1) * episodes, *ends)
        part, leader = schedule.part(start, stop), schedule.learners[cycle % 2]
        if len(exact) == len(_learning(players, cycle)):
            part = replace(part, epsilons=np.zeros_like(part.epsilons))
        elif leader in (each.role for each in exact):
            leader = leader.other
        yield replace(part, learners=(leader, leader))
        start = stop


def _generators(draws: UniformStream) -> Iterator["np.random.Generator"]:
    """Yield a generator per negotiation, each from one number of the stream."""
    while True:
        block, position = draws.block(PLAIN, 1)
        draws.used_up_to(position + 1)
        yield np.random.default_rng(int(block[position] * 2**53))


def _learning(players: Players, cycle: int) -> list[Role]:
    if players.learning_roles is None:
        return []
    return list(Role) if players.together else [players.learning_roles[cycle % 2]]


def _learned(players: Players, part: Schedule, episode: int, cycle: int) -> int:
    """Return how many of the episodes up to one in a cycle its learner learned from."""
    in_turn = len(set(players.learning_roles or ())) == len(Role) and not players.together
    return episode - (cycle + 1) // 2 * part.episodes * in_turn


def _exact(players: Players, cycle: int) -> list[ExactPlayer]:
    seats = (players.learning[role] for role in _learning(players, cycle))
    return [seat for seat in seats if isinstance(seat, ExactPlayer)]


def _iterate(players: Players, part: Schedule) -> None:
    """Let exact learners that waited long enough answer what is played after this part."""
    cycle = part.start // part.episodes
    learned = _learned(players, part, part.stop, cycle)
    due = [each for each in _exact(players, cycle) if learned % each.algorithm.counts_as == 0]
    opponents = []
    for role in [each.role.other for each in due]:
        learner = players.learning.get(role)
        player = learner.behaviour if learner else players.kept(role)
        opponents.append(require_table(role, player))
    for each, opponent in zip(due, opponents, strict=True):
        each.iterate(opponent)
    if due:
        players.answer()
