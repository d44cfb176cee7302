"""The rules: prices, rounds, ranges, states, actions and rewards. No randomness.

A scenario has a grid of P prices, T rounds (times 0 … T−1), a range of acceptable prices per
role, and an opener.

It is a lottery over limits: for each negotiation one limit is drawn per role, independently of the
other's. A negotiation is played in the game of both limits. A role sees the game of its own limit,
in which the other has the limit that is best for a deal. A role whose limit is known has one, and
without hidden limits the only game is the scenario itself.

Time costs: offers are counted from 0, and a deal on offer k pays a role δᵏ of its reward.

States and actions are numbered as in the original:

    state 0          `s`    no offer yet, the opening offer is due
    1 + t·P + i      `p.t`  the opponent offered p, the i-th price of the grid, in round t
    P·T + 1          `d`    the negotiation is over

Opener-aware states, which also tell opener from responder, have two blocks of P·T:

    1 + t·P + i          `op.t`  for the opener
    1 + (T + t)·P + i    `rp.t`  for the responder
    2·P·T + 1            `d`

    action 0 … P−1   offer that price of the grid
    P                accept the standing offer (label `0`)
    P + 1            walk away without a deal (label `-1`)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from operator import mul
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import scenario_file
from negotiation_tui.game.limits import KNOWN_LIMIT, Limits, amount
from negotiation_tui.game.roles import Opener, PriceRange, Role, States, pair
from negotiation_tui.game.scenario_file import deltas, price_grid, price_range
from negotiation_tui.runtime.records import field, replace, sealed
from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.validate import boolean, integer, refusal

if TYPE_CHECKING:
    from negotiation_tui.runtime.arrays import Floats

START = 0
CLOSING = ("accept", "quit")  # words for the actions P and P + 1
MAX_ROUNDS = 1000
PUBLISHED_DISCOUNT = 0.99  # the discount rate of the published learner, between its own decisions


@sealed(frozen=True)
class Scenario:
    """One bargaining problem: everything about a negotiation except its players.

    `prices` are P increasing integers, `rounds` is T. `reservation` holds the reservation values
    (a, b) of seller and buyer, the prices of reward 0; by default the seller's minimum and the
    buyer's maximum. Fields may be written as in a file, for example
    `replace(scenario, states="opener-aware")`, numbers as numpy's.
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
    delta: tuple[float, float] = (1.0, 1.0)
    """δ of seller and buyer, above 0 to 1: what is left of a reward after one more offer. A single
    number stands for both."""
    talk: bool = False  # True if each side hears what the other says; no rule depends on it
    lottery: "Scenario | None" = field(default=None, repr=False)
    """For a game that was drawn: the scenario with the hidden limits. Not written to files."""
    indices: tuple[int, int] = (0, 0)  # for such a game: the indices of both limits

    def __post_init__(self) -> None:
        ranges = pair(map(price_range, Role, (self.seller, self.buyer)))
        limits = self.limits if isinstance(self.limits, tuple | list) else ()
        if len(limits) != len(Role) or not all(isinstance(one, Limits | None) for one in limits):
            raise refusal("limits", self.limits, "the Limits of seller and buyer, or None")
        vars(self).update(  # not frozen yet
            name=str(self.name),
            prices=price_grid(self.prices),
            rounds=integer("rounds", self.rounds, 1, MAX_ROUNDS),
            seller=ranges[0],
            buyer=ranges[1],
            opener=Opener.of(self.opener),
            states=States.of(self.states),
            delta=deltas(self.delta),
            talk=boolean("talk", self.talk),
            reservation=_checked_reservation(self.reservation),
            limits=pair(
                each and Limits.of(str(role), each.values, each.weights)
                for role, each in zip(Role, limits, strict=True)
            ),
        )
        grid = self.prices
        if not self.name.isprintable():
            raise refusal("name", self.name, "one line of text")
        for lower, higher in pairwise(grid):
            if higher <= lower:
                raise BadInputError(
                    f"prices: expected increasing prices, got {higher} after {lower}"
                )
        for role, stated, each in zip(Role, ranges, self.limits, strict=True):
            inside = [price for price in grid if price in stated] if each else []
            if each and inside:
                last, word = (-1, "most") if role is Role.SELLER else (0, "least")
                worst, end = each.values[last], inside[last]
                if worst > end if role is Role.SELLER else worst < end:
                    hint = "otherwise it has no price of the grid"
                    raise refusal(f"{role}.limits", worst, f"at {word} {end}", hint)
            if not self.offers(role):
                prices = self.acceptable_range(role)
                raise BadInputError(
                    f"{role}: expected a range with a price of the grid, got {prices.minimum} to"
                    f" {prices.maximum}; the grid goes from {grid[0]} to {grid[-1]}"
                )

    @classmethod
    def original(cls) -> "Scenario":
        """The original's learning game: prices 1 … 5, 5 rounds, every price acceptable."""
        return cls.of("original")

    @classmethod
    def of(cls, scenario: "ScenarioLike") -> "Scenario":
        """Return a scenario; it may be a preset's name, a size, a TOML file or a mapping.

        The size `PxT` means prices 1 … P and T rounds, otherwise as `original`. A mapping has the
        keys of `to_dict`. Raises BadInputError for anything else.
        """
        if isinstance(scenario, Scenario):
            return scenario
        return scenario_file.read(scenario, cls.from_dict)

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Self:
        """Return the scenario of a table with the keys of a TOML file, or raise BadInputError."""
        return cls(**scenario_file.fields_of(table))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values under the keys of a TOML file."""
        plain: dict[str, Any] = {
            "name": self.name,
            "prices": list(self.prices),
            "rounds": self.rounds,
            "opener": self.opener.value,
            "states": self.states.value,
        }
        for role, side in zip(Role, (self.seller, self.buyer), strict=True):
            part = plain[str(role)] = {"min": side.minimum, "max": side.maximum}
            if limits := self.limits[role]:
                part |= {"limits": list(limits.values), "weights": list(limits.weights)}
            elif self.reservation is not None:
                part["reservation"] = self.reservation[role]
            if self.time_costs:
                part["delta"] = self.delta[role]
        return {**plain, "talk": True} if self.talk else plain

    @cached_property
    def n_prices(self) -> int:
        """P, the number of prices on the grid."""
        return len(self.prices)

    @cached_property
    def n_states(self) -> int:
        """Rows of a Q-table: P·T + 2, or 2·P·T + 2 for opener-aware states."""
        return self.n_prices * self.rounds * (2 if self.opener_aware else 1) + 2

    @cached_property
    def opener_aware(self) -> bool:
        return self.states is States.OPENER_AWARE

    @cached_property
    def n_actions(self) -> int:
        """Columns of a Q-table: P + 2."""
        return self.n_prices + 2

    @cached_property
    def accept(self) -> int:
        return self.n_prices

    @cached_property
    def walk_away(self) -> int:
        """The index of the action that ends the negotiation without a deal."""
        return self.n_prices + 1

    @cached_property
    def final_state(self) -> int:
        """The row `d`, reached when either role ends the negotiation."""
        return self.n_states - 1

    def state_index(self, price: int, time: int, opened: bool = False) -> int:
        """The row of state `price.time`; raises BadInputError if there is no such state."""
        i = bisect_left(self.prices, price)
        if i == self.n_prices or self.prices[i] != price:
            raise BadInputError(f"price {price} is not on the grid of scenario {self.name}")
        if not 0 <= time < self.rounds:
            raise refusal("time", time, f"an integer from 0 to {self.rounds - 1:,}")
        block = self.rounds if self.opener_aware and not opened else 0
        return 1 + (block + time) * self.n_prices + i

    def offer_and_time(self, state: int) -> tuple[int, int]:
        """The grid index of the standing offer in a state `p.t`, and its time t."""
        if not 0 < state < self.final_state:
            raise BadInputError(f"state {state} has no standing offer")
        time, i = divmod(state - 1, self.n_prices)
        return i, time % self.rounds

    def state_label(self, state: int) -> str:
        """The original's label `s`, `p.t` or `d`; `op.t` and `rp.t` for opener-aware states."""
        if state == START:
            return "s"
        if state == self.final_state:
            return "d"
        i, time = self.offer_and_time(state)
        part = ("o" if state <= self.n_prices * self.rounds else "r") if self.opener_aware else ""
        return f"{part}{self.prices[i]}.{time}"

    def action_label(self, action: int) -> str:
        """The price offered or, as the original has it, `0` for accept, `-1` for walking away.

        Words for these two if the grid holds one of the numbers.
        """
        return self._action_labels[action]

    @cached_property
    def _action_labels(self) -> list[str]:
        closing = ("0", "-1") if {0, -1}.isdisjoint(self.prices) else CLOSING
        return [*map(str, self.prices), *closing]

    @cached_property
    def reservation_values(self) -> tuple[int, int]:
        """(a, b): the prices at which the reward of seller and of buyer is 0, best for a deal."""
        a, b = self.reservation or (self.seller.minimum, self.buyer.maximum)
        of_seller, of_buyer = self.limits
        return of_seller.values[0] if of_seller else a, of_buyer.values[-1] if of_buyer else b

    @property
    def hidden(self) -> bool:
        return any(self.limits)

    def n_tables(self, role: Role) -> int:
        """The number of tables of a role: one per limit."""
        return len((self.limits[role] or KNOWN_LIMIT).values)

    def n_rows(self, role: Role) -> int:
        """The number of rows of all tables of a role, which stand end to end."""
        return self.n_tables(role) * self.n_states

    def chances(self, role: Role) -> "Floats":
        return (self.limits[role] or KNOWN_LIMIT).chances

    @property
    def origin(self) -> "Scenario":
        """The scenario with the hidden limits of which this game has one per role; else itself."""
        return self.lottery or self

    @cached_property
    def views(self) -> "tuple[tuple[Scenario, ...], tuple[Scenario, ...]]":
        """The game that each role sees with each of its limits, seller first."""
        sellers = (self._game((k, 0), (Role.SELLER,)) for k in range(self.n_tables(Role.SELLER)))
        buyers = (self._game((0, j), (Role.BUYER,)) for j in range(self.n_tables(Role.BUYER)))
        return tuple(sellers), tuple(buyers)

    @cached_property
    def with_opener(self) -> "Scenario":
        """The scenario with states that also tell who opened."""
        return replace(self, states=States.OPENER_AWARE)

    def drawn(self, seller: int, buyer: int) -> "Scenario":
        """Return the game of the limits with these indices."""
        pair = seller, buyer
        if pair not in self._games:
            self._games[pair] = self._game(pair, tuple(Role))
        return self._games[pair]

    def seen_by(self, role: Role) -> "Scenario":
        """Return the game that a role sees in a game that was drawn."""
        if self.lottery is None:
            return self
        return self.lottery.views[role][self.indices[role]]

    def limit(self, role: Role) -> int:
        """The limit of a role, the price of reward 0; its best for a deal if it is not seen."""
        return self.reservation_values[role]

    def find_limit(self, role: Role, limit: int | None) -> int:
        """Return the index of one of a role's hidden limits, or raise BadInputError; None has 0."""
        limits = self.limits[role]
        known = limits.values if limits else (None,)
        if limit not in known:
            expected = f"{either([*map(str, known)])}, as in scenario {self.name}"
            raise refusal(f"limit of the {role}", limit, expected)
        return known.index(limit)

    def limit_index(self, role: Role) -> int:
        return self.indices[role]

    def acceptable_range(self, role: Role) -> PriceRange:
        """The acceptable prices of a role; with hidden limits those of all its limits."""
        prices = (self.seller, self.buyer)[role]
        return _cut(prices, role, self.limit(role)) if self.limits[role] else prices

    @cached_property
    def _games(self) -> "dict[tuple[int, int], Scenario]":
        return {}  # all 10,000 at once would take seconds

    def with_limits(self, limits: Mapping[Role, int], **others: Any) -> "Scenario":
        """Return the game in which the range of a role ends at its limit, the price of reward 0.

        A hidden limit that is not given is the one that is best for a deal. `others` are further
        fields to change. Raises BadInputError if a limit leaves its role no price of the grid.
        """
        values, ranges = list(self.reservation_values), {}
        for role, stated in zip(Role, (self.seller, self.buyer), strict=True):
            if role in limits or self.limits[role]:
                values[role] = limits.get(role, values[role])
                ranges[str(role)] = _cut(stated, role, values[role])
        changed: dict[str, Any] = {**ranges, "reservation": tuple(values), "limits": (None, None)}
        return replace(self, **changed, **others)

    def moved(self, times: int, more: int) -> "Scenario":
        """Return the scenario with all amounts `times` as high and `more` above."""

        def each(amounts: Iterable[int]) -> Any:
            return tuple(times * amount + more for amount in amounts)

        ends = ((side.minimum, side.maximum) for side in (self.seller, self.buyer))
        seller, buyer = (PriceRange(*each(side)) for side in ends)
        limits = pair(side and Limits(each(side.values), side.weights) for side in self.limits)
        worst, prices = self.reservation and each(self.reservation), each(self.prices)
        changed = {"prices": prices, "reservation": worst, "limits": limits}
        return replace(self, seller=seller, buyer=buyer, **changed)

    def _game(self, indices: tuple[int, int], seen: tuple[Role, ...]) -> "Scenario":
        if not self.hidden:
            return self
        drawn = {
            role: limits.values[indices[role]] for role in seen if (limits := self.limits[role])
        }
        return self.with_limits(drawn, lottery=self, indices=indices)

    @property
    def zopa(self) -> tuple[int, int] | None:
        """The lowest and highest price that both accept, with limits best for a deal; or None."""
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
        return pair(
            range(bisect_left(self.prices, side.minimum), bisect_right(self.prices, side.maximum))
            for side in map(self.acceptable_range, Role)
        )

    def legal_actions(self, state: int, role: Role) -> Sequence[int]:
        """The indices of the legal actions of a role in a state, in increasing order."""
        if state == self.final_state:
            return range(0)
        offers = self.offers(role)
        if state == START:
            return offers
        i, time = self.offer_and_time(state)
        closing = range(self.accept if i in offers else self.walk_away, self.n_actions)
        return closing if time == self.rounds - 1 else [*offers, *closing]

    @property
    def time_costs(self) -> bool:
        """True if a deal pays less with each offer, to one role at least."""
        return self.delta != (1.0, 1.0)

    @property
    def delta_text(self) -> str:
        """δ, or that of seller and buyer, after a comma; empty without time costs."""
        different = (f"{each:g}" for each in dict.fromkeys(self.delta))
        return f", δ {'/'.join(different)}" * self.time_costs

    @cached_property
    def time_factors(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """δᵏ for each number k of an offer, 0 … 2·T − 1, seller first."""
        return pair(tuple(accumulate([1.0] + [d] * (2 * self.rounds - 1), mul)) for d in self.delta)

    def discount(self, given: float | None = None) -> float:
        """The discount rate γ that is given, or else the one that suits the scenario.

        That is the published one, or 1 with time costs: time has its price already.
        """
        if given is not None:
            return given
        return 1.0 if self.time_costs else PUBLISHED_DISCOUNT

    def reward(self, role: Role, price: int, offer: int = 0) -> float:
        """The reward of a role for a deal at a price, on this offer; without a deal it is 0."""
        return self.share(role, price) * self.time_factors[role][offer]

    def gains(self, price: int, offer: int = 0) -> tuple[float, float]:
        """Return the coins that seller and buyer get by a deal at a price, on this offer."""
        (cost, worth), (one, other) = self.reservation_values, self.time_factors
        return (price - cost) * one[offer], (worth - price) * other[offer]

    def share(self, role: Role, price: int) -> float:
        """The reward of a role for a deal at a price, at once.

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


ScenarioLike = Scenario | Mapping[str, Any] | str | PathLike[str]  # the arguments of `Scenario.of`


def _checked_reservation(values: Any) -> tuple[int, int] | None:
    if values is None:
        return None
    try:
        a, b = values
    except (TypeError, ValueError):
        raise refusal("reservation", values, "the values of seller and buyer") from None
    return amount("seller.reservation", a), amount("buyer.reservation", b)


def _cut(prices: PriceRange, role: Role, limit: int) -> PriceRange:
    if role is Role.SELLER:
        return PriceRange(max(prices.minimum, limit), prices.maximum)
    return PriceRange(prices.minimum, min(prices.maximum, limit))
