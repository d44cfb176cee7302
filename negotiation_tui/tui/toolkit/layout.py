"""Places of panes on a screen, and the smallest size that shows anything."""

from collections.abc import Mapping
from dataclasses import dataclass

from negotiation_tui.tui.toolkit.canvas import Rect

MIN_WIDTH, MIN_HEIGHT = 40, 7
"""The smallest screen that can show anything, in cells."""

WIDE, TALL = 100, 28
"""The smallest screen that shows panes side by side and one above the other."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of the panes on the screen, and of the lines around them."""

    panes: Mapping[int, Rect]
    title: Rect
    footer: Rect | None = None
    advice: Rect | None = None
    summary: Rect | None = None
    """The one line of statistics, where their pane has no room."""


@dataclass(frozen=True, slots=True)
class TooSmall:
    """Nothing can be shown below this size."""

    width: int = MIN_WIDTH
    height: int = MIN_HEIGHT
