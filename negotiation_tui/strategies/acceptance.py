"""When to accept, apart from what to ask (Baarslag, Hindriks and Jonker 2013).

A rule compares the price on the table with the price one is about to ask. It is never asked about
a price outside one's own range, nor at the last decision.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.strategies.base import Dependency


@dataclass(frozen=True)
class Acceptance(ABC):
    """A rule of acceptance."""

    depends_on: ClassVar[frozenset[Dependency]]
    """What it depends on besides the price on the table, as in `Strategy.depends_on`."""

    @abstractmethod
    def accepts(self, position: Position, bid: int) -> bool:
        """Whether to accept the price on the table where one would else ask `bid`."""


def share(position: Position, price: int) -> float:
    """How good a price is in one's own range: 0 at its worst end, 1 at its best."""
    held = position.scenario.acceptable_range(position.role)
    width = max(1, held.maximum - held.minimum)
    gained = price - held.minimum if position.role is Role.SELLER else held.maximum - price
    return gained / width


def time_share(position: Position) -> float:
    """How much of the time is over: 0 in the first round, 1 in the last; 0 if there is but one."""
    return (position.ply // 2) / max(1, position.scenario.rounds - 1)


@dataclass(frozen=True)
class AcNext(Acceptance):
    """AC_next: what is on the table is at least as good as what one is about to ask."""

    depends_on: ClassVar[frozenset[Dependency]] = frozenset()

    def accepts(self, position: Position, bid: int) -> bool:
        """Compare the two."""
        assert position.standing_offer is not None
        if position.role is Role.SELLER:
            return position.standing_offer >= bid
        return position.standing_offer <= bid


AC_NEXT = AcNext()


@dataclass(frozen=True)
class AcConst(Acceptance):
    """AC_const(α): it is worth at least the share α of one's own range."""

    alpha: float = 0.8
    depends_on: ClassVar[frozenset[Dependency]] = frozenset()

    def accepts(self, position: Position, bid: int) -> bool:
        """Compare with α."""
        assert position.standing_offer is not None
        return share(position, position.standing_offer) >= self.alpha


@dataclass(frozen=True)
class AcTime(Acceptance):
    """AC_time(T): the share T of the time is over."""

    time: float = 0.9
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "opener"})

    def accepts(self, position: Position, bid: int) -> bool:
        """Compare with the rounds that are over."""
        return time_share(position) >= self.time


@dataclass(frozen=True)
class AcCombi(Acceptance):
    """AC_combi(T, MAX^W): AC_next; or T is over, and no offer as good is to be hoped for.

    That is: in a window as long as the time that is left the other offered nothing better.
    """

    time: float = 0.9
    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "history"})

    def accepts(self, position: Position, bid: int) -> bool:
        """Compare with the bid, then with the best of the window."""
        if AC_NEXT.accepts(position, bid):
            return True
        if time_share(position) < self.time:
            return False
        left = position.scenario.rounds - 1 - position.ply // 2
        window = position.opponent_offers[-max(1, left) :]
        assert position.standing_offer is not None
        best = max(window) if position.role is Role.SELLER else min(window)
        return share(position, position.standing_offer) >= share(position, best)


RULES: dict[str, type[Acceptance]] = {
    "next": AcNext,
    "const": AcConst,
    "time": AcTime,
    "combi": AcCombi,
}
