"""Statistics: agreements and breakdowns by the role that ended them, wallets, rounds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Outcome
from negotiation_tui.learning import kernel

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class CycleStatistics:
    """Counts per cycle."""

    counts: Ints
    """Shape (cycles, N_STATISTICS), with the kernel's columns."""

    @property
    def agreements(self) -> Ints:
        """Shape (cycles, 2): deals, by the role that accepted, seller first."""
        return self.counts[:, kernel.AGREEMENTS : kernel.AGREEMENTS + 2]

    @property
    def breakdowns(self) -> Ints:
        """Shape (cycles, 2): negotiations without a deal, by the role that walked away."""
        return self.counts[:, kernel.BREAKDOWNS : kernel.BREAKDOWNS + 2]

    @property
    def wallets(self) -> Ints:
        """Shape (cycles, 2): sum of the prices received, seller first; the buyer's is negative."""
        paid = self.counts[:, kernel.PRICES]
        return np.stack([paid, -paid], axis=1)

    @property
    def left_over(self) -> int:
        """The seller's gain in the last cycle."""
        return int(self.counts[-1:, kernel.PRICES].sum())

    def to_dict(self) -> dict[str, list[int]]:
        """Return the counts and wallets by name, each a list with one number per cycle."""
        names = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
        columns = np.hstack([self.agreements, self.breakdowns, self.wallets]).T.tolist()
        return dict(zip((*names, "seller_wallet", "buyer_wallet"), columns, strict=True))

    @property
    def total(self) -> "Totals":
        """The sums over all cycles."""
        return Totals(*(int(n) for n in self.counts.sum(axis=0)))


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over any number of negotiations."""

    agreements_seller: int = 0
    agreements_buyer: int = 0
    breakdowns_seller: int = 0
    breakdowns_buyer: int = 0
    paid: int = 0
    """Sum of the agreed prices: the seller's wallet, and minus the buyer's."""
    rounds: int = 0
    """Sum of the rounds to each deal."""

    @property
    def deals(self) -> int:
        """Negotiations that ended in agreement."""
        return self.agreements_seller + self.agreements_buyer

    @property
    def breakdowns(self) -> int:
        """Negotiations that ended without a deal."""
        return self.breakdowns_seller + self.breakdowns_buyer

    @property
    def negotiations(self) -> int:
        """Number of negotiations."""
        return self.deals + self.breakdowns

    @property
    def mean_price(self) -> float | None:
        """Mean price of a deal, None if there is no deal."""
        return self.paid / self.deals if self.deals else None

    @property
    def mean_rounds(self) -> float | None:
        """Mean number of rounds to a deal, None if there is no deal."""
        return self.rounds / self.deals if self.deals else None

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and means as plain values."""
        return {
            "negotiations": self.negotiations,
            "agreements": self.deals,
            "agreements_seller": self.agreements_seller,
            "agreements_buyer": self.agreements_buyer,
            "breakdowns": self.breakdowns,
            "breakdowns_seller": self.breakdowns_seller,
            "breakdowns_buyer": self.breakdowns_buyer,
            "mean_price": self.mean_price,
            "mean_rounds": self.mean_rounds,
        }


def add_outcome(row: Ints, outcome: Outcome) -> None:
    """Add one negotiation to a row of counts."""
    if outcome.price is None:
        row[kernel.BREAKDOWNS + outcome.closer] += 1
        return
    row[kernel.AGREEMENTS + outcome.closer] += 1
    row[kernel.PRICES] += outcome.price
    row[kernel.ROUNDS] += outcome.round + 1
