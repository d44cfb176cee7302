"""Any screen on the terminal: how it may be drawn, and its run from first to last."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from negotiation_tui.arguments import frames_a_second
from negotiation_tui.background import Worker
from negotiation_tui.tui import surroundings

if TYPE_CHECKING:
    from negotiation_tui.tui.app import Screen, Shown

    M = TypeVar("M", bound=Shown)


class Look(NamedTuple):
    """How a screen may be drawn."""

    ascii: bool
    color: str
    fps: float


def add_look(parser: argparse.ArgumentParser) -> None:
    """The words for it."""
    add = parser.add_argument
    add(
        "--fps",
        type=frames_a_second,
        default=30.0,
        help="most frames a second, 1 to 30 (%(default)g)",
    )
    add("--ascii", action="store_true", help="no glyph beyond ASCII")
    add("--color", choices=("auto", "always", "never"), default="auto", help="(%(default)s)")


def look_of(options: argparse.Namespace) -> Look:
    """What was asked for."""
    return Look(options.ascii, options.color, options.fps)


def on_terminal() -> bool:
    """Whether there is somebody to show a screen to."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def present(worker: Worker, screen: "Screen[M]", first: "Callable[[bool], M]", look: Look) -> None:
    """Show what a worker does until the user quits.

    `first` gives the model to begin with, told whether to keep to ASCII.
    """
    from negotiation_tui.tui import app, terminal

    plain = not surroundings.set_locale() or look.ascii
    colour = surroundings.wants_colour(look.color, os.environ)
    with warnings.catch_warnings(record=True) as caught, terminal.Terminal(colour) as shown:
        app.run(shown, worker, screen, first(plain), look.fps)
    for warning in caught:
        print(f"negotiation-tui: warning: {warning.message}", file=sys.stderr)
