"""A frame: the model drawn on a canvas. Pure."""

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
from negotiation_tui.tui.negotiation.panes.frame import draw_footer, draw_overlay, draw_title
from negotiation_tui.tui.negotiation.panes.offers import draw_offers
from negotiation_tui.tui.negotiation.panes.price_bar import draw_price_bar
from negotiation_tui.tui.negotiation.panes.q_tables import draw_table
from negotiation_tui.tui.negotiation.panes.statistics import draw_statistics, draw_summary
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.layout import TooSmall
from negotiation_tui.tui.toolkit.widgets import draw_too_small

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    PRICE: draw_price_bar,
    OFFERS: draw_offers,
    SELLER_TABLE: draw_table,
    BUYER_TABLE: draw_table,
    STATISTICS: draw_statistics,
}
"""Every pane by its number: numbers run from 1, without a gap."""


def render(model: Model) -> Canvas:
    """The whole screen, as wide and high as the model says."""
    canvas = Canvas(model.width, model.height)
    draw(canvas, model)
    draw_overlay(canvas, model)
    if model.ascii:
        canvas.to_ascii()
    return canvas


def draw(canvas: Canvas, model: Model) -> None:
    """Everything but what lies on top, on a canvas as wide and high as the model says."""
    placed = model.layout()
    if isinstance(placed, TooSmall):
        draw_too_small(canvas, placed, model.keys)
        return
    draw_title(canvas.subcanvas(placed.title), model)
    for pane, place in placed.panes.items():
        PANES[pane](canvas.subcanvas(place), model, pane)
    if placed.advice:
        draw_advice(canvas.subcanvas(placed.advice), model)
    if placed.summary:
        draw_summary(canvas.subcanvas(placed.summary), model)
    if placed.footer:
        draw_footer(canvas.subcanvas(placed.footer), model)
