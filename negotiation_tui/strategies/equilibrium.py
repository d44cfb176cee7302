"""The strategy of perfectly rational players: subgame-perfect equilibrium."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.runtime.validate import number, one_of
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, TieBreak, solve
from negotiation_tui.strategies.base import Dependency, Strategy

_solve = lru_cache(maxsize=8)(solve)


@dataclass(frozen=True)
class SubgamePerfect(Strategy):
    """Plays the subgame-perfect equilibrium, also after an opponent's mistake.

    With hidden limits it is that of the game that its role sees: with its own limit, and the
    opponent's that is best for a deal.
    """

    name: ClassVar[str] = "equilibrium"
    summary: ClassVar[str] = "plays the subgame-perfect equilibrium"
    source: ClassVar[str] = "Ståhl 1972; docs/equilibrium.md"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})
    discount: float = DISCOUNT
    """γ between a role's own decisions, 0 to 1."""
    tie_break: str = "accept"
    """The action if accepting and rejecting are worth the same: accept or reject."""

    def __post_init__(self) -> None:
        number("discount", self.discount, 0, 1)
        one_of("tie_break", self.tie_break, tuple(TieBreak))

    def support(self, position: Position) -> Sequence[int]:
        opener = position.role if position.opened else position.role.other
        rule = TieBreak(self.tie_break)
        equilibrium = _solve(position.scenario, opener, self.discount, rule)
        return (equilibrium.action(position),)
