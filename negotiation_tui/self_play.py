"""What a training in self-play comes to, as a strategy for either seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from negotiation_tui.learning import ConcurrentTraining
from negotiation_tui.learning.backend import fastest_backend
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.negotiation import Position
from negotiation_tui.policy import Policy, greedy
from negotiation_tui.roles import Role, States
from negotiation_tui.scenario import Scenario
from negotiation_tui.strategies.base import Heeded, Strategy


@dataclass(frozen=True, eq=False)
class Learned(Strategy):
    """The best actions of two Q-tables, that of the seat it is in."""

    policies: tuple[Policy, Policy]
    """Seller first."""

    name: ClassVar[str] = "learned"
    summary: ClassVar[str] = "its learned table"
    source: ClassVar[str] = "concurrent Q-learning in self-play"

    @property
    def heeds(self) -> frozenset[Heeded]:
        """Time, and who opened."""
        return frozenset({"time", "opener"})

    def choices(self, position: Position) -> Sequence[int]:
        """The actions of equal value in this row of its table."""
        policy = self.policies[position.role]
        row = 0
        if position.on_table is not None:
            row = int(policy.rows(position.time, position.opened)[position.on_table_index])
        return [int(action) for action in policy.ties[row, : policy.count[row]]]


@lru_cache(maxsize=2)
def self_taught(scenario: Scenario, recipe: str, seed: int) -> Learned:
    """Two learners after the whole training of a recipe: the same wherever it is asked for.

    Their states say who opened, whatever the scenario's say: without, no recipe converges. Raises
    BadInputError where the scenario is too large for their tables.
    """
    scenario = replace(scenario, states=States.SEATED)
    parameters = RECIPES[recipe](scenario)
    training = ConcurrentTraining(scenario, parameters, seed, backend=fastest_backend())
    training.run()
    seller, buyer = (greedy(scenario, role, training.q_table(role)) for role in Role)
    return Learned((seller, buyer))
