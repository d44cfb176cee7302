"""Compute the subgame-perfect equilibrium by backward induction.

Alternating offers with a deadline are a finite game of perfect information (Ståhl 1972). Its
decisions are 2·T plies: the opener decides at even plies, the responder at odd ones, each facing
the opponent's last offer. A role that makes n decisions before a deal with reward r gets γⁿ⁻¹·r:
γ discounts between its own decisions, as in its Q-table. With time costs a deal on offer k pays a
role δᵏ of its reward. From the deadline backwards each ply is solved for all standing offers at
once, in units of a deal on the standing offer: one more offer costs 1 − δ of everything after it.
"""

from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.solvers.payoffs import Payoffs

EQUAL = 1e-12  # values that differ by less are equal


class TieBreak(StrEnum):
    """The response to a standing offer if accepting and not accepting have the same value."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The subgame-perfect equilibrium of the negotiations that one role opens."""

    scenario: Scenario
    opener: Role
    tie_break: TieBreak
    actions: Ints
    """Shape (2·T, P): the action at each ply for each standing offer; the opening offer is
    `actions[0, 0]`."""
    values: tuple[float, float]
    """The value of the negotiation for seller and buyer, each at its own first decision."""

    def action(self, position: Position) -> int:
        """The equilibrium action in a position; its negotiation must have the same opener."""
        return int(self.actions[position.ply, position.standing_offer_index])

    @property
    def prices(self) -> Floats:
        """Shape (2·T, P): the price offered at each ply for each standing offer, or NaN."""
        grid = np.array([*self.scenario.prices, np.nan, np.nan])
        return np.asarray(grid[self.actions])

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with one entry per ply and standing offer, the opening first."""
        scenario, P = self.scenario, self.scenario.n_prices
        at = [(ply, i) for ply in range(len(self.actions)) for i in range(P if ply else 1)]
        roles = str(self.opener), str(self.opener.other)
        return {
            "round": [ply // 2 + 1 for ply, _ in at],
            "role": [roles[ply % 2] for ply, _ in at],
            "standing_offer": [scenario.prices[i] if ply else None for ply, i in at],
            "action": [scenario.action_label(self.actions[ply, i]) for ply, i in at],
        }

    def __repr__(self) -> str:
        seller, buyer = self.values
        values = f"worth {seller:.4f} to the seller, {buyer:.4f} to the buyer"
        return f"<Equilibrium {self.scenario.name}, {self.path}; {values}>"

    @cached_property
    def path(self) -> Transcript:
        return play_out(self.scenario, self.opener, self.action)


def solve(
    scenario: Scenario,
    opener: Role,
    discount_rate: float | None = None,
    tie_break: TieBreak = TieBreak.ACCEPT,
) -> Equilibrium:
    """Return the subgame-perfect equilibrium of the negotiations that one role opens.

    Of equally good offers the one with the best price for its role is made. Of other equally good
    actions accepting comes first, offering second and walking away last; with `TieBreak.REJECT`
    the order is reversed. `discount_rate` None means that of `Scenario.discount`. Raises
    BadInputError for a scenario with hidden limits; the games that are drawn from it, and those
    that a role sees, can be solved.
    """
    if scenario.hidden:
        raise BadInputError(
            f"scenario {scenario.name}: expected limits that both roles know, got hidden ones;"
            " a subgame-perfect equilibrium needs perfect information"
        )
    P, plies = scenario.n_prices, 2 * scenario.rounds
    rate, lenient = scenario.discount(discount_rate), tie_break is TieBreak.ACCEPT
    reward = [Payoffs.of(scenario, role).rewards[:, 0] for role in Role]
    actions = np.empty((plies, P), np.int64)
    # Per standing offer: the value for the role that moves, and for its opponent.
    mover, other = np.zeros(P), np.zeros(P)
    for ply in reversed(range(plies)):
        role = opener if ply % 2 == 0 else opener.other
        legal, left = np.array(scenario.offers(role)), scenario.delta if ply else (1.0, 1.0)
        response, value, opponent_value = scenario.walk_away, 0.0, 0.0
        if ply < plies - 1:
            best = legal[other[legal] >= other[legal].max() - EQUAL]
            offer = int(best[-1] if role is Role.SELLER else best[0])
            if ply == 0 or other[offer] > (-EQUAL if lenient else EQUAL):
                discount = rate if ply else 1.0
                response, value = offer, left[role] * float(other[offer])
                opponent_value = left[role.other] * discount * float(mover[offer])
        accepts = np.zeros(P, bool)
        accepts[legal] = reward[role][legal] > value + (-EQUAL if lenient else EQUAL)
        actions[ply] = np.where(accepts & (ply > 0), scenario.accept, response)
        mover = np.where(accepts, reward[role], value)
        other = np.where(accepts, reward[role.other], opponent_value)
    values = (value, opponent_value) if opener is Role.SELLER else (opponent_value, value)
    return Equilibrium(scenario, opener, tie_break, actions, values)


@lru_cache(maxsize=512)
def spe_price(scenario: Scenario, opener: Role) -> int | None:
    """Return the subgame-perfect equilibrium price; None without, or if limits are hidden."""
    return None if scenario.hidden else solve(scenario, opener).path.outcome.price
