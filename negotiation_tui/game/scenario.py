"""The rules: prices, rounds, ranges, states, actions and rewards. No randomness.

A scenario has a grid of P prices, T rounds (times 0 … T−1), a range of acceptable prices per
role, and an opener. `game.numbering` says how its states and actions are numbered.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import scenario_file
from negotiation_tui.game.numbering import START as START  # noqa: PLC0414 - re-exported
from negotiation_tui.game.numbering import Numbering
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario_file import EARLIER_STATES, MAX_PRICES
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.toml import read_toml
from negotiation_tui.runtime.validate import refusal

PUBLISHED_DISCOUNT = 0.99
"""The discount rate of the published learner, between its own decisions."""


@dataclass(frozen=True)
class Scenario(Numbering):
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
        for role in Role:
            if not self.offers(role):
                prices = self.acceptable_range(role)
                raise BadInputError(
                    f"{role}: expected a range with a price of the grid, got {prices.minimum} to"
                    f" {prices.maximum}; the grid goes from {self.prices[0]} to {self.prices[-1]}"
                )

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
            return cls.from_stored({"name": Path(path).stem, **read_toml(path)})

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Self:
        """Return the scenario of a table with the keys of the TOML file; see `to_dict`."""
        return cls(**scenario_file.fields(table))

    @classmethod
    def from_stored(cls, table: Mapping[str, Any]) -> Self:
        """Return the scenario of a table in a file, possibly of an earlier version."""
        states = table.get("states")
        if isinstance(states, str) and states in EARLIER_STATES:
            table = {**table, "states": EARLIER_STATES[states]}
        return cls.from_dict(table)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the keys of the TOML file."""
        return scenario_file.table(vars(self))

    @cached_property
    def reservation_values(self) -> tuple[int, int]:
        """(a, b): the prices at which the reward of seller and of buyer is 0."""
        if self.reservation is not None:
            return self.reservation
        return self.seller.minimum, self.buyer.maximum

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The lowest and highest price that both roles accept; None if there is no such price."""
        low = max(self.seller.minimum, self.buyer.minimum)
        high = min(self.seller.maximum, self.buyer.maximum)
        return (low, high) if low <= high else None

    def acceptable_range(self, role: Role) -> PriceRange:
        """The acceptable prices of a role."""
        return self.seller if role is Role.SELLER else self.buyer

    def offers(self, role: Role) -> range:
        """The actions that offer the prices in a role's acceptable range, cheapest first."""
        return self._offers[role]

    @cached_property
    def _offers(self) -> tuple[range, range]:
        seller, buyer = (
            range(bisect_left(self.prices, role.minimum), bisect_right(self.prices, role.maximum))
            for role in (self.seller, self.buyer)
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
        original's p/5 and 1 − p/5. If b ≤ a, the divisor is the width of the grid.
        """
        a, b = self.reservation_values
        if b > a:
            share = (price - a) / (b - a)
            return share if role is Role.SELLER else 1 - share
        width = self.prices[-1] - self.prices[0]
        return (price - a if role is Role.SELLER else b - price) / width


ScenarioLike = Scenario | Mapping[str, Any] | str | PathLike[str]
"""The arguments of `Scenario.of`."""
PRESETS = {"original": Scenario.original, "legacy": Scenario.legacy, "fine": Scenario.fine}
