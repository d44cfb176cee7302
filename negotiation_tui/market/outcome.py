"""A market that was run: its room, and what can be said of it as rows."""

from dataclasses import dataclass
from os import PathLike
from typing import Any, Self

from negotiation_tui.market import summary
from negotiation_tui.market.checkpoint import load_room, save_room
from negotiation_tui.market.headless import trade
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import Room
from negotiation_tui.runtime.text import numbered


@dataclass(frozen=True, eq=False, slots=True)
class Market:
    """Sellers and buyers after they traded.

    `room` has the arrays: `history` and `sold` with a row for every `period` ticks, `wallets`,
    `account("deals")` and so on with an entry an agent of `agents`.
    """

    room: Room

    @classmethod
    def load(cls, path: str | PathLike[str], limit: Limit | None = None) -> Self:
        """A market that `save` or `market --save` wrote, up to its limit or a further one.

        Raises BadInputError where it is none.
        """
        return cls(load_room(path, limit))

    def save(self, path: str | PathLike[str]) -> None:
        """Write it as `.npz`, to go on later; BadInputError where that cannot be done."""
        save_room(path, self.room)

    def run(self) -> Self:
        """Go on to the limit; Ctrl-C breaks off between two ticks and loses nothing."""
        trade(self.room)
        return self

    @property
    def periods(self) -> list[dict[str, Any]]:
        """A row for each stretch of ticks: deals, prices, surplus, efficiency."""
        return summary.periods(self.room)

    @property
    def accounts(self) -> list[dict[str, Any]]:
        """A row for each agent: its deals, the money it received or paid, its surplus."""
        return summary.accounts(self.room)

    @property
    def wallets(self) -> list[dict[str, Any]]:
        """A row for each wallet, of an agent or of a team."""
        return summary.wallets(self.room)

    @property
    def summary(self) -> dict[str, Any]:
        """Competitive price, mean price, dispersion, Smith's α, efficiency and so on."""
        return summary.summary(self.room)

    def to_dict(self) -> dict[str, Any]:
        """The summary and all rows, as `market --json` prints them."""
        return summary.market_dict(self.room)

    def __repr__(self) -> str:
        room = self.room
        who = f"{len(room.agents):,} agents in {room.scenario.name}"
        return f"<Market {who}: {numbered(room.negotiations, 'negotiation')}, seed {room.seed}>"
