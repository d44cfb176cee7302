"""The sentence below the price bar."""

from negotiation_tui.runtime.text import fitting
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.money import summary
from negotiation_tui.tui.toolkit.canvas import Canvas


def draw_caption(canvas: Canvas, model: Model) -> None:
    """Draw the summary in one line; parts that do not fit are left out."""
    canvas.write(0, 1, fitting(filter(None, summary(model)), canvas.width - 2))
