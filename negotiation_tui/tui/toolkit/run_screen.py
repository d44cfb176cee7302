"""Any screen on the terminal: how it may be drawn, and its run from first to last."""

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from negotiation_tui.sessions.session import Session
from negotiation_tui.tui.toolkit import environment
from negotiation_tui.tui.toolkit.theme import THEMES

if TYPE_CHECKING:
    from negotiation_tui.tui.toolkit.app import Screen, ScreenModel

    M = TypeVar("M", bound=ScreenModel)


class RenderOptions(NamedTuple):
    """How a screen may be drawn, and which keys it listens to."""

    ascii: bool
    color: str
    fps: float
    theme: str
    animation: bool
    keys: Mapping[str, tuple[str, ...]]
    """By the commands that have other keys than usual, for `Keys.rebound`."""


def on_terminal() -> bool:
    """Whether there is somebody to show a screen to."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def run_screen(
    session: Session, screen: "Screen[M]", first: "Callable[[bool], M]", options: RenderOptions
) -> None:
    """Show a session until the user quits.

    `first` gives the model to begin with, told whether to keep to ASCII.
    """
    from negotiation_tui.tui.toolkit import app, terminal
    from negotiation_tui.tui.toolkit.stderr_guard import capture_stderr

    plain = not environment.set_locale() or options.ascii
    colour = options.theme != "mono" and environment.wants_colour(options.color, os.environ)
    screen_of_user = terminal.Terminal(THEMES[options.theme], colour)
    with (
        warnings.catch_warnings(record=True) as caught,
        capture_stderr(),
        screen_of_user as shown,
    ):
        app.run(shown, session, screen, first(plain), options.fps)
    for warning in caught:
        print(f"negotiation-tui: warning: {warning.message}", file=sys.stderr)
