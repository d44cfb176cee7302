"""The updates that a negotiation brought: each value that moved, and the numbers it comes from.

A learner's own `learn` is called again, on copies of its tables as they were before. So an update
has the bits of the loop.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.algorithms.rows import DISCOUNT, Episode, How, Legal, Row, best
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


ValueStep = tuple[int, float, How, float, float]
"""A decision, its value before, the step, and the number that it moves, before and after."""


class _Watched(list[float]):
    """A table whose writes are noted."""

    def __init__(self, table: list[float], note: Callable[[int, float, float], None]) -> None:
        super().__init__(table)
        self._note = note

    def __setitem__(self, at: Any, new: Any) -> None:
        old = self[at]
        super().__setitem__(at, new)
        self._note(at, old, new)


class Teller:
    """Tells the updates of a training's next episode; made before it, with the tables of then."""

    def __init__(self, training: ConcurrentTraining) -> None:
        alone, learning = training.learner(training.cycle), training.learning
        learns = [role for role in learning if training.together or role is alone]
        self._training, self._parameters = training, training.parameters
        self._players = {role: player for role in learns if (player := _telling(learning[role]))}
        self._algorithms = {role: each.algorithm for role, each in self._players.items()}
        self.tables = {
            role: [table.ravel().tolist() for table in player.tables]
            for role, player in self._players.items()
        }
        """Of the learners that tell, before the episode; after it once its updates were told."""
        self._drawers = [role for role in learns if _draws(learning[role])]
        self._opponents = {
            role: Opponent(training, role.other)
            for role, player in self._players.items()
            if isinstance(player.algorithm, QLearning) and not training.together
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
        learned = self._expected if role in self._opponents else self._learned
        for k, before, how, old, new in learned(role, played, episode, settings, legal):
            last, table = len(played.turns) - 1, self.tables[role][0]
            turn = last if algorithm.at_end or k + 1 == len(own) else own[k + 1]
            amount = (old + (new - old) / how.rate) / how.factor if how.rate and how.factor else 0.0
            following = states[k + 1] if k + 1 < len(own) and not algorithm.at_end else None
            at = states[k] * legal.width + actions[k]
            yield Update(
                role, turn, own[k], states[k], before, table[at], how, old, amount, following
            )

    def _learned(
        self, role: Role, _: Transcript, episode: Episode, settings: list[float], legal: Legal
    ) -> Iterator[ValueStep]:
        """Learn, and yield the step of each decision: several tables may move for it."""
        algorithm, tables = self._algorithms[role], self.tables[role]
        width, q = legal.width, self.tables[role][0]
        entries = [episode.states[k] * width + episode.actions[k] for k in range(episode.n)]
        before, moved = [q[at] for at in entries], dict[int, tuple[How, float, float]]()

        def note(table: int, at: int, old: float, new: float) -> None:
            if table in algorithm.moves and at in entries:
                k = entries.index(at)
                how = algorithm.how(watched, settings, legal, episode, k, new < old)  # type: ignore
                moved[k] = how, old, new

        watched = [_Watched(table, partial(note, n)) for n, table in enumerate(tables)]
        algorithm.learn(watched, settings, legal, Row([0] * width, [0.0] * width), episode)
        tables[:] = map(list, watched)
        for k in {**moved, **dict.fromkeys(range(episode.n))}:
            how, old, new = moved.get(k, (How(0.0), before[k], before[k]))
            yield k, before[k], how, old, new

    def _expected(
        self, role: Role, played: Transcript, episode: Episode, settings: list[float], legal: Legal
    ) -> Iterator[ValueStep]:
        """Learn decision by decision, perhaps from means over the answers that the other has."""
        algorithm, tables, q = self._algorithms[role], self.tables[role], self.tables[role][0]
        own, row = _decisions(played, role), Row([0] * legal.width, [0.0] * legal.width)
        for k in range(episode.n):
            how = algorithm.how(tables, settings, legal, episode, k, False)  # type: ignore
            target = episode.reward
            if k + 1 < episode.n:
                target = settings[DISCOUNT] * best(q, episode.states[k + 1], legal)
            answers = self._opponents[role].answers(played, own[k])
            if answers:
                how = How(how.rate, 1.0, f"the mean over {len(answers)} answers:")
                target = self._mean(answers, role, played, own[k], settings[DISCOUNT], q, legal)
            state, action = episode.states[k], episode.actions[k]
            one = Episode([state], [action], 1, target, episode.epsilon, 0.0, 0.0)
            at = state * legal.width + action
            old = q[at]
            algorithm.learn(tables, settings, legal, row, one)
            yield k, old, how, old, q[at]

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
    tells = isinstance(player, TabularPlayer) and player.algorithm.how is not None
    return player if tells and isinstance(player, TabularPlayer) else None


def _draws(player: LearningPlayer) -> bool:
    return isinstance(player, TabularPlayer) and player.algorithm.draws


def _decisions(played: Transcript, role: Role) -> list[int]:
    """Return the indices of the turns that a role learns from."""
    turns = enumerate(played.turns)
    return [k for k, turn in turns if turn.role is role and turn.state != NO_STATE]
