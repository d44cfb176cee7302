"""The exact best response to whoever sits opposite: no rule before one knows who that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Policy
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import Heeded, Strategy


@dataclass(frozen=True)
class BestResponder(Strategy):
    """Plays every best action against the policy opposite, however that came about.

    What seats it must tell it that policy (`responding_to`); a learner opposite is responded to
    anew as it learns.
    """

    name: ClassVar[str] = "best-response"
    summary: ClassVar[str] = "plays the exact best response to the other, as it learns"
    source: ClassVar[str] = "backward induction against a known policy; docs/equilibrium.md"

    @property
    def heeds(self) -> frozenset[Heeded]:
        """The time, and who opened."""
        return frozenset({"time", "opener"})

    def choices(self, position: Position) -> Sequence[int]:
        """None by itself: raises BadInputError."""
        raise BadInputError(
            f"{self.name} responds to the policy opposite and has no choices without one: use"
            " responding_to"
        )

    def responding_to(
        self, scenario: Scenario, role: Role, opponent: Policy, discount_rate: float
    ) -> Policy:
        """What it plays in a role against this policy of the other."""
        return best_response(scenario, role, opponent, discount_rate).policy
