"""The updates that a negotiation brought: each value that moved, and the numbers it comes from.

A learner's own `learn` is called again, on copies of its tables as they were before. So an update
has the bits of the loop.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import How
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import DISCOUNT, Episode, Legal, Row, best
from negotiation_tui.learning.ancestry import Opponent, TracedAnswer
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.layout import legal_in, legal_of
from negotiation_tui.learning.learning_player import LearningPlayer
from negotiation_tui.learning.population import TabularPlayer


class Update(NamedTuple):
    """The update of a value; amounts are rewards, as in the table."""

    role: Role
    turn: int  # the index of the turn that settles it
    decision: int  # the index of the turn that it values
    row: int  # of the table
    before: float
    after: float
    how: How | None = None  # None if it is not known
    old: float = 0.0  # that the step began from: `before`, unless that is a mean of tables
    amount: float = 0.0  # that the step goes toward, before its factor
    following: int | None = None  # the row whose value the step is taken toward


class _Write(NamedTuple):
    """A write of a learner to one of its tables."""

    table: int
    at: int
    old: float
    new: float


class _Watched(list[float]):
    """A table that appends each write to a log."""

    def __init__(self, table: list[float], number: int, log: list[_Write]) -> None:
        super().__init__(table)
        self._number, self._log = number, log

    def __setitem__(self, at: Any, new: Any) -> None:
        self._log.append(_Write(self._number, at, self[at], new))
        super().__setitem__(at, new)


class Teller:
    """Tells the updates of a training's next episode; made before it, with the tables of then."""

    def __init__(self, training: ConcurrentTraining) -> None:
        alone, learning = training.learner(training.cycle), training.learning
        learns = [role for role in learning if training.together or role is alone]
        self._training, self._parameters = training, training.parameters
        self._players = {role: player for role in learns if (player := _telling(learning[role]))}
        self._algorithms = {role: each.algorithm for role, each in self._players.items()}
        self._log: list[_Write] = []
        self.tables = {role: _copies(player, self._log) for role, player in self._players.items()}
        """Of the learners that tell, before the episode; after it once its updates were told."""
        self._drawers = [role for role in learns if _draws(learning[role])]
        self._opponents = {
            role: Opponent(training, role.other)
            for role, player in self._players.items()
            if isinstance(player.algorithm, QLearning)
            if self._parameters.expected_updates and not training.together
        }
        for opponent in self._opponents.values():
            opponent.note()

    def updates(self) -> tuple[Update, ...]:
        """Return the updates of the episode, in the order in which they are settled."""
        played = self._training.last_negotiation
        found = [u for role in self._players for u in self._of(role, played)] if played else []
        return tuple(sorted(found, key=lambda update: update.turn))

    def _of(self, role: Role, played: Transcript) -> Iterator[Update]:
        algorithm, parameters, game = self._algorithms[role], self._parameters, played.scenario
        own, draw = _decisions(played, role), 0.0
        if not own:
            return
        if algorithm.draws:
            after = [each for each in self._drawers if each > role and _decisions(played, each)]
            numbers = self._training.last_numbers
            if not numbers:
                return
            draw = numbers[-1 - len(after)]
        first = game.limit_index(role) * game.n_states
        states = [first + played.turns[k].state for k in own]
        actions = [played.turns[k].action for k in own]
        reward, epsilon = played.reward(role), self._training.epsilon
        episode = Episode(states, actions, len(own), reward, epsilon, draw, 0.0)
        alpha = algorithm.learning_rate or parameters.learning_rate
        settings = [alpha, parameters.discount_rate, *algorithm.settings[1:]]
        kinds = self._players[role].kinds
        legal = legal_in(lambda array: array.tolist(), legal_of(kinds, np.arange(len(kinds))))
        row, tables = Row([0] * legal.width, [0.0] * legal.width), self.tables[role]
        for first, part, mean in self._parts(role, played, episode, settings[DISCOUNT], legal):
            pairs = zip(part.states, part.actions, strict=True)
            entries = [state * legal.width + action for state, action in pairs]
            before = [tables[0][at] for at in entries]
            self._log.clear()
            algorithm.learn(tables, settings, legal, row, part)
            writes = [each for each in self._log if each.table in algorithm.moves]
            moved = {entries.index(each.at): each for each in writes if each.at in entries}
            for n in {**moved, **dict.fromkeys(range(part.n))}:
                at, k, how, amount = entries[n], first + n, How(0.0), 0.0
                last = k + 1 == len(own)
                write = moved.get(n, _Write(0, at, before[n], before[n]))
                if n in moved:
                    how = algorithm.how(settings, tables, at, last, write.new < write.old)
                    how = How(how.rate, 1.0, mean) if mean else how
                if how.rate and how.factor:
                    amount = (write.old + (write.new - write.old) / how.rate) / how.factor
                turn, following = len(played.turns) - 1, None
                if not (last or algorithm.at_end):
                    turn, following = own[k + 1], states[k + 1]
                yield Update(
                    *(role, turn, own[k], states[k], before[n], tables[0][at]),
                    *(how, write.old, amount, following),
                )

    def _parts(
        self, role: Role, played: Transcript, episode: Episode, discount: float, legal: Legal
    ) -> Iterator[tuple[int, Episode, str]]:
        """Yield the episode that a learner learns from, its first decision, and no name.

        With expected updates each decision is an episode. Its reward is what it moves toward:
        perhaps a mean over the answers that the other has, with a name.
        """
        if role not in self._opponents:
            yield 0, episode, ""
            return
        q, own = self.tables[role][0], _decisions(played, role)
        for k, (state, action) in enumerate(zip(episode.states, episode.actions, strict=True)):
            target, mean = episode.reward, ""
            if k + 1 < episode.n:
                target = discount * best(q, episode.states[k + 1], legal)
            if answers := self._opponents[role].answers(played, own[k]):
                mean = f"the mean over {len(answers)} answers:"
                target = self._mean(answers, role, played, own[k], discount, q, legal)
            yield k, episode._replace(states=[state], actions=[action], n=1, reward=target), mean

    def _mean(
        self, answers: Sequence[TracedAnswer], role: Role, played: Transcript, turn: int,
        discount: float, q: list[float], legal: Legal,
    ) -> float:  # fmt: skip
        game, total = played.scenario.seen_by(role), 0.0
        first = game.limit_index(role) * game.n_states
        for price, following, share in answers:
            if following is not None:
                total += share * (discount * best(q, first + following, legal))
            elif price is not None:
                total += share * game.reward(role, price, played.first_ply + turn)
        return total / len(answers)


def _telling(player: LearningPlayer) -> TabularPlayer | None:
    return player if isinstance(player, TabularPlayer) and player.algorithm.toward else None


def _copies(player: TabularPlayer, log: list[_Write]) -> list[_Watched]:
    return [_Watched(table.ravel().tolist(), n, log) for n, table in enumerate(player.tables)]


def _draws(player: LearningPlayer) -> bool:
    return isinstance(player, TabularPlayer) and player.algorithm.draws


def _decisions(played: Transcript, role: Role) -> list[int]:
    """Return the indices of the turns that a role learns from."""
    turns = enumerate(played.turns)
    return [k for k, turn in turns if turn.role is role and turn.state != NO_STATE]
