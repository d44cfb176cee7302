"""What a static strategy is."""

from typing import ClassVar, Protocol

import numpy as np

from negotiation_tui.negotiation import Position


class Strategy(Protocol):
    """A rule that turns a position into an action, and keeps nothing from one to the next.

    An instance may hold settings, never a memory: the same position and the same draws must give
    the same action, so that one instance can sit in both seats and be tabulated.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for a menu."""
    heeds_time: ClassVar[bool]
    """Whether the answer depends on the time before the last decision; tables are built faster
    where it does not."""

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The index of a legal action in this position."""
