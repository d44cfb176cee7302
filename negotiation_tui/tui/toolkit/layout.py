"""Areas of panes on a screen, and the smallest size that shows anything."""

from collections.abc import Mapping
from dataclasses import dataclass

from negotiation_tui.tui.toolkit.canvas import Rect

MIN_WIDTH, MIN_HEIGHT = 40, 7
"""The smallest screen that can show anything, in cells."""

WIDE, TALL = 100, 28
"""The smallest screen that shows panes side by side and above each other."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The areas of the panes on the screen, and of the lines around them."""

    panes: Mapping[int, Rect]
    title: Rect
    footer: Rect | None = None
    advice: Rect | None = None
    summary: Rect | None = None
    """One line of statistics, if their pane has no room."""


@dataclass(frozen=True, slots=True)
class TooSmall:
    """The screen is too small; `width` and `height` are what it needs."""

    width: int = MIN_WIDTH
    height: int = MIN_HEIGHT
