"""The screens that a lesson can be shown on."""

from collections.abc import Callable
from typing import Any, NamedTuple

from negotiation_tui.tui.market import pace as market_pace
from negotiation_tui.tui.market import render as market_render
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.market.model import Model as MarketModel
from negotiation_tui.tui.negotiation import pace, render, update
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

_REPORTS = "score", "test"
"""Boxes that only show something, so that the panel keeps its keys."""


class InnerScreen(NamedTuple):
    """One kind of screen, as the functions that the tour needs of it."""

    first: Callable[[Any, RenderOptions, str], Any]
    """Returns the model of a new session's snapshot at a pace, paused."""
    update: Callable[[Any, Any], Any]
    render: Callable[[Any], Canvas]
    takes_keys: Callable[[Any], bool]
    """True if a box or something typed on the screen needs all keys."""


def _pair(snapshot: Any, options: RenderOptions, pace_name: str) -> Model:
    begin = Begin(pace.NAMES.index(pace_name), paused=True, advice=False)
    return update.start(first_model(snapshot, begin).drawn_with(options))


def _market(snapshot: Any, options: RenderOptions, pace_name: str) -> MarketModel:
    pace_index = market_pace.NAMES.index(pace_name)
    model = MarketModel(snapshot, snapshot, pace_index=pace_index, running=False)
    return market_update.start(model.drawn_with(options))


def _pair_takes_keys(model: Model) -> bool:
    typed = model.past.typed is not None or model.price_typed
    return model.modal not in {None, *_REPORTS} or bool(typed)


def _market_takes_keys(model: MarketModel) -> bool:
    return model.modal is not None or model.typing or model.going is not None


TWO_AGENTS = InnerScreen(_pair, update.update, render.render, _pair_takes_keys)
MARKET = InnerScreen(_market, market_update.update, market_render.render, _market_takes_keys)
