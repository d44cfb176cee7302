"""The line of the past and the present, above the footer."""

from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas


def draw_time_bar(canvas: Canvas, model: Model) -> None:
    """Draw nothing yet."""
