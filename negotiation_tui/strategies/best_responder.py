"""The exact best response to the opponent, whose policy must be known first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import Dependency, ReadyPlayer, Strategy


@dataclass(frozen=True)
class BestResponder(Strategy):
    """Plays every best action against the opponent's policy.

    `ready` computes the response. Against a learner it is computed again as the learner changes.
    """

    name: ClassVar[str] = "best-response"
    summary: ClassVar[str] = "plays the exact best response to the other, as it learns"
    source: ClassVar[str] = "backward induction against a known policy; docs/equilibrium.md"
    needs_opponent: ClassVar[bool] = True
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})

    def support(self, position: Position) -> Sequence[int]:
        """Raise BadInputError: without an opponent there is no best response."""
        raise BadInputError(
            f"{self.name}: expected a known opponent, got none; call ready() with the opponent"
        )

    def ready(
        self, scenario: Scenario, role: Role, opponent: ReadyPlayer, discount_rate: float
    ) -> TabularPolicy:
        """Return the best response to an opponent. Raise BadInputError if it has no table."""
        table = opponent.tabulated(scenario, role.other)
        if table is None:
            raise BadInputError(f"{self.name}: expected an opponent with a table, got {opponent!r}")
        return best_response(scenario, role, table, discount_rate).policy
