"""The Q-learner in a seat, as the inner loop of `kernel` takes it."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.algorithms.base import Floats
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.backend import PLAIN, Backend, greedy_policy, learner_seat
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import ALMOST_ONE
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.learner import Transition
from negotiation_tui.learning.learner_loop import TableRows
from negotiation_tui.learning.seats.base import Arrays, TryingSeat
from negotiation_tui.learning.training_state import COPIES


class QSeat(TryingSeat):
    """A Q-learner; `seat` holds its tables."""

    def __init__(
        self, algorithm: QLearning, scenario: Scenario, role: Role, parameters: Parameters
    ) -> None:
        super().__init__(algorithm, scenario, role)
        rate = algorithm.learning_rate or parameters.learning_rate
        seat = learner_seat(scenario, role, replace(parameters, learning_rate=rate))
        self.seat: SeatArrays = PLAIN.seat(seat)

    def at_rest(self, backend: Backend) -> "QSeat":
        """Return a learner that shares these tables and does not learn."""
        other = copy(self)
        other.seat = self.seat._replace(
            learning_rates=backend.row(np.zeros(len(self.seat.learning_rates)))
        )
        return other

    def use(self, backend: Backend) -> None:
        self.seat = backend.seat(self.seat)

    @property
    def policy(self) -> TabularPolicy:
        return greedy_policy(self.scenario, self.seat)

    @property
    def frozen_policy(self) -> TabularPolicy:
        return greedy_policy(self.scenario, self.seat, frozen=True)

    def freeze(self) -> None:
        """Keep the present policy. The inner loop does it by itself at the start of a cycle."""
        self.seat.frozen_n_actions[:] = self.seat.n_actions
        self.seat.frozen_actions[:] = self.seat.actions
        self.seat.changed[0] = 0

    def act(self, position: Position, epsilon: float, rng: np.random.Generator) -> tuple[int, bool]:
        seat, state = self.seat, position.row
        draw = float(rng.random())
        if draw < epsilon:
            legal = position.legal
            return legal[int(draw * (ALMOST_ONE / epsilon) * len(legal))], True
        n = int(seat.n_actions[state])
        k = int(rng.random() * n) if n > 1 else 0
        return int(seat.actions[state * self.scenario.n_actions + k]), False

    def learn(
        self, episode: Sequence[Transition], _epsilon: float, _rng: np.random.Generator, /
    ) -> None:
        """Update the entry of each decision, in order."""
        discount_rate = float(self.seat.discount_rates[0])
        for each in episode:
            target, following = each.reward, each.next_position
            if following is not None:
                target = discount_rate * float(self.seat.best[following.row])
            self._update(each.position, each.action, target)

    def _update(self, position: Position, action: int, target: float) -> None:
        seat, state, legal = self.seat, position.row, position.legal
        at = state * self.scenario.n_actions
        rate = float(seat.learning_rates[0])
        seat.q[at + action] = seat.q[at + action] * (1 - rate) + rate * target
        top = max(float(seat.q[at + a]) for a in legal)
        tops = [a for a in legal if seat.q[at + a] == top]
        seat.best[state], seat.n_actions[state] = top, len(tops)
        seat.actions[at : at + len(tops)] = tops
        seat.changed[0] = len(seat.changed)  # the inner loop then looks at every row

    @property
    def values(self) -> Floats:
        return np.array(self.seat.q, np.float64).reshape(-1, self.scenario.n_actions)

    @property
    def arrays(self) -> Arrays:
        return {"q": self.values}

    def restore(self, arrays: Arrays) -> None:
        self.seat.q[:] = arrays["q"].ravel()
        self.refresh()

    def refresh(self) -> None:
        """Make the policy greedy again after the Q-table was changed from outside."""
        policy = greedy(self.scenario, self.role, self.values)
        tops = self.values[np.arange(len(self.values)), policy.actions[:, 0]]
        self.seat.best[:] = np.where(policy.n_actions > 0, tops, 0.0)
        self.seat.actions[:] = policy.actions.ravel()
        self.seat.n_actions[:] = policy.n_actions
        self.seat.changed[0] = len(self.seat.changed)  # the inner loop then looks at every row

    def go_on_from(self, table: TableRows) -> None:
        """Go on after `learner_loop` has changed the Q-table and frozen this policy."""
        self.seat.frozen_actions[:] = table.actions
        self.seat.frozen_n_actions[:] = table.n_actions
        self.refresh()

    def state(self) -> Arrays:
        copies = COPIES.seat(self.seat)._asdict()
        return {name: each for name, each in copies.items() if isinstance(each, np.ndarray)}

    def go_to(self, state: Arrays) -> None:
        copies: dict[str, Any] = {name: each.copy() for name, each in state.items()}
        self.seat = self.seat._replace(**copies)
