"""The rules: prices, rounds, ranges, states, actions and rewards. No randomness.

A scenario has a grid of P prices, T rounds (times 0 … T−1), a range of acceptable prices per
role, and an opener. `game.numbering` says how its states and actions are numbered.

With hidden limits (`game.limits`) a scenario is a lottery over games: each negotiation is played in
the game of the limits that were drawn, and each role sees only the game of its own limit.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import scenario_file
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.lottery import Lottery
from negotiation_tui.game.numbering import START as START  # noqa: PLC0414 - re-exported
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario_file import MAX_PRICES
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.toml import read_toml
from negotiation_tui.runtime.validate import refusal

PUBLISHED_DISCOUNT = 0.99
"""The discount rate of the published learner, between its own decisions."""


@dataclass(frozen=True)
class Scenario(Lottery):
    """One bargaining problem: everything about a negotiation except its players.

    `prices` are P increasing integers (2 ≤ P ≤ 1000), `rounds` is T (1 ≤ T ≤ 1000). No amount of
    money is beyond ±10⁹. `reservation` holds the reservation values (a, b) of seller and buyer,
    the prices of reward 0; by default the seller's minimum and the buyer's maximum.

    Fields may be written as in a file, for example `replace(scenario, states="opener-aware")`.
    Raises BadInputError if a value is out of its limits or a role has no price to offer.
    """

    name: str
    prices: tuple[int, ...]
    rounds: int
    seller: PriceRange
    buyer: PriceRange
    opener: Opener = Opener.ALTERNATE
    reservation: tuple[int, int] | None = None
    states: States = States.PUBLISHED
    limits: tuple[Limits | None, Limits | None] = (None, None)
    """The hidden limits of seller and buyer; None for a role whose reservation value is known."""
    lottery: "Scenario | None" = field(default=None, repr=False)
    """For a game that was drawn: the scenario with the hidden limits. Not written to files."""
    indices: tuple[int, int] = (0, 0)
    """For such a game: the indices of both limits."""

    def __post_init__(self) -> None:
        for name, value in scenario_file.normalized(vars(self)).items():
            object.__setattr__(self, name, value)
        if not self.name.isprintable():
            raise refusal("name", self.name, "one line of text")
        if not 2 <= len(self.prices) <= MAX_PRICES:
            raise BadInputError(
                f"prices: expected 2 to {MAX_PRICES:,} of them, got {len(self.prices):,}"
            )
        for lower, higher in zip(self.prices, self.prices[1:], strict=False):
            if higher <= lower:
                raise BadInputError(
                    f"prices: expected increasing prices, got {higher} after {lower}"
                )
        for role, limits in zip(Role, self.limits, strict=True):
            if limits:
                self._check_limits(role, limits)
            if not self.offers(role):
                prices = self.acceptable_range(role)
                raise BadInputError(
                    f"{role}: expected a range with a price of the grid, got {prices.minimum} to"
                    f" {prices.maximum}; the grid goes from {self.prices[0]} to {self.prices[-1]}"
                )

    def _check_limits(self, role: Role, limits: Limits) -> None:
        """Raise BadInputError unless each limit leaves the role a price of the grid."""
        stated = self.seller if role is Role.SELLER else self.buyer
        inside = [price for price in self.prices if price in stated]
        for limit in limits.values:
            if role is Role.SELLER and inside and limit > inside[-1]:
                raise refusal(f"{role}.limits", limit, f"at most {inside[-1]}", _NO_PRICE)
            if role is Role.BUYER and inside and limit < inside[0]:
                raise refusal(f"{role}.limits", limit, f"at least {inside[0]}", _NO_PRICE)

    @classmethod
    def original(cls) -> Self:
        """The original's learning game: prices 1 … 5, 5 rounds, every price acceptable."""
        return cls._whole_grid("original", 5, 5)

    @classmethod
    def fine(cls) -> Self:
        """The original's "further research": prices 1 … 20, 20 rounds."""
        return cls._whole_grid("fine", 20, 20)

    @classmethod
    def legacy(cls) -> Self:
        """The original's static game: prices 0 … 100, 10 rounds, ZOPA 20 … 80."""
        prices = tuple(range(101))
        return cls("legacy", prices, 10, PriceRange(20, 100), PriceRange(0, 80), Opener.SELLER)

    @classmethod
    def with_hidden_limits(cls) -> Self:
        """Hidden limits on a small grid: prices 0 … 5, 5 rounds, seller 0 … 4, buyer 1 … 5."""
        limits = Limits.of("seller", range(5)), Limits.of("buyer", range(1, 6))
        return cls("hidden", tuple(range(6)), 5, _FIVE, _FIVE, limits=limits)

    @classmethod
    def bazaar(cls) -> Self:
        """Hidden limits on a fine grid: prices 0 … 100, 10 rounds, limits 0, 10 … 100."""
        tens, whole = Limits.of("limits", range(0, 101, 10)), PriceRange(0, 100)
        return cls("bazaar", tuple(range(101)), 10, whole, whole, limits=(tens, tens))

    @classmethod
    def _whole_grid(cls, name: str, prices: int, rounds: int) -> Self:
        whole = PriceRange(1, prices)
        grid = tuple(range(1, prices + 1))
        return cls(name, grid, rounds, whole, whole, reservation=(0, prices))

    @classmethod
    def of(cls, scenario: "ScenarioLike") -> "Scenario":
        """Return a scenario; it may be a preset's name, a size, a TOML file or a mapping.

        The size `PxT` means prices 1 … P and T rounds, otherwise as `original`. A mapping has the
        keys of `to_dict`. Raises BadInputError for anything else.
        """
        if isinstance(scenario, Scenario):
            return scenario
        if isinstance(scenario, Mapping):
            return cls.from_dict(scenario)
        presets = ", ".join(PRESETS)
        if not isinstance(scenario, str | PathLike):
            raise refusal(
                "scenario", scenario, f"{presets}, a size such as 10x7, a file or a mapping"
            )
        if isinstance(scenario, str) and scenario in PRESETS:
            return PRESETS[scenario]()
        size = re.fullmatch(r"(\d{1,4})x(\d{1,4})", str(scenario))
        if size and not Path(scenario).exists():
            return cls._whole_grid(size[0], int(size[1]), int(size[2]))
        if Path(scenario).stem == str(scenario) and not Path(scenario).exists():
            raise refusal("scenario", str(scenario), f"{presets}, a size such as 10x7 or a file")
        return cls.from_file(scenario)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        """Read a TOML file (docs/rules.md); raises BadInputError if it holds no scenario."""
        with reading(path, "scenario"):
            return cls.from_dict({"name": Path(path).stem, **read_toml(path)})

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Self:
        """Return the scenario of a table with the keys of the TOML file; see `to_dict`."""
        return cls(**scenario_file.fields(table))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the keys of the TOML file."""
        return scenario_file.table(vars(self))

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The lowest and highest price that both roles accept; None if there is no such price.

        With hidden limits: that both accept with the limits that are best for a deal.
        """
        one, other = map(self.acceptable_range, Role)
        low, high = max(one.minimum, other.minimum), min(one.maximum, other.maximum)
        return (low, high) if low <= high else None

    @property
    def possible_deals(self) -> range:
        """The actions that offer the prices which both roles accept; empty if there are none."""
        one, other = map(self.offers, Role)
        return range(max(one.start, other.start), min(one.stop, other.stop))

    def offers(self, role: Role) -> range:
        """The actions that offer the prices in a role's acceptable range, cheapest first."""
        return self._offers[role]

    @cached_property
    def _offers(self) -> tuple[range, range]:
        seller, buyer = (
            range(bisect_left(self.prices, own.minimum), bisect_right(self.prices, own.maximum))
            for own in map(self.acceptable_range, Role)
        )
        return seller, buyer

    def legal_actions(self, state: int, role: Role) -> Sequence[int]:
        """The indices of the legal actions of a role in a state, in increasing order."""
        if state == self.final_state:
            return range(0)
        offers = self.offers(role)
        if state == START:
            return offers
        i, time = self.offer_and_time(state)
        if time == self.rounds - 1:
            return range(self.accept if i in offers else self.walk_away, self.n_actions)
        closing = [self.accept, self.walk_away] if i in offers else [self.walk_away]
        if offers.stop == closing[0]:
            return range(offers.start, self.n_actions)
        return [*offers, *closing]

    def reward(self, role: Role, price: int) -> float:
        """The reward of a role for a deal at a price; without a deal the reward is 0.

        Seller (p − a)/(b − a), buyer 1 − (p − a)/(b − a), which in `original` is exactly the
        original's p/5 and 1 − p/5. If b ≤ a, the divisor is the width of the grid. With hidden
        limits (p − a)/w and (b − p)/w: one width w for all limits, so that they compare.
        """
        a, b = self.reservation_values
        if b > a and self.lottery is None:
            share = (price - a) / (b - a)
            return share if role is Role.SELLER else 1 - share
        width = self.origin.width
        return (price - a if role is Role.SELLER else b - price) / width

    @cached_property
    def width(self) -> int:
        """The divisor of rewards: b − a, or the width of the grid if b ≤ a."""
        a, b = self.reservation_values
        return b - a if b > a else self.prices[-1] - self.prices[0]


ScenarioLike = Scenario | Mapping[str, Any] | str | PathLike[str]
"""The arguments of `Scenario.of`."""
PRESETS = {
    "original": Scenario.original,
    "legacy": Scenario.legacy,
    "fine": Scenario.fine,
    "hidden": Scenario.with_hidden_limits,
    "bazaar": Scenario.bazaar,
}
_FIVE = PriceRange(0, 5)
_NO_PRICE = "otherwise it has no price of the grid"
