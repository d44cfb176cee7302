"""The panes of a screen, found in its text or cut out of its frame."""

import re
from typing import Any

from negotiation_tui.tui.toolkit.canvas import Canvas


def headings(text: str) -> dict[int, str]:
    """Return the headings on a screen by their numbers; each stands in a frame or on a line."""
    found = re.findall(r"[─━╶╺] (\d) (.+?) (?=[─━╴╸])", text)
    return {int(number): title for number, title in found}


def inside(model: Any, canvas: Canvas, pane: int) -> list[str]:
    """Return the lines of a pane without its frame, the heading first."""
    part = canvas.subcanvas(model.layout().panes[pane])
    return [part.line(y).rstrip() for y in range(part.height)]
