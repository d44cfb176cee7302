"""Paces of a screen, and those that all screens share."""

from typing import NamedTuple


class Pace(NamedTuple):
    """One pace of a screen.

    If all negotiations are seen, the session waits for the animation. Otherwise it runs on its own,
    and whenever an animation ends the newest negotiation is shown.
    """

    name: str
    """Name on the command line."""
    text: str
    offers: float
    """Offers per second on the price bar."""
    seen: bool
    """True if every negotiation is shown."""
    negotiations: float | None = None
    """Negotiations, or ticks of a market, per second if not all are shown; None means flat out."""
    directed: bool = False
    """True if the screen chooses what to show, and how slowly."""


SAMPLE = 6.0
"""Offers per second if only a sample is shown."""

SEEN = tuple(
    Pace(str(n), f"{n} offer{'s' if n > 1 else ''}/s", float(n), True) for n in (1, 2, 4, 8, 16)
)
"""The paces at which every negotiation is shown."""

FLAT_OUT = Pace("flat", "flat out", SAMPLE, False)
