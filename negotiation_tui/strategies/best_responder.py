"""The exact best response to whoever sits opposite: no rule before one knows who that is."""

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
    """Plays every best action against the policy opposite, however that came about.

    `ready` needs that policy; a learner opposite is responded to anew as it learns.
    """

    name: ClassVar[str] = "best-response"
    summary: ClassVar[str] = "plays the exact best response to the other, as it learns"
    source: ClassVar[str] = "backward induction against a known policy; docs/equilibrium.md"
    needs_opponent: ClassVar[bool] = True

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """The time, and who opened."""
        return frozenset({"time", "opener"})

    def support(self, position: Position) -> Sequence[int]:
        """None by itself: raises BadInputError."""
        raise BadInputError(
            f"{self.name} responds to the policy opposite and has no choices without one: use ready"
        )

    def ready(
        self, scenario: Scenario, role: Role, opponent: ReadyPlayer, discount_rate: float
    ) -> TabularPolicy:
        """Return the best response to an opponent; raise BadInputError if that has no table."""
        table = opponent.tabulated(scenario, role.other)
        if table is None:
            raise BadInputError(f"{self.name}: expected an opponent with a table, got {opponent!r}")
        return best_response(scenario, role, table, discount_rate).policy
