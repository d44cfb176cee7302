"""How fast: from one offer a second, every one of them seen, up to flat out."""

from negotiation_tui.tui.toolkit.pace import Pace

SAMPLE = 6.0
"""Offers a second of what is shown now and then."""

PACES = (
    *(Pace(str(n), f"{n} offer{'s' if n > 1 else ''}/s", float(n), True) for n in (1, 2, 4, 8, 16)),
    *(Pace(f"{n}n", f"{n:,} negotiations/s", SAMPLE, False, float(n)) for n in (100, 1000, 10000)),
    Pace("flat", "flat out", SAMPLE, False),
)
NAMES = tuple(pace.name for pace in PACES)
DEFAULT = NAMES.index("4")
