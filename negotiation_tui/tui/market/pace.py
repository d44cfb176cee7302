"""Paces of a market: from one offer per second in every pair up to flat out."""

from negotiation_tui.tui.toolkit.pace import FLAT_OUT, SAMPLE, SEEN, Pace

PACES = (
    *SEEN,
    *(Pace(f"{n}t", f"{n:,} ticks/s", SAMPLE, False, float(n)) for n in (10, 100, 1000)),
    FLAT_OUT,
)
NAMES = tuple(pace.name for pace in PACES)
DEFAULT = NAMES.index("4")
