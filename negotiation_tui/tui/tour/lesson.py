"""Lessons as data: steps to read, to do and to predict, on one of the screens."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.tour_session import Task
from negotiation_tui.tui.market import pace as market_pace
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.market.model import PRICES, ROOM
from negotiation_tui.tui.market.model import Model as MarketModel
from negotiation_tui.tui.market.render import VIEW as MARKET_VIEW
from negotiation_tui.tui.negotiation import pace
from negotiation_tui.tui.negotiation.keys import GAMES, PRICE, SELLER_PLAN, WALLETS
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import VIEW
from negotiation_tui.tui.negotiation.update import start
from negotiation_tui.tui.negotiation.watch import SCREEN, Begin, first_model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import View
from negotiation_tui.tui.toolkit.run_screen import Screen

_REPORTS = "score", "test"  # boxes that only show something, so that the panel keeps its keys
Check = Callable[[Any], bool]  # tells from the model of a lesson's screen that something is done
First = Callable[[Any, str], Any]
"""Returns the model of a new session's snapshot at a pace, paused."""


def _pair(snapshot: Any, pace_name: str) -> Model:
    begin = Begin(pace.NAMES.index(pace_name), paused=True, advice=False)
    return replace(start(first_model(snapshot, begin)), message="")


def _market(snapshot: Any, pace_name: str) -> MarketModel:
    pace_index = market_pace.NAMES.index(pace_name)
    return market_update.start(
        MarketModel(snapshot, here=snapshot, pace_index=pace_index, running=False)
    )


def takes_keys(model: Any) -> bool:
    """True if a box or something typed on a screen needs all keys."""
    typed = model.typing if isinstance(model, MarketModel) else model.price_typed
    return model.modal not in {None, *_REPORTS} or model.going is not None or bool(typed)


def _silent(view: View[Any]) -> Callable[..., Canvas]:
    """Return the drawing of a view without sentences and keys, because the panel has both."""
    lines = dict.fromkeys(("caption", "footer"), lambda _canvas, _model: None)
    return replace(view, lines={**view.lines, **lines}).render


TWO_AGENTS: tuple[Screen[Any], First] = SCREEN._replace(render=_silent(VIEW)), _pair
MARKET: tuple[Screen[Any], First] = Screen(market_update.update, _silent(MARKET_VIEW)), _market


class Step(NamedTuple):
    """A text to read, something to do if there is a `check`, or a prediction if there are choices.

    In all texts a name in braces stands for a fact, or for a command's key. The right choice is the
    one whose text is the fact named `right`.
    """

    text: str
    check: Check | None = None
    pane: int | None = None  # the pane to move the focus to; None leaves it
    choices: tuple[str, ...] = ()
    right: str = ""
    reveal: str = ""  # the text after the answer
    hides: bool = False  # true if the screen must not show what theory knows until the answer


class Lesson(NamedTuple):
    """A lesson of about three minutes."""

    name: str  # the name in the file of the progress, which stays when lessons are added
    title: str
    goal: str  # a sentence about what one knows afterwards
    session: Callable[[], Session]  # opens the session that the screen shows
    work: Callable[[], Task]  # computes the facts of the lesson from nothing but its own constants
    steps: tuple[Step, ...]
    screen: Screen[Any]
    first: First
    pace: str


def choices(*values: float, digits: int = 0) -> dict[str, str]:
    """Return facts `choice_1`, `choice_2` and so on: numbers in increasing order, each once."""
    texts = dict.fromkeys(f"{value:.{digits}f}" for value in sorted(values))
    return {f"choice_{n}": text for n, text in enumerate(texts, 1)}


_NAMES = {
    "price": PRICE,
    "seller": SELLER_PLAN,
    "wallets": WALLETS,
    "learning": GAMES,
    "room": ROOM,
    "prices": PRICES,
    "over": lambda model: bool(model.over),
    "finished": lambda model: bool(model.latest.finished),
}
"""Panes and checks by their names in every lesson."""


def lesson(
    more: Mapping[str, Any],
    session: Callable[[], Session],
    work: Callable[[], Task],
    table: str,
    screen: tuple[Screen[Any], First] = TWO_AGENTS,
    pace: str = "4",
) -> Lesson:
    """Return a lesson from a table: its name, title and goal, then its steps.

    A step is a heading after a dash, then its text. The headings are `say PANE`, `do CHECK PANE`,
    where the pane may be left out, and `ask FACT: CHOICE | CHOICE …`, or `guess` in place of `ask`
    if theory is hidden until the answer. `more` are names of checks and of several choices. The
    reveal follows a `→`.
    """
    names = {**_NAMES, **more}
    head, *parts = table.strip().split("\n- ")
    steps = []
    for part in parts:
        heading, _, lines = part.partition("\n")
        text, _, reveal = (" ".join(words.split()) for words in lines.partition("→"))
        kind, _, rest = heading.partition(" ")
        if kind in {"ask", "guess"}:
            right, _, options = rest.partition(": ")
            choices = chain(*(names.get(option, (option,)) for option in options.split(" | ")))
            shown = tuple(choices), right, reveal, kind == "guess"
            steps.append(Step(text, None, None, *shown))
        else:
            given: list[Any] = [names[name] for name in rest.split()]
            steps.append(Step(text, *given) if kind == "do" else Step(text, None, *given))
    name, title, goal = head.split(" | ")
    return Lesson(name, title, goal, session, work, tuple(steps), *screen, pace)
