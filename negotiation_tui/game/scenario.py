"""The rules: prices, rounds, ranges, states, actions and rewards. No randomness.

A scenario is a price grid of P prices, T rounds (times 0 … T−1), a range of acceptable prices
for each role, and who opens. States and actions are numbered as in the original:

    state 0          `s`    nothing received yet, the opening offer is due
    1 + t·P + i      `p.t`  the other party offered p, the i-th price of the grid, in round t
    P·T + 1          `d`    the negotiation is over

With seated states, which also say who opened, there are two blocks of P·T in place of one:

    1 + t·P + i          `op.t`  as above, seen by the opener
    1 + (T + t)·P + i    `rp.t`  seen by the responder
    2·P·T + 1            `d`

    action 0 … P−1   offer that price of the grid
    P                accept the price on the table (label `0`)
    P + 1            reject it and quit (label `-1`)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import scenario_file
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario_file import EARLIER_STATES, MAX_PRICES
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.toml import read_toml
from negotiation_tui.runtime.validate import refusal

START = 0
PUBLISHED_DISCOUNT = 0.99
"""The published learner's discount rate between its own decisions."""


@dataclass(frozen=True)
class Scenario:
    """One bargaining problem: everything about a negotiation except who plays it.

    `prices` are P increasing integers (2 ≤ P ≤ 1000), `rounds` is T (1 ≤ T ≤ 1000);
    no amount of money is beyond ±10⁹.
    `reservation` holds the reservation values (a, b) of seller and buyer that rewards are
    measured from; without it they are the seller's minimum and the buyer's maximum.
    What is given may be in the words of a table, as in `replace(scenario, states="opener-aware")`.
    Raises BadInputError where the limits are not kept or a role has no price to offer.
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
        for name, value in scenario_file.settled(vars(self)).items():
            object.__setattr__(self, name, value)
        if not self.name.isprintable():
            raise refusal("name", self.name, "one line of text")
        if not 2 <= len(self.prices) <= MAX_PRICES:
            raise BadInputError(
                f"prices: expected 2 to {MAX_PRICES:,} of them, got {len(self.prices):,}"
            )
        for lower, higher in zip(self.prices, self.prices[1:], strict=False):
            if higher <= lower:
                raise BadInputError(f"prices: {higher} follows {lower}, they must increase")
        for role in Role:
            held = self.acceptable_range(role)
            if not self.offers(role):
                raise BadInputError(
                    f"{role}: no price of the grid lies in {held.minimum} to {held.maximum},"
                    f" use a range inside {self.prices[0]} to {self.prices[-1]}"
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
    def of(cls, given: "ScenarioLike") -> "Scenario":
        """The scenario itself, or the one that a preset's name, a TOML file or its words describe.

        The words are a mapping such as `to_dict` gives. Raises BadInputError for anything else.
        """
        if isinstance(given, Scenario):
            return given
        if isinstance(given, Mapping):
            return cls.from_dict(given)
        presets = ", ".join(PRESETS)
        if not isinstance(given, str | PathLike):
            raise refusal("scenario", given, f"{presets}, a file or a mapping")
        if isinstance(given, str) and given in PRESETS:
            return PRESETS[given]()
        if not Path(given).suffix and not Path(given).exists():
            raise refusal("scenario", str(given), f"{presets} or a file")
        return cls.from_file(given)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> Self:
        """Read a scenario from a TOML file; BadInputError if it is not one (docs/rules.md)."""
        with reading(path, "scenario"):
            return cls.from_stored({"name": Path(path).stem, **read_toml(path)})

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Self:
        """The scenario a table describes, in the words of the TOML file; see `to_dict`."""
        return cls(**scenario_file.fields(table))

    @classmethod
    def from_stored(cls, table: Mapping[str, Any]) -> Self:
        """Return the scenario of a table in a file, which may hold words of an earlier version."""
        states = table.get("states")
        if isinstance(states, str) and states in EARLIER_STATES:
            table = {**table, "states": EARLIER_STATES[states]}
        return cls.from_dict(table)

    def to_dict(self) -> dict[str, Any]:
        """The scenario as plain values, in the words of the TOML file."""
        table: dict[str, Any] = {
            "name": self.name,
            "prices": list(self.prices),
            "rounds": self.rounds,
            "opener": self.opener.value,
            "states": self.states.value,
        }
        for role in Role:
            held = self.acceptable_range(role)
            table[str(role)] = {"min": held.minimum, "max": held.maximum}
            if self.reservation is not None:
                table[str(role)]["reservation"] = self.reservation[role]
        return table

    @cached_property
    def n_prices(self) -> int:
        """P, the number of prices on the grid."""
        return len(self.prices)

    @cached_property
    def n_states(self) -> int:
        """Rows of a Q-table: P·T + 2, or 2·P·T + 2 where states are seated."""
        return self.n_prices * self.rounds * (2 if self.opener_aware else 1) + 2

    @cached_property
    def opener_aware(self) -> bool:
        """Whether a state says who opened."""
        return self.states is States.OPENER_AWARE

    @cached_property
    def n_actions(self) -> int:
        """Columns of a Q-table: P + 2."""
        return self.n_prices + 2

    @cached_property
    def accept(self) -> int:
        """The index of the action that accepts the price on the table."""
        return self.n_prices

    @cached_property
    def walk_away(self) -> int:
        """The index of the action that quits without a deal."""
        return self.n_prices + 1

    @cached_property
    def final_state(self) -> int:
        """The row `d`, reached when either party closed the negotiation."""
        return self.n_states - 1

    @cached_property
    def reservation_values(self) -> tuple[int, int]:
        """(a, b): what the deal is worth to seller and buyer; rewards are measured from here."""
        if self.reservation is not None:
            return self.reservation
        return self.seller.minimum, self.buyer.maximum

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The lowest and highest price both would accept, or None where there is none."""
        low = max(self.seller.minimum, self.buyer.minimum)
        high = min(self.seller.maximum, self.buyer.maximum)
        return (low, high) if low <= high else None

    def acceptable_range(self, role: Role) -> PriceRange:
        """The acceptable prices of a role."""
        return self.seller if role is Role.SELLER else self.buyer

    def offers(self, role: Role) -> range:
        """The actions that offer a price inside a role's own range, cheapest first."""
        return self._offers[role]

    @cached_property
    def _offers(self) -> tuple[range, range]:
        seller, buyer = (
            range(bisect_left(self.prices, held.minimum), bisect_right(self.prices, held.maximum))
            for held in (self.seller, self.buyer)
        )
        return seller, buyer

    def state_index(self, price: int, time: int, opened: bool = False) -> int:
        """The row of state `price.time`; BadInputError for a price or time that is not there.

        Where states are seated it is the row of a role that `opened` or did not.
        """
        i = bisect_left(self.prices, price)
        if i == self.n_prices or self.prices[i] != price:
            raise BadInputError(f"price {price} is not on the grid of scenario {self.name}")
        if not 0 <= time < self.rounds:
            raise refusal("time", time, f"an integer from 0 to {self.rounds - 1:,}")
        block = self.rounds if self.opener_aware and not opened else 0
        return 1 + (block + time) * self.n_prices + i

    def on_table(self, state: int) -> tuple[int, int]:
        """The grid index of the price on the table in a state `p.t`, and its time t."""
        if not 0 < state < self.final_state:
            raise BadInputError(f"state {state} has no price on the table")
        time, i = divmod(state - 1, self.n_prices)
        return i, time % self.rounds

    def state_label(self, state: int) -> str:
        """`s`, `p.t` or `d`, as the original writes them; `op.t` and `rp.t` where seated."""
        if state == START:
            return "s"
        if state == self.final_state:
            return "d"
        i, time = self.on_table(state)
        seat = ("o" if state <= self.n_prices * self.rounds else "r") if self.opener_aware else ""
        return f"{seat}{self.prices[i]}.{time}"

    def action_label(self, action: int) -> str:
        """The price offered, `0` for accept, `-1` for reject, as the original writes them."""
        if action == self.accept:
            return "0"
        if action == self.walk_away:
            return "-1"
        return str(self.prices[action])

    def legal_actions(self, state: int, role: Role) -> Sequence[int]:
        """The indices of the actions a role may choose from in a state, in increasing order."""
        if state == self.final_state:
            return range(0)
        offers = self.offers(role)
        if state == START:
            return offers
        i, time = self.on_table(state)
        if time == self.rounds - 1:
            return range(self.accept if i in offers else self.walk_away, self.n_actions)
        closing = [self.accept, self.walk_away] if i in offers else [self.walk_away]
        if offers.stop == closing[0]:
            return range(offers.start, self.n_actions)
        return [*offers, *closing]

    def reward(self, role: Role, price: int) -> float:
        """What a deal at a price is worth to a role; a rejection is worth 0.

        Seller (p − a)/(b − a), buyer 1 − (p − a)/(b − a), which in `original` is exactly the
        original's p/5 and 1 − p/5. Where b ≤ a the width of the grid divides instead.
        """
        a, b = self.reservation_values
        if b > a:
            share = (price - a) / (b - a)
            return share if role is Role.SELLER else 1 - share
        width = self.prices[-1] - self.prices[0]
        return (price - a if role is Role.SELLER else b - price) / width


ScenarioLike = Scenario | Mapping[str, Any] | str | PathLike[str]
"""Whatever `Scenario.of` takes."""
PRESETS = {
    "original": Scenario.original,
    "legacy": Scenario.legacy,
    "fine": Scenario.fine,
}
