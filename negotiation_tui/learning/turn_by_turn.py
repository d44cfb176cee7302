"""Training against a strategy without a table: one negotiation at a time, turn by turn.

The learning is that of `kernel`, for strategies that depend on the whole history of offers or
whose table would be too large. The arrays of a learner have the inner loop's form, so that each
can continue where the other stopped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import EpisodeBatch
from negotiation_tui.learning.kernel import ALMOST_ONE, N_STATISTICS
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import add_outcome
from negotiation_tui.strategies.base import Strategy


@dataclass
class Learner:
    """A learner that explores with probability ε and learns when the negotiation is over."""

    scenario: Scenario
    role: Role
    seat: SeatArrays
    epsilon: float

    def __post_init__(self) -> None:
        self._decisions: list[tuple[int, int]] = []
        self._explored: list[bool] = []

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Return a random legal action or one of the best."""
        seat, state = self.seat, position.state
        at, draw = state * self.scenario.n_actions, float(rng.random())
        explores = draw < self.epsilon
        if explores:
            legal = self.scenario.legal_actions(state, self.role)
            action = legal[int(draw * (ALMOST_ONE / self.epsilon) * len(legal))]
        else:
            n = int(seat.n_actions[state])
            action = int(seat.actions[at + (int(rng.random() * n) if n > 1 else 0)])
        self._decisions.append((state, action))
        self._explored.append(explores)
        return action

    def learn(self, transcript: Transcript) -> None:
        """Update the entry of each of its decisions, in order."""
        price = transcript.outcome.price
        reward = 0.0 if price is None else self.scenario.reward(self.role, price)
        next_states = [state for state, _ in self._decisions[1:]]
        discount_rate = float(self.seat.discount_rates[0])
        for (state, action), next_state in zip(self._decisions, next_states, strict=False):
            self._update(state, action, discount_rate * float(self.seat.best[next_state]))
        self._update(*self._decisions[-1], reward)

    def explored(self, transcript: Transcript) -> list[bool]:
        """Return for each turn of the negotiation if it was this learner's exploration."""
        explored = iter(self._explored)
        return [turn.role is self.role and next(explored) for turn in transcript.turns]

    def _update(self, state: int, action: int, target: float) -> None:
        seat, at = self.seat, state * self.scenario.n_actions
        rate = float(seat.learning_rates[0])
        seat.q[at + action] = seat.q[at + action] * (1 - rate) + rate * target
        legal = self.scenario.legal_actions(state, self.role)
        top = max(float(seat.q[at + a]) for a in legal)
        greedy = [a for a in legal if seat.q[at + a] == top]
        seat.best[state], seat.n_actions[state] = top, len(greedy)
        seat.actions[at : at + len(greedy)] = greedy
        seat.changed[0] = len(seat.changed)  # the inner loop then looks at every row


def freeze(seat: SeatArrays) -> None:
    """Save a learner's policy at the start of its cycle, to be played frozen in the next."""
    seat.frozen_n_actions[:] = seat.n_actions
    seat.frozen_actions[:] = seat.actions
    seat.changed[0] = 0


def play_turn_by_turn(
    scenario: Scenario, players: tuple[Player, Player], opener: Role, rng: np.random.Generator
) -> Transcript:
    """Play one negotiation between two players, and let a learner learn from it."""
    transcript = play_out(scenario, opener, lambda at: players[at.role].act(at, rng))
    for player in players:
        if isinstance(player, Learner):
            player.learn(transcript)
            marked = zip(transcript.turns, player.explored(transcript), strict=True)
            turns = tuple(replace(turn, explored=explored) for turn, explored in marked)
            return replace(transcript, turns=turns)
    return transcript


def play_schedule(
    scenario: Scenario,
    players: Sequence[Strategy | SeatArrays],
    schedule: Schedule,
    rng: np.random.Generator,
) -> EpisodeBatch:
    """Play the episodes of a schedule between two strategies, or a strategy and a learner."""
    counts = np.zeros((schedule.n_cycles, N_STATISTICS), np.int64)
    for episode, epsilon in enumerate(schedule.epsilons.tolist(), schedule.start):
        cycle, in_cycle = divmod(episode, schedule.episodes)
        learner = players[schedule.learners[cycle % 2]]
        if in_cycle == 0 and isinstance(learner, SeatArrays):
            freeze(learner)
        seller, buyer = (
            Learner(scenario, role, player, epsilon) if isinstance(player, SeatArrays) else player
            for role, player in zip(Role, players, strict=True)
        )
        last = play_turn_by_turn(scenario, (seller, buyer), schedule.opener_of(episode), rng)
        add_outcome(counts[cycle - schedule.start // schedule.episodes], last.outcome)
    return EpisodeBatch(counts, last)
