"""Paces of the two-agent screen: the story, then from one offer per second to flat out."""

from negotiation_tui.tui.toolkit.pace import paces

PACES = paces(1.0, "negotiations", (100, 1000, 10000))
NAMES = tuple(pace.name for pace in PACES)
