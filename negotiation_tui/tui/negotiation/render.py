"""Draw a frame: the model on a canvas. Pure."""

from collections.abc import Callable

from negotiation_tui.tui.negotiation.layout import (
    BUYER_TABLE,
    OFFERS,
    PRICE,
    SELLER_TABLE,
    STATISTICS,
)
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.advice import draw_advice
from negotiation_tui.tui.negotiation.panes.frame import draw_footer, draw_modal, draw_title
from negotiation_tui.tui.negotiation.panes.offers import draw_offers
from negotiation_tui.tui.negotiation.panes.plans import draw_plan
from negotiation_tui.tui.negotiation.panes.price_bar import draw_price_bar
from negotiation_tui.tui.negotiation.panes.statistics import draw_statistics, draw_summary
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_panes

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    PRICE: draw_price_bar,
    OFFERS: draw_offers,
    SELLER_TABLE: draw_plan,
    BUYER_TABLE: draw_plan,
    STATISTICS: draw_statistics,
}
"""Every pane by its number, from 1 without a gap."""


def render(model: Model) -> Canvas:
    """Draw the whole screen, in the model's width and height."""
    canvas = Canvas(model.width, model.height)
    draw(canvas, model)
    draw_modal(canvas, model)
    if model.ascii:
        canvas.to_ascii()
    return canvas


def draw(canvas: Canvas, model: Model) -> None:
    """Draw everything except the box on top, on a canvas of the model's width and height."""
    lines = {
        "title": draw_title,
        "advice": draw_advice,
        "summary": draw_summary,
        "footer": draw_footer,
    }
    draw_panes(canvas, model, PANES, lines)
