"""Numbers and labels of states and actions, as in the original.

With P prices on the grid and T rounds:

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

from bisect import bisect_left
from functools import cached_property

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import States
from negotiation_tui.runtime.validate import refusal

START = 0


class Numbering:
    """The part of a scenario that numbers its states and actions."""

    name: str
    prices: tuple[int, ...]
    rounds: int
    states: States

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
        """True if states also tell opener from responder."""
        return self.states is States.OPENER_AWARE

    @cached_property
    def n_actions(self) -> int:
        """Columns of a Q-table: P + 2."""
        return self.n_prices + 2

    @cached_property
    def accept(self) -> int:
        """The index of the action that accepts the standing offer."""
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
        """The row of state `price.time`; `opened` matters for opener-aware states only.

        Raises BadInputError if the price is not on the grid or the time is not a round.
        """
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
        """The original's label: the price offered, `0` for accept or `-1` for walking away."""
        if action == self.accept:
            return "0"
        if action == self.walk_away:
            return "-1"
        return str(self.prices[action])
