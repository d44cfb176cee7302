"""An example of your own learner: DQN, a network that estimates the value of each action.

negotiation-tui --seller learned:docs/my_learner.py --states opener-aware
negotiation-tui check docs/my_learner.py

It learns from random samples of its memory, and its targets come from an older copy of the
network. Mnih et al. 2015, algorithm 1. The network has one hidden layer.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from negotiation_tui import Learner, Position, Role, Scenario, Transition, features

Floats = np.ndarray[Any, np.dtype[np.float64]]


class DQN(Learner):
    def __init__(
        self,
        scenario: Scenario,
        role: Role,
        rng: np.random.Generator,
        hidden: int = 32,  # an argument with a default is a setting
        step: float = 0.003,
        batch: int = 32,
        memory: int = 2000,
        refresh: int = 50,
        discount: float = 0.99,
    ) -> None:
        super().__init__(scenario, role, rng)
        self.step, self.batch, self.refresh, self.discount = step, batch, refresh, discount
        n, m = len(features(Position(scenario, role))), scenario.n_actions
        shapes = (n, hidden), (hidden,), (hidden, m), (m,)
        self.weights = [rng.normal(0, shape[0] ** -0.5, shape) for shape in shapes]
        self.squares = [np.zeros(shape) for shape in shapes]  # mean squared gradients
        self.target = [each.copy() for each in self.weights]
        self.memory: deque[tuple[Floats, int, float, Floats, Floats]] = deque(maxlen=memory)
        self.negotiations = 0

    def values(self, position: Position) -> Floats:
        return self.network(self.weights, features(position))[1]

    def probabilities(self, position: Position) -> Floats:
        greedy = np.zeros(self.scenario.n_actions)
        greedy[np.argmax(self.values(position) + self.forbidden(position))] = 1
        return greedy

    def learn(self, episode: Sequence[Transition]) -> None:
        for each in episode:
            after, forbidden = each.next_position, np.full(self.scenario.n_actions, -np.inf)
            if after:
                forbidden = self.forbidden(after)
            x, y = features(each.position), features(after or each.position)
            self.memory.append((x, each.action, each.reward, y, forbidden))
        chosen = self.rng.integers(len(self.memory), size=self.batch)
        x, actions, rewards, y, forbidden = map(
            np.array, zip(*(self.memory[k] for k in chosen), strict=True)
        )
        best = (self.network(self.target, y)[1] + forbidden).max(axis=1)
        targets = rewards + self.discount * np.where(best > -np.inf, best, 0)
        hidden, values = self.network(self.weights, x)
        errors, rows = np.zeros(values.shape), np.arange(self.batch)
        errors[rows, actions] = np.clip(values[rows, actions] - targets, -1, 1) / self.batch
        back = errors @ self.weights[2].T * (hidden > 0)
        gradients = x.T @ back, back.sum(axis=0), hidden.T @ errors, errors.sum(axis=0)
        for k, gradient in enumerate(gradients):
            self.squares[k] += 0.05 * (gradient**2 - self.squares[k])  # RMSProp
            self.weights[k] -= self.step * gradient / (np.sqrt(self.squares[k]) + 1e-4)
        self.negotiations += 1
        if self.negotiations % self.refresh == 0:
            self.target = [each.copy() for each in self.weights]

    def state(self) -> dict[str, Floats]:
        return {f"weights_{k}": each for k, each in enumerate(self.weights)}

    def restore(self, state: dict[str, Floats]) -> None:
        self.weights = [state[f"weights_{k}"].copy() for k in range(4)]
        self.target = [each.copy() for each in self.weights]

    def forbidden(self, position: Position) -> Floats:
        penalties = np.full(self.scenario.n_actions, -np.inf)
        penalties[list(position.legal)] = 0
        return penalties

    @staticmethod
    def network(weights: list[Floats], x: Floats) -> tuple[Floats, Floats]:
        hidden = np.maximum(0, x @ weights[0] + weights[1])
        return hidden, hidden @ weights[2] + weights[3]
