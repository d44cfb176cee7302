"""Lessons as data: steps to read, to do and to predict, on one of the screens."""

from collections.abc import Callable
from typing import Any, NamedTuple

from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.tour_session import Facts, Work
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
Check = Callable[[Any], bool]
"""Tells from the model of a lesson's screen that something is done."""


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
    model = MarketModel(snapshot, pace_index=pace_index, running=False)
    return market_update.start(model.drawn_with(options))


def _pair_takes_keys(model: Model) -> bool:
    typed = model.going is not None or model.price_typed
    return model.modal not in {None, *_REPORTS} or bool(typed)


def _market_takes_keys(model: MarketModel) -> bool:
    return model.modal is not None or model.typing or model.going is not None


TWO_AGENTS = InnerScreen(_pair, update.update, render.render, _pair_takes_keys)
MARKET = InnerScreen(_market, market_update.update, market_render.render, _market_takes_keys)


class Say(NamedTuple):
    """A text to read. In all texts a name in braces stands for a fact, or for a command's key."""

    text: str
    pane: int | None = None
    """The pane to move the focus to; None leaves it."""


class Do(NamedTuple):
    """Something to do on the screen."""

    text: str
    check: Check
    pane: int | None = None


class Ask(NamedTuple):
    """A prediction. The right choice is the one whose text is the fact named `right`."""

    text: str
    choices: tuple[str, ...]
    right: str
    reveal: str
    """The text after the answer."""
    pane: int | None = None


Step = Say | Do | Ask


class Lesson(NamedTuple):
    """A lesson of about three minutes."""

    name: str
    """The name in the file of the progress, which stays when lessons are added."""
    title: str
    goal: str
    """A sentence about what one knows afterwards."""
    session: Callable[[], Session]
    """Opens the session that the screen shows."""
    work: Callable[[], Work]
    """Computes the facts of the lesson from nothing but its own constants."""
    steps: tuple[Step, ...]
    screen: InnerScreen = TWO_AGENTS
    pace: str = "4"


def at_once(facts: Callable[[], Facts]) -> Callable[[], Work]:
    """Return the work of facts that are computed in one piece."""

    def work() -> Work:
        yield 0.0
        return facts()

    return work


def choices(*values: float, digits: int = 0) -> dict[str, str]:
    """Return facts `choice_1`, `choice_2` and so on: numbers in increasing order, each once."""
    texts = dict.fromkeys(f"{value:.{digits}f}" for value in sorted(values))
    return {f"choice_{n}": text for n, text in enumerate(texts, 1)}


THREE = "{choice_1}", "{choice_2}", "{choice_3}"
"""The choices of a question with three numbers."""


def over(model: Any) -> bool:
    """True if the screen of two agents shows the end of a negotiation."""
    return model.playback is not None and bool(model.playback.over)


def finished(model: Any) -> bool:
    return bool(model.latest.finished)
