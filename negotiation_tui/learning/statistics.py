"""What is counted: transactions by the role that closed them, wallets, rounds."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Outcome
from negotiation_tui.learning import kernel

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class CycleStatistics:
    """Counts a cycle: `counts` has shape (cycles, N_STATISTICS), its columns are the kernel's."""

    counts: Ints

    @property
    def validated(self) -> Ints:
        """Shape (cycles, 2): deals, by the role that accepted, seller first."""
        return self.counts[:, kernel.VALIDATED : kernel.VALIDATED + 2]

    @property
    def rejected(self) -> Ints:
        """Shape (cycles, 2): negotiations without a deal, by the role that quit."""
        return self.counts[:, kernel.REJECTED : kernel.REJECTED + 2]

    @property
    def wallets(self) -> Ints:
        """Shape (cycles, 2): what each role's wallet gained; the buyer's is the seller's, less."""
        paid = self.counts[:, kernel.PRICES]
        return np.stack([paid, -paid], axis=1)

    @property
    def left_over(self) -> int:
        """What the seller's wallet gained in the cycle that was played last."""
        paid = self.counts[:, kernel.PRICES]
        return int(paid[-1]) if len(paid) else 0

    def to_dict(self) -> dict[str, list[int]]:
        """A column for each count, with an entry a cycle."""
        names = ("validated_seller", "validated_buyer", "rejected_seller", "rejected_buyer")
        columns = np.hstack([self.validated, self.rejected, self.wallets]).T.tolist()
        return dict(zip((*names, "seller_wallet", "buyer_wallet"), columns, strict=True))

    @property
    def total(self) -> "Totals":
        """All cycles together."""
        return Totals(*(int(n) for n in self.counts.sum(axis=0)))


@dataclass(frozen=True, slots=True)
class Totals:
    """The same counts over any number of negotiations."""

    validated_seller: int = 0
    validated_buyer: int = 0
    rejected_seller: int = 0
    rejected_buyer: int = 0
    paid: int = 0
    """Sum of the prices agreed on: the seller's wallet; the buyer's is minus that."""
    rounds: int = 0
    """Sum of the rounds that the deals took."""

    @property
    def deals(self) -> int:
        """Negotiations that ended in agreement."""
        return self.validated_seller + self.validated_buyer

    @property
    def rejections(self) -> int:
        """Negotiations that ended without."""
        return self.rejected_seller + self.rejected_buyer

    @property
    def negotiations(self) -> int:
        """All of them."""
        return self.deals + self.rejections

    @property
    def mean_price(self) -> float | None:
        """Mean price of a deal, None without any."""
        return self.paid / self.deals if self.deals else None

    @property
    def mean_rounds(self) -> float | None:
        """Mean number of rounds to a deal, None without any."""
        return self.rounds / self.deals if self.deals else None

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "negotiations": self.negotiations,
            "validated": self.deals,
            "validated_seller": self.validated_seller,
            "validated_buyer": self.validated_buyer,
            "rejected": self.rejections,
            "rejected_seller": self.rejected_seller,
            "rejected_buyer": self.rejected_buyer,
            "mean_price": self.mean_price,
            "mean_rounds": self.mean_rounds,
        }


def add_outcome(row: Ints, outcome: Outcome) -> None:
    """Count one negotiation into a row of counts."""
    if outcome.price is None:
        row[kernel.REJECTED + outcome.closer] += 1
        return
    row[kernel.VALIDATED + outcome.closer] += 1
    row[kernel.PRICES] += outcome.price
    row[kernel.ROUNDS] += outcome.round + 1
