"""One negotiation at a time, turn by turn: for what no inner loop can play.

So play strategies that depend on the whole history of offers or whose table would be too large,
and learners that are objects. The seats of the built-in learners learn here as in their loops.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.population import EpisodeBatch
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.seats.base import TryingSeat
from negotiation_tui.learning.statistics import add_negotiation, n_columns

Players = Sequence[TryingSeat | Player]
"""Seller and buyer; a seat learns from each negotiation."""


def play_turn_by_turn(
    scenario: Scenario,
    players: Players,
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
        if isinstance(player, TryingSeat):
            position = player.told(position)
            action, random = player.act(position, epsilon, rng)
        else:
            action, random = player.act(position, rng), False
        told.append(position)
        explored.append(random)
        return action

    transcript = play_out(scenario, opener, choose, explored)
    for role, player in zip(Role, players, strict=True):
        if learning and isinstance(player, TryingSeat):
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
    players: Players,
    schedule: Schedule,
    rngs: Iterable[np.random.Generator],
    learning: bool = True,
) -> EpisodeBatch:
    """Play the episodes of a schedule, each with one of the generators.

    A learner opposite a player that does not learn is frozen at the start of its cycles.
    """
    counts = np.zeros((schedule.n_cycles, n_columns(scenario)), np.int64)
    seats = [player for player in players if isinstance(player, TryingSeat)]
    numbered = enumerate(schedule.epsilons.tolist(), schedule.start)
    for (episode, epsilon), rng in zip(numbered, rngs, strict=False):
        cycle, in_cycle = divmod(episode, schedule.episodes)
        if learning and in_cycle == 0 and len(seats) == 1:
            seats[0].freeze()
        opener = schedule.opener_of(episode)
        game = schedule.game_of(scenario, episode)
        last = play_turn_by_turn(game, players, opener, epsilon, rng, learning)
        add_negotiation(counts[cycle - schedule.start // schedule.episodes], last)
    return EpisodeBatch(counts, last)
