"""Random policies whose actions have probabilities of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from negotiation_tui import Position, Role, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.strategies.base import Dependency, Strategy


def random_probabilities(scenario: Scenario, role: Role, rng: np.random.Generator) -> Floats:
    """Rows of every kind: certain, uniform over some actions, and with weights of their own."""
    legal = legal_rows(scenario, role)
    weights = np.where(legal, rng.exponential(size=legal.shape), 0.0)
    weights *= rng.random(legal.shape) < 0.7
    kind = rng.integers(0, 3, len(legal))
    weights[kind == 0] = weights[kind == 0] > 0
    empty = ~weights.any(axis=1)
    weights[empty] = legal[empty]
    dense: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return dense


def random_policy(scenario: Scenario, role: Role, rng: np.random.Generator) -> TabularPolicy:
    return TabularPolicy.of_probabilities(scenario, role, random_probabilities(scenario, role, rng))


@dataclass(frozen=True)
class Mixed(Strategy):
    """A strategy with random probabilities, as a table or turn by turn."""

    name: ClassVar[str] = "mixed"
    summary: ClassVar[str] = "draws from random probabilities"
    source: ClassVar[str] = "here"
    seed: int
    has_table: bool = True

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"time", "opener"} if self.has_table else {"history"})

    def policy(self, scenario: Scenario, role: Role) -> TabularPolicy:
        return random_policy(scenario, role, np.random.default_rng(self.seed))

    def support(self, position: Position) -> Sequence[int]:
        return self.policy(position.scenario, position.role).support(position)

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        return self.policy(scenario, role) if self.has_table else None

    def act(self, position: Position, rng: np.random.Generator) -> int:
        return self.policy(position.scenario, position.role).act(position, rng)


@dataclass(frozen=True)
class Known(Mixed):
    """A strategy that plays a policy."""

    known: TabularPolicy = field(kw_only=True)

    def policy(self, _scenario: Scenario, _role: Role) -> TabularPolicy:
        return self.known
