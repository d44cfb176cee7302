"""How fast: from one offer a second, every one of them seen, up to flat out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """One step of the ladder.

    Up to 30 offers a second the trainer waits for the animation: what is seen is what is learnt,
    one for one. Above, the trainer goes its own way, and the newest negotiation is shown each
    time the bar is free.
    """

    name: str
    """As the command line writes it."""
    text: str
    offers: float
    """Offers a second on the price bar."""
    seen: bool
    """Whether every negotiation is shown."""
    negotiations: float | None = None
    """Negotiations, or ticks of a market, a second where not all are shown; None is flat out."""


SAMPLE = 6.0
"""Offers a second of what is shown now and then."""

PACES = (
    *(Pace(str(n), f"{n} offer{'s' if n > 1 else ''}/s", float(n), True) for n in (1, 2, 4, 8, 16)),
    *(Pace(f"{n}n", f"{n:,} negotiations/s", SAMPLE, False, float(n)) for n in (100, 1000, 10000)),
    Pace("flat", "flat out", SAMPLE, False),
)
NAMES = tuple(pace.name for pace in PACES)
DEFAULT = NAMES.index("4")
