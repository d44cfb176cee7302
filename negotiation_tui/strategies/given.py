"""Strategies that the user brings: known by their words, not by a name in the list."""

from dataclasses import dataclass

from negotiation_tui.strategies.base import Strategy


@dataclass(frozen=True)
class Given(Strategy):
    """A strategy that comes from a file, or from another package that is installed."""

    words: str
    """What one writes to seat it, settings and all."""
