"""Engines for the tick loop, plain and compiled, and the arrays each of them needs."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import compile_backend
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.learner_functions import jitted
from negotiation_tui.market.learner_pair import play_pair
from negotiation_tui.market.ledger import Ledger, Side
from negotiation_tui.market.matching import free, match_pairs, wait
from negotiation_tui.market.settlement import mark_busy, settle
from negotiation_tui.market.tick_loop import Trade, trade
from negotiation_tui.runtime.jit import cached_njit

_FLOATS = {"floor", "excess", "decay", "epsilons", "saved_rewards", "note_epsilons"}
_WIDE = ("learning_rates", "discount_rates", "q", "best", "cumulative", "rewards")
NARROW = ("actions", "n_actions")  # at most 1002 actions
_SMALL = {"turns", "explored", "statistics", "offers"}
_INDICES = {"pairs", "in_group", "free"}


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to run the tick loop."""

    backend: Backend
    trade: Trade

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle the engine by its name, because compiled functions cannot be pickled."""
        return engine_named, (self.backend.name,)

    def side(self, side: Side) -> Side:
        """Return a side in this engine's form."""
        seats = {"n_learners", "learners", "static"}
        rows = self.rows({k: v for k, v in side._asdict().items() if k not in seats})
        return Side(side.n_learners, self._seat(side.learners), self._seat(side.static), **rows)

    def _seat(self, seat: SeatArrays) -> SeatArrays:
        """Return a seat with narrow integers, so that more of its tables fit into the cache."""
        narrow: dict[str, Any] = {
            name: self.backend.row(np.asarray(getattr(seat, name), np.int16)) for name in NARROW
        }
        frozen = {"frozen_actions": narrow["actions"], "frozen_n_actions": narrow["n_actions"]}
        wide: dict[str, Any] = {
            name: self.backend.row(np.asarray(getattr(seat, name), np.float64)) for name in _WIDE
        }
        return seat._replace(**wide, **narrow, **frozen)

    def ledger(self, ledger: Ledger) -> Ledger:
        """Return a ledger in this engine's form."""
        return Ledger(**self.rows(ledger._asdict()))

    def rows(self, named: dict[str, Any]) -> dict[str, Any]:
        """Return named arrays of a side or a ledger in this engine's form."""
        return {name: self._row(name, value) for name, value in named.items()}

    def _row(self, name: str, value: Any) -> Any:
        kind: type = np.float64 if name in _FLOATS else np.int64
        if name in _SMALL:
            kind = np.int32
        elif name in _INDICES:
            kind = np.uint32  # not negative, see NOT_NEGATIVE
        return self.backend.row(np.asarray(value, kind))


PLAIN_ENGINE = Engine(PLAIN, trade)
LARGE = 10_000
"""Markets of at least `LARGE` agents start compiled: copying their arrays to lists takes longer."""


def engine_for(agents: int) -> Engine:
    """Return the engine that a market of `agents` agents starts with."""
    return (compiled_engine() if agents >= LARGE else None) or PLAIN_ENGINE


def engine_named(name: str) -> Engine:
    """Return the engine of a backend; without numba the plain one, which gives equal results."""
    return (compiled_engine() if name != PLAIN.name else None) or PLAIN_ENGINE


@cache
def compiled_engine() -> Engine | None:
    """Return the compiled engine, None without numba; its first use compiles it, in seconds."""
    backend = compile_backend()
    if backend is None:
        return None
    parts = {
        "play": backend.play,
        "play_pair": jitted(play_pair),
        "free": cached_njit(free),
        "match_pairs": cached_njit(match_pairs, {"wait": cached_njit(wait)}),
        "settle": cached_njit(settle),
        "mark_busy": cached_njit(mark_busy),
    }
    return Engine(backend, cached_njit(trade, parts))
