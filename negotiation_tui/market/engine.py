"""Running the floor of a market: plain or compiled, and the form its rows take for it."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from negotiation_tui.learning.backend import PLAIN, Backend, compile_backend
from negotiation_tui.learning.kernel import SeatArrays
from negotiation_tui.market.ledger import Ledger, Side
from negotiation_tui.market.matching import free, match_pairs, wait
from negotiation_tui.market.settlement import mark_busy, settle
from negotiation_tui.market.tick_loop import Trade, trade
from negotiation_tui.runtime.jit import cached_njit

_FLOATS = {"floor", "excess", "fall", "epsilons", "kept", "chances"}
_WIDE = ("learning_rates", "discount_rates", "q", "best", "rewards")
NARROW = ("actions", "n_actions", "legal", "n_legal")  # at most 1002 actions
_SMALL = {"turns", "explored", "statistics"}
_PLACES = {"pairs", "in_group", "free"}


@dataclass(frozen=True, slots=True)
class Engine:
    """One way to run the floor."""

    backend: Backend
    trade: Trade

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """By its name, as pickle needs it: compiled functions have no place of their own."""
        return engine_named, (self.backend.name,)

    def side(self, side: Side) -> Side:
        """A side in this engine's form."""
        seats = {"n_learners", "learners", "others"}
        formed = self.rows({k: v for k, v in side._asdict().items() if k not in seats})
        return Side(side.n_learners, self._seat(side.learners), self._seat(side.others), **formed)

    def _seat(self, seat: SeatArrays) -> SeatArrays:
        """A seat whose tables take half the room, for many of them do not fit into a cache."""
        narrow: dict[str, Any] = {
            name: self.backend.row(np.asarray(getattr(seat, name), np.int16)) for name in NARROW
        }
        frozen = {"frozen_actions": narrow["actions"], "frozen_n_actions": narrow["n_actions"]}
        formed: dict[str, Any] = {
            name: self.backend.row(np.asarray(getattr(seat, name), np.float64)) for name in _WIDE
        }
        return seat._replace(**formed, **narrow, **frozen)

    def books(self, books: Ledger) -> Ledger:
        """Books in this engine's form."""
        return Ledger(**self.rows(books._asdict()))

    def rows(self, named: dict[str, Any]) -> dict[str, Any]:
        """Rows of a side or of books in this engine's form, by their names."""
        return {name: self._row(name, value) for name, value in named.items()}

    def _row(self, name: str, value: Any) -> Any:
        kind: type = np.float64 if name in _FLOATS else np.int64
        if name in _SMALL:
            kind = np.int32
        elif name in _PLACES:
            kind = np.uint32  # never below 0, see NOT_NEGATIVE
        return self.backend.row(np.asarray(value, kind))


PLAIN_ENGINE = Engine(PLAIN, trade)
LARGE = 10_000
"""So many agents make a large room."""


def engine_for(agents: int) -> Engine:
    """What a room opens with: a large one takes longer to form for plain Python than to compile."""
    return (compiled_engine() if agents >= LARGE else None) or PLAIN_ENGINE


def engine_named(name: str) -> Engine:
    """The engine of that backend; the plain one does the same where there is no numba."""
    return (compiled_engine() if name != PLAIN.name else None) or PLAIN_ENGINE


@cache
def compiled_engine() -> Engine | None:
    """The compiled engine, or None without numba; it compiles when it is first used, in seconds."""
    backend = compile_backend()
    if backend is None:
        return None
    parts = {
        "play": backend.play,
        "free": cached_njit(free),
        "match_pairs": cached_njit(match_pairs, {"wait": cached_njit(wait)}),
        "settle": cached_njit(settle),
        "mark_busy": cached_njit(mark_busy),
    }
    return Engine(backend, cached_njit(trade, parts))
