"""Q-learning, the original's way of learning.

    Q(s, a) ← Q(s, a) + α·(r + γ·max Q(s', ·) − Q(s, a))

where s' is the learner's next state, after the opponent's answer.

Watkins 1989; Sutton and Barto 2018, section 6.5. `one_episode` is all of it, step by step.
`learning.loop` is the fast form, with results equal to the bit. `learn` is the update alone, for
episodes that were played turn by turn.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import AT_BEST, TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import DISCOUNT, RATE, Episode, Legal, Row, best
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.runtime.records import dataclass

QTable = list[list[float]]  # the value of each action in each state
Move = tuple[Role, int, bool]  # a role, its action, and True if it was tried at random


def one_episode(
    q: QTable,
    learner: Role,
    opponent: Callable[[Position], Sequence[int]],
    position: Position,
    parameters: Parameters,
    epsilon: float,
    draw: Callable[[], float],
) -> list[Move]:
    """Play a negotiation from a position on, learn from each decision, and return all moves.

    The opponent does not learn: it returns actions that it plays with equal probability. `draw`
    returns random numbers, uniform in [0, 1).
    """
    alpha, gamma = parameters.learning_rate, parameters.discount_rate
    moves: list[Move] = []

    def one_of(actions: Sequence[int]) -> int:
        return actions[int(draw() * len(actions))] if len(actions) > 1 else actions[0]

    def target(result: Position | float) -> float:
        return gamma * max(q[result.state]) if isinstance(result, Position) else result

    result: Position | float = position
    if position.role is not learner:  # the opponent opens
        action = one_of(opponent(position))
        moves.append((learner.other, action, False))
        result = after(position, action, learner)
    while isinstance(result, Position):
        # Choose: with probability ε any legal action, otherwise one of the best.
        state, legal, number = result.state, result.legal, draw()
        explores = number < epsilon
        if explores:
            action = legal[int(number * (ALMOST_ONE / epsilon) * len(legal))]
        else:
            action = one_of(best_actions(q, result))
        moves.append((learner, action, explores))
        # Let the opponent answer an offer. The next state s′ is the learner's, after that answer.
        result = after(result, action, learner)
        results = [result]
        if isinstance(result, Position):
            answers = opponent(result)
            answer = one_of(answers)
            moves.append((learner.other, answer, False))
            results = [after(result, each, learner) for each in answers]
            result = after(result, answer, learner)
        # Learn: Q[s,a] ← (1 − α)·Q[s,a] + α·(r + γ·max Q[s′,·]). Expected updates take the mean.
        learned_from = results if parameters.expected_updates else [result]
        mean = sum(map(target, learned_from)) / len(learned_from)
        q[state][action] = (1 - alpha) * q[state][action] + alpha * mean
    return moves


def best_actions(q: QTable, position: Position) -> list[int]:
    """Return the legal actions of the greatest value."""
    row, legal = q[position.state], position.legal
    return [action for action in legal if row[action] == max(row[other] for other in legal)]


def after(position: Position, action: int, learner: Role) -> Position | float:
    """Return the other's position after an offer; at the end the learner's reward."""
    scenario, standing = position.scenario, position.standing_offer
    if action < scenario.accept:
        price, round_ = scenario.prices[action], position.ply // 2
        other, opened = position.role.other, not position.opened
        return Position(scenario, other, round_, standing, price, opened)
    if action == scenario.accept and standing is not None:
        return scenario.reward(learner, standing, position.ply - 1)
    return 0.0


def learn(tables: Any, settings: Any, legal: Legal, row: Row, episode: Episode) -> None:
    q, rate, discount = tables[0], settings[RATE], settings[DISCOUNT]
    for k in range(episode.n):
        at = episode.states[k] * legal.width + episode.actions[k]
        target = episode.reward
        if k + 1 < episode.n:
            target = discount * best(q, episode.states[k + 1], legal) - episode.cost
        q[at] = q[at] * (1 - rate) + rate * target


@dataclass(frozen=True)
class QLearning(TabularAlgorithm):
    name: ClassVar[str] = "q-learning"
    summary: ClassVar[str] = "values actions by the best that can follow: the original's learner"
    source: ClassVar[str] = "Watkins 1989; Sutton and Barto 2018, section 6.5"
    learn = staticmethod(learn)
    toward: ClassVar[str] = AT_BEST


Q_LEARNING = QLearning()  # plain Q-learning, with the settings of the training
