"""Lessons as data: steps to read, to do and to predict, on one of the screens."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from negotiation_tui.sessions.session import Session
from negotiation_tui.sessions.tour_session import Facts, Work
from negotiation_tui.tui.tour.screens import TWO_AGENTS, InnerScreen

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Say:
    """A text to read. In all texts a name in braces stands for a fact, or for a command's key."""

    text: str
    pane: int | None = None
    """The pane to move the focus to; None leaves it."""


@dataclass(frozen=True, slots=True)
class Do:
    """Something to do on the screen; `check` tells from the screen's model that it is done."""

    text: str
    check: Callable[[Any], bool]
    pane: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A prediction. The right choice is the one whose text is the fact named `right`."""

    text: str
    choices: tuple[str, ...]
    right: str
    reveal: str
    """The text after the answer."""
    pane: int | None = None


Step = Say | Do | Ask


@dataclass(frozen=True, slots=True)
class Lesson:
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


def part(work: Generator[float, None, R], first: float, last: float) -> Generator[float, None, R]:
    """Do a part of some work: what it yields goes from `first` to `last`. Return its result."""
    while True:
        try:
            share = next(work)
        except StopIteration as done:
            result: R = done.value
            return result
        yield first + (last - first) * share


def choices(*values: float, digits: int = 0) -> dict[str, str]:
    """Return facts `choice_1`, `choice_2` and so on: numbers in increasing order, each once."""
    texts = dict.fromkeys(f"{value:.{digits}f}" for value in sorted(values))
    return {f"choice_{n}": text for n, text in enumerate(texts, 1)}


THREE = "{choice_1}", "{choice_2}", "{choice_3}"
"""The choices of a question with three numbers."""
