"""The subgame-perfect equilibrium, by backward induction.

Alternating offers with a deadline are a finite game of perfect information (Ståhl 1972). Its
decisions are plies: the opener decides at even ones, the responder at odd ones, 2·T in all, each
facing the price that the other offered at the ply before. A role that makes n decisions on the
way to a deal of worth r gets γⁿ⁻¹·r, where γ discounts between its own decisions as in its
Q-table; with γ = 1 worth is undiscounted. From the deadline backwards every ply is solved at once
for all prices on the table.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position, Transcript, play_out
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT, Scenario

DISCOUNT = PUBLISHED_DISCOUNT
"""The default discount rate of every solver."""
EQUAL = 1e-12
"""Worths closer than this are the same."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class TieBreak(StrEnum):
    """What a mover does with a price that it gains nothing by refusing."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A subgame-perfect equilibrium of the negotiations that one role opens."""

    scenario: Scenario
    opener: Role
    tie_break: TieBreak
    actions: Ints
    """Shape (2·T, P): what the mover of each ply does with each price on the table; the opening
    offer is `actions[0, 0]`."""
    values: tuple[float, float]
    """What the negotiation is worth to seller and buyer, each at its own first decision."""

    def action(self, position: Position) -> int:
        """What the mover does in a position of the negotiations that this opener opens."""
        return int(self.actions[position.ply, position.standing_offer_index])

    @property
    def prices(self) -> Floats:
        """Shape (2·T, P): the price that the mover of each ply offers with each price on the table.

        NaN where it accepts or quits; the opening offer is `prices[0, 0]`.
        """
        grid = np.array([*self.scenario.prices, np.nan, np.nan])
        offered: Floats = grid[self.actions]
        return offered

    def to_dict(self) -> dict[str, list[Any]]:
        """A column for each thing to say of a ply with a price on the table, the opening first."""
        scenario, P = self.scenario, self.scenario.n_prices
        at = [(ply, i) for ply in range(len(self.actions)) for i in range(P if ply else 1)]
        movers = str(self.opener), str(self.opener.other)
        return {
            "round": [ply // 2 + 1 for ply, _ in at],
            "role": [movers[ply % 2] for ply, _ in at],
            "on_table": [scenario.prices[i] if ply else None for ply, i in at],
            "action": [scenario.action_label(self.actions[ply, i]) for ply, i in at],
        }

    def __repr__(self) -> str:
        seller, buyer = self.values
        worth = f"worth {seller:.4f} to the seller, {buyer:.4f} to the buyer"
        return f"<Equilibrium {self.scenario.name}, {self.path}; {worth}>"

    @cached_property
    def path(self) -> Transcript:
        """The negotiation that equilibrium players have."""
        return play_out(self.scenario, self.opener, self.action)


def solve(
    scenario: Scenario,
    opener: Role,
    discount_rate: float = DISCOUNT,
    tie_break: TieBreak = TieBreak.ACCEPT,
) -> Equilibrium:
    """The subgame-perfect equilibrium of the negotiations that one role opens.

    Of equally good offers the mover makes the one whose price it likes best. A mover that gains
    nothing by refusing a price accepts it, and offers rather than quits; with
    `TieBreak.REJECT` it is the other way round.
    """
    P, plies = scenario.n_prices, 2 * scenario.rounds
    lenient = tie_break is TieBreak.ACCEPT
    reward = [rewards(scenario, role) for role in Role]
    actions = np.empty((plies, P), np.int64)
    # With each price on the table: the mover's worth, and that of the other, who offered it.
    mover, other = np.zeros(P), np.zeros(P)
    for ply in reversed(range(plies)):
        role = opener if ply % 2 == 0 else opener.other
        legal = np.array(scenario.offers(role))
        refusal, worth, left = scenario.walk_away, 0.0, 0.0
        if ply < plies - 1:
            best = legal[other[legal] >= other[legal].max() - EQUAL]
            offer = int(best[-1] if role is Role.SELLER else best[0])
            if ply == 0 or other[offer] > (-EQUAL if lenient else EQUAL):
                later = discount_rate if ply else 1.0
                refusal, worth, left = offer, float(other[offer]), later * float(mover[offer])
        accepts = np.zeros(P, bool)
        accepts[legal] = reward[role][legal] > worth + (-EQUAL if lenient else EQUAL)
        actions[ply] = np.where(accepts & (ply > 0), scenario.accept, refusal)
        mover = np.where(accepts, reward[role], worth)
        other = np.where(accepts, reward[role.other], left)
    values = (worth, left) if opener is Role.SELLER else (left, worth)
    return Equilibrium(scenario, opener, tie_break, actions, values)


def rewards(scenario: Scenario, role: Role) -> Floats:
    """What a deal at each price is worth to a role, shape (P,)."""
    return np.array([scenario.reward(role, price) for price in scenario.prices])
