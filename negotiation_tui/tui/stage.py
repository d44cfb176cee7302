"""Any screen on the terminal: how it may be drawn, and its run from first to last."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from negotiation_tui.arguments import frames_a_second
from negotiation_tui.configuration import ENTRIES, read
from negotiation_tui.sessions.background import Worker
from negotiation_tui.tui import surroundings
from negotiation_tui.tui.theme import THEMES

if TYPE_CHECKING:
    from negotiation_tui.tui.app import Screen, Shown

    M = TypeVar("M", bound=Shown)


class Look(NamedTuple):
    """How a screen may be drawn, and which keys it listens to."""

    ascii: bool
    color: str
    fps: float
    theme: str
    animation: bool
    keys: Mapping[str, tuple[str, ...]]
    """By the commands that have other keys than usual, for `Keys.rebound`."""


def add_look(parser: argparse.ArgumentParser) -> None:
    """The words for it; what is not said is as the configuration says."""
    add = parser.add_argument
    for name in ("theme", "color"):
        entry = ENTRIES[name]
        add(f"--{name}", choices=entry.choices, help=f"{entry.meaning} ({entry.usual})")
    for name in ("animation", "ascii"):
        add(f"--{name}", action=argparse.BooleanOptionalAction, help=ENTRIES[name].meaning)
    fps = ENTRIES["fps"]
    add("--fps", type=frames_a_second, help=f"{fps.meaning} ({fps.usual:g})")


def look_of(options: argparse.Namespace) -> Look:
    """What was asked for; BadInputError for a configuration that cannot be used."""
    held = read()
    names = (name for name in Look._fields if name != "keys")
    said = {name: held.chosen(name, getattr(options, name)) for name in names}
    return Look(**said, keys=held.keys)


def on_terminal() -> bool:
    """Whether there is somebody to show a screen to."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def present(worker: Worker, screen: "Screen[M]", first: "Callable[[bool], M]", look: Look) -> None:
    """Show what a worker does until the user quits.

    `first` gives the model to begin with, told whether to keep to ASCII.
    """
    from negotiation_tui.tui import app, terminal
    from negotiation_tui.tui.aside import held_back

    plain = not surroundings.set_locale() or look.ascii
    colour = look.theme != "mono" and surroundings.wants_colour(look.color, os.environ)
    screen_of_user = terminal.Terminal(THEMES[look.theme], colour)
    with (
        warnings.catch_warnings(record=True) as caught,
        held_back(),
        screen_of_user as shown,
    ):
        app.run(shown, worker, screen, first(plain), look.fps)
    for warning in caught:
        print(f"negotiation-tui: warning: {warning.message}", file=sys.stderr)
