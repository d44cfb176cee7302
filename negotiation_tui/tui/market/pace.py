"""Paces of a market: the story, then from one offer per second in every pair to flat out."""

from negotiation_tui.tui.toolkit.pace import SAMPLE, Pace, paces

PACES = paces(4.0, "ticks", (10, 100, 1000))
NAMES = tuple(pace.name for pace in PACES)
_SLOW, _QUICK = 2, 6
"""Negotiations after which the story shows the offers quicker, and then only samples."""
_SECONDS = 100


def story(tick: int, ticks: int, length: int) -> Pace:
    """Return the pace of the story after some ticks; a negotiation takes up to `length` ticks."""
    if tick >= _QUICK * length:
        return Pace("story", "story", SAMPLE, False, max(1.0, ticks / _SECONDS), directed=True)
    return Pace("story", "story", 4.0 if tick < _SLOW * length else 16.0, True, directed=True)
