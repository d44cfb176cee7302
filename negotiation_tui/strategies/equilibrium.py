"""The strategy of perfect players: subgame-perfect equilibrium."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.validate import number, one_of
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, Equilibrium, TieBreak, solve
from negotiation_tui.strategies.base import Dependency, Strategy


@lru_cache(maxsize=8)
def _solved(scenario: Scenario, opener: Role, discount: float, rule: TieBreak) -> Equilibrium:
    return solve(scenario, opener, discount, rule)


@dataclass(frozen=True)
class SubgamePerfect(Strategy):
    """Plays its part of the subgame-perfect equilibrium, whatever the other has done."""

    name: ClassVar[str] = "equilibrium"
    summary: ClassVar[str] = "plays the subgame-perfect equilibrium"
    source: ClassVar[str] = "Ståhl 1972; docs/equilibrium.md"
    discount: float = DISCOUNT
    """γ between a role's own decisions, 0 to 1."""
    tie_break: str = "accept"
    """What it does with a price that it gains nothing by refusing: accept or reject."""

    def __post_init__(self) -> None:
        number("discount", self.discount, 0, 1)
        one_of("tie_break", self.tie_break, tuple(TieBreak))

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """The time, and who opened."""
        return frozenset({"time", "opener"})

    def support(self, position: Position) -> Sequence[int]:
        """The equilibrium's action."""
        opener = position.role if position.opened else position.role.other
        rule = TieBreak(self.tie_break)
        solved = _solved(position.scenario, opener, self.discount, rule)
        return (solved.action(position),)
