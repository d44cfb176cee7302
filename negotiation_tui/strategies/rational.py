"""Strategies that compute: subgame-perfect equilibrium, and the exact best response."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import among, setting
from negotiation_tui.runtime.validate import number, parse_number
from negotiation_tui.solvers.best_response import BestResponse, best_response
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.strategies.base import Dependency, ReadyPlayer, Strategy

_solve = lru_cache(maxsize=8)(solve)
_SCENARIO = "scenario"


def _rate(name: str, value: Any) -> float | str:
    check = parse_number if isinstance(value, str) else number
    return _SCENARIO if value == _SCENARIO else check(name, value, 0, 1)


@sealed(frozen=True)
class SubgamePerfect(Strategy):
    """Plays the subgame-perfect equilibrium of the game that its role sees, also after mistakes."""

    name: ClassVar[str] = "equilibrium"
    summary: ClassVar[str] = "plays the subgame-perfect equilibrium"
    source: ClassVar[str] = "Ståhl 1972; docs/equilibrium.md"
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})
    discount: float | str = setting(_SCENARIO, check=_rate)
    """γ between a role's own decisions, 0 to 1, or that of the scenario."""
    tie_break: str = setting("accept", check=among(tuple(TieBreak)))
    """The action if accepting and rejecting are worth the same: accept or reject."""

    def support(self, position: Position) -> Sequence[int]:
        opener = position.role if position.opened else position.role.other
        rate = position.scenario.discount() if self.discount == _SCENARIO else self.discount
        equilibrium = _solve(position.scenario, opener, rate, TieBreak(self.tie_break))
        return (equilibrium.action(position),)


@sealed(frozen=True)
class BestResponder(Strategy):
    """Plays every best action against the opponent's policy; recomputed as a learner changes."""

    name: ClassVar[str] = "best-response"
    summary: ClassVar[str] = (
        "plays the exact best response to the other side, even while that learns"
    )
    source: ClassVar[str] = "backward induction against a known policy; docs/equilibrium.md"
    needs_opponent: ClassVar[bool] = True
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})

    def support(self, position: Position) -> Sequence[int]:
        """Raise BadInputError: without an opponent there is no best response."""
        raise BadInputError(
            f"{self.name}: expected a known opponent, got none; call ready() with the opponent"
        )

    def in_seat(self, scenario: Scenario, role: Role) -> Strategy:
        """Return the strategy itself, which heeds all offers if limits are hidden."""
        return _HEEDING if scenario.hidden else self

    def ready(
        self, scenario: Scenario, role: Role, opponent: ReadyPlayer, discount_rate: float
    ) -> ReadyPlayer:
        """Return the best response to an opponent. Raise BadInputError if it has no table."""
        table = opponent.tabulated(scenario, role.other)
        if table is None:
            raise BadInputError(f"{self.name}: expected an opponent with a table, got {opponent!r}")
        return playing(best_response(scenario, role, table, discount_rate))


@sealed(frozen=True)
class _Heeding(BestResponder):
    """The best responder with hidden limits, where all offers so far tell about the limit."""

    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"history"})


_HEEDING = _Heeding()


@sealed(frozen=True)
class BeliefResponder(Strategy):
    """Plays a best response to an opponent with hidden limits.

    It has no table, because it heeds the belief about the limit that all offers so far leave. Where
    the response is not exact it plays the best actions by the lower bound.
    """

    name: ClassVar[str] = BestResponder.name
    summary: ClassVar[str] = BestResponder.summary
    source: ClassVar[str] = BestResponder.source
    depends_on: ClassVar[frozenset[Dependency]] = _Heeding.depends_on

    response: BestResponse

    def support(self, position: Position) -> Sequence[int]:
        """The best actions under the belief in a position."""
        return self.response.best(position)


def playing(found: BestResponse) -> ReadyPlayer:
    return found.policy or BeliefResponder(found)
