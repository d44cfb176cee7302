"""The part of a scenario that draws hidden limits: the games that are drawn, and those one sees.

Without hidden limits the only game is the scenario itself.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from negotiation_tui.game.limits import CERTAIN, Limits
from negotiation_tui.game.numbering import Numbering
from negotiation_tui.game.roles import PriceRange, Role
from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import refusal

if TYPE_CHECKING:
    from negotiation_tui.game.limits import Floats


class Lottery(Numbering):
    """The hidden limits of a scenario. One is drawn per role and negotiation, independently.

    A negotiation is played in the game of both limits. A role sees the game of its own limit, in
    which the other has the limit that is best for a deal.
    """

    seller: PriceRange
    buyer: PriceRange
    reservation: tuple[int, int] | None
    limits: tuple[Limits | None, Limits | None]
    lottery: Self | None
    indices: tuple[int, int]

    @cached_property
    def reservation_values(self) -> tuple[int, int]:
        """(a, b): the prices at which the reward of seller and of buyer is 0.

        With hidden limits the seller's lowest and the buyer's highest.
        """
        a, b = self.reservation or (self.seller.minimum, self.buyer.maximum)
        of_seller, of_buyer = self.limits
        return of_seller.values[0] if of_seller else a, of_buyer.values[-1] if of_buyer else b

    @property
    def hidden(self) -> bool:
        """True if a role has hidden limits."""
        return any(self.limits)

    def n_tables(self, role: Role) -> int:
        """The number of tables of a role: one per limit."""
        limits = self.limits[role]
        return len(limits.values) if limits else 1

    def n_rows(self, role: Role) -> int:
        """The number of rows of all tables of a role, which stand end to end."""
        return self.n_tables(role) * self.n_states

    def chances(self, role: Role) -> "Floats":
        """The probability of each limit of a role; one entry if it is not hidden."""
        return (self.limits[role] or CERTAIN).chances

    @property
    def origin(self) -> Self:
        """The scenario with the hidden limits of which this game has one per role; else itself."""
        return self.lottery or self

    @cached_property
    def views(self) -> tuple[tuple[Self, ...], tuple[Self, ...]]:
        """The game that each role sees with each of its limits, seller first."""
        sellers = (self._game((k, 0), (Role.SELLER,)) for k in range(self.n_tables(Role.SELLER)))
        buyers = (self._game((0, j), (Role.BUYER,)) for j in range(self.n_tables(Role.BUYER)))
        return tuple(sellers), tuple(buyers)

    def drawn(self, seller: int, buyer: int) -> Self:
        """Return the game of the limits with these indices."""
        pair = seller, buyer
        if pair not in self._games:
            self._games[pair] = self._game(pair, tuple(Role))
        return self._games[pair]

    def seen_by(self, role: Role) -> Self:
        """Return the game that a role sees in a game that was drawn."""
        if self.lottery is None:
            return self
        return self.lottery.views[role][self.indices[role]]

    def limit(self, role: Role) -> int:
        """The limit of a role, the price of reward 0; its best for a deal if it is not seen."""
        return self.reservation_values[role]

    def find_limit(self, role: Role, limit: int | None) -> int:
        """Return the index of one of a role's hidden limits; of None if it has none.

        Raises BadInputError for any other limit.
        """
        limits = self.limits[role]
        known = limits.values if limits else (None,)
        if limit not in known:
            expected = f"{either([*map(str, known)])}, as in scenario {self.name}"
            raise refusal(f"limit of the {role}", limit, expected)
        return known.index(limit)

    def limit_index(self, role: Role) -> int:
        """The index of a role's limit, which is the number of its table."""
        return self.indices[role]

    def acceptable_range(self, role: Role) -> PriceRange:
        """The acceptable prices of a role; with hidden limits those of all its limits."""
        prices = (self.seller, self.buyer)[role]
        return _cut(prices, role, self.limit(role)) if self.limits[role] else prices

    @cached_property
    def _games(self) -> dict[tuple[int, int], Self]:
        """The games that were drawn so far: 10,000 at once would take seconds."""
        return {}

    def with_limits(self, limits: Mapping[Role, int], **others: Any) -> Self:
        """Return the game in which the range of a role ends at its limit, the price of reward 0.

        A hidden limit that is not given is the one that is best for a deal. `others` are further
        fields to change. Raises BadInputError if a limit leaves its role no price of the grid.
        """
        scenario: Any = self
        values, ranges = list(self.reservation_values), {}
        for role, stated in zip(Role, (self.seller, self.buyer), strict=True):
            if role in limits or self.limits[role]:
                values[role] = limits.get(role, values[role])
                ranges[str(role)] = _cut(stated, role, values[role])
        changed: dict[str, Any] = {**ranges, "reservation": tuple(values), "limits": (None, None)}
        game: Self = replace(scenario, **changed, **others)
        return game

    def _game(self, indices: tuple[int, int], seen: tuple[Role, ...]) -> Self:
        """Return the game of the limits with these indices, as far as they are seen."""
        if not self.hidden:
            return self
        drawn = {
            role: limits.values[indices[role]] for role in seen if (limits := self.limits[role])
        }
        return self.with_limits(drawn, lottery=self, indices=indices)


def _cut(prices: PriceRange, role: Role, limit: int) -> PriceRange:
    """Return the prices of a range within a limit."""
    if role is Role.SELLER:
        return PriceRange(max(prices.minimum, limit), prices.maximum)
    return PriceRange(prices.minimum, min(prices.maximum, limit))
