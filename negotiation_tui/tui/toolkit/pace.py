"""Steps of the ladder of paces, and those that all ladders have."""

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
"""Offers per second where only a sample is shown."""

SEEN = tuple(
    Pace(str(n), f"{n} offer{'s' if n > 1 else ''}/s", float(n), True) for n in (1, 2, 4, 8, 16)
)
"""The steps at which every negotiation is shown."""

FLAT_OUT = Pace("flat", "flat out", SAMPLE, False)
