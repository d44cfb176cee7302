"""Paces of the two-agent screen: the story, then from one offer per second to flat out."""

from negotiation_tui.tui.toolkit.pace import FLAT_OUT, SAMPLE, SEEN, Pace

PACES = (
    Pace("story", "story", 1.0, True, directed=True),
    *SEEN,
    *(Pace(f"{n}n", f"{n:,} negotiations/s", SAMPLE, False, float(n)) for n in (100, 1000, 10000)),
    FLAT_OUT,
)
NAMES = tuple(pace.name for pace in PACES)
STORY, DEFAULT = NAMES.index("story"), NAMES.index("4")
