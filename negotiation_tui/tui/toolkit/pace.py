"""Paces of screens, and the timing of a price bar: slides and pauses. Pure."""

from collections.abc import Iterable
from typing import NamedTuple


class Pace(NamedTuple):
    """One pace of a screen.

    If all negotiations are seen, the session waits for the animation. Otherwise it runs on its own,
    and whenever an animation ends the newest negotiation is shown.
    """

    name: str  # name on the command line
    text: str
    offers: float  # offers per second on the price bar
    seen: bool  # true if every negotiation is shown
    negotiations: float | None = None
    """Negotiations, or ticks of a market, per second if not all are shown; None means flat out."""
    directed: bool = False  # true if the screen chooses what to show, and how slowly


SLIDE_SECONDS = 0.25  # the most seconds that a marker is on its way
SAMPLE = 6.0  # offers per second if only a sample is shown
STORY, STEADY = 0, 3  # the places of the story and of 4 offers per second among all paces


def paces(story: float, unit: str, speeds: Iterable[int]) -> tuple[Pace, ...]:
    """Return the paces of a screen: the story, with its offers per second, then slow to flat out.

    At the first ones every negotiation is shown; then come those at some speeds in a unit.
    """
    seen = (Pace(str(n), f"{n} offer{'s' * (n > 1)}/s", float(n), True) for n in (1, 2, 4, 8, 16))
    samples = (Pace(f"{n}{unit[0]}", f"{n:,} {unit}/s", SAMPLE, False, float(n)) for n in speeds)
    told = Pace("story", "story", story, True, directed=True)
    return told, *seen, *samples, Pace("flat", "flat out", SAMPLE, False)


def slid(elapsed: float, turn_seconds: float) -> float:
    """Return the share of its way (0 to 1) that a marker has moved since the offer."""
    return min(1.0, elapsed / min(SLIDE_SECONDS, 0.6 * turn_seconds))


def rest(turn_seconds: float) -> float:
    """Return the seconds for which the end of a negotiation stays on the bar."""
    return min(1.5, max(0.25, 1.5 * turn_seconds))


def story_turn(turns: int) -> float:
    """Return the seconds per turn of a story's negotiation: fewer if it is long."""
    return min(0.8, max(0.3, 3.2 / max(1, turns)))


def reading_time(text: str) -> float:
    """Return the seconds that a caption stays, so that it can be read at ease."""
    return 1.5 + len(text) / 22
