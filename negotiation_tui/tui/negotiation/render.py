"""Draw a frame: the model on a canvas. Pure."""

from collections.abc import Callable
from functools import partial

from negotiation_tui.tui.negotiation.layout import (
    BUYER_PLAN,
    LEARNING,
    OFFERS,
    PRICE,
    PURSES,
    SELLER_PLAN,
)
from negotiation_tui.tui.negotiation.menus import draw_modal
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.advice import draw_advice
from negotiation_tui.tui.negotiation.panes.frame import (
    draw_caption,
    draw_focus,
    draw_footer,
    draw_time_bar,
    draw_title,
)
from negotiation_tui.tui.negotiation.panes.learning import draw_learning
from negotiation_tui.tui.negotiation.panes.offers import draw_offers
from negotiation_tui.tui.negotiation.panes.play import panes_of_game
from negotiation_tui.tui.negotiation.panes.price_bar import draw_price_bar
from negotiation_tui.tui.negotiation.panes.purses import draw_purses
from negotiation_tui.tui.negotiation.panes.q_tables import draw_table
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_panes, draw_strip

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    PRICE: draw_price_bar,
    SELLER_PLAN: draw_table,
    BUYER_PLAN: draw_table,
    PURSES: draw_purses,
    LEARNING: draw_learning,
    OFFERS: draw_offers,
}
"""Every pane by its number, from 1 without a gap."""
_WORDS = "Price", "Seller", "Buyer", "Purses", "Learning", "Offers"
NAMES = dict(zip(PANES, _WORDS, strict=True))
"""The name of each pane in the strip."""
PLAYED = NAMES | {PURSES: "Score", LEARNING: "Game"}
"""Likewise, while a person plays."""


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
    lines: dict[str, Callable[[Canvas, Model], None]] = {
        "title": draw_title,
        "strip": partial(draw_strip, names=NAMES if model.latest.score is None else PLAYED),
        "caption": draw_caption,
        "advice": draw_advice,
        "time_line": draw_time_bar,
        "focus": draw_focus,
        "footer": draw_footer,
    }
    draw_panes(canvas, model, PANES | panes_of_game(model), lines)
