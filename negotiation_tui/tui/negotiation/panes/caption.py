"""The sentence below the price bar."""

from negotiation_tui.runtime.text import fitting
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes import money
from negotiation_tui.tui.toolkit.canvas import Canvas


def draw_caption(canvas: Canvas, model: Model) -> None:
    """Draw wallets, NashConv and deals in one line; parts that do not fit are left out."""
    nash_conv = model.learned.nash_conv
    judged = "" if nash_conv is None else f"NashConv {nash_conv.total:.2f}"
    last = money.speed(model) or money.exploration(model)
    parts = money.wallets(model), judged, *money.deals(model), last
    canvas.write(0, 1, fitting(filter(None, parts), canvas.width - 2))
