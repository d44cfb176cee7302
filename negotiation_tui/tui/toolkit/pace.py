"""One step of the ladder of paces."""

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
