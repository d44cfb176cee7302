"""The line of the past and the present, above the footer."""

from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets import time_bar

_HINTS = (
    (("back",), "back"),
    (("earlier", "later"), "cycle"),
    (("first", "last"), "ends"),
    (("go",), "go to"),
)


def draw_time_bar(canvas: Canvas, model: Model) -> None:
    """Draw the moment shown between the beginning and the end of the training."""
    line, past = model.latest.course, model.past
    hints = tuple(
        (" ".join(model.keys[command] for command in commands), word) for commands, word in _HINTS
    )
    view = time_bar.TimeBarView(
        line,
        model.snapshot.course.now,
        not model.in_present,
        past.wanted if past.asked else None,
        past.typed,
    )
    time_bar.draw_time_bar(canvas, view, hints)
