"""The line of the past and the present, above the footer; on a small screen with the purses."""

from negotiation_tui.tui.negotiation.layout import PURSES
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.play import score_line
from negotiation_tui.tui.negotiation.panes.purses import purses_line
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets import time_bar

_HINTS = (
    (("back",), "back"),
    (("earlier", "later"), "cycle"),
    (("first", "last"), "ends"),
    (("go",), "go to"),
)
_BOTH = 76
"""The least width of a line with both the purses and the past."""


def draw_time_bar(canvas: Canvas, model: Model) -> None:
    """Draw the moment shown between the beginning and the end of the training."""
    if model.area_of(PURSES) is None and not model.zoomed and canvas.width >= _BOTH:
        x = 1
        playing = model.latest.score is not None
        parts = score_line(model) if playing else purses_line(model, canvas.width)
        for text, style in parts:
            canvas.write(0, x, text, style)
            x += len(text)
        canvas = canvas.subcanvas(Rect(0, x + 1, 1, canvas.width - x - 1))
    line, past = model.latest.course, model.past
    hints = tuple(
        (" ".join(model.keys[command] for command in commands), word) for commands, word in _HINTS
    )
    here, wanted = model.snapshot.course.now, past.wanted if past.asked else None
    time_bar.draw_time_bar(canvas, line, here, hints, not model.in_present, wanted, past.typed)
