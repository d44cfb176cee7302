"""Words that every command with a screen shares, and what they stand for."""

import argparse
from typing import TYPE_CHECKING

from negotiation_tui.arguments import frames_a_second
from negotiation_tui.tui.pace import DEFAULT, NAMES

if TYPE_CHECKING:
    from negotiation_tui.tui.watch import Look


def add_look(parser: argparse.ArgumentParser) -> None:
    """How the screen looks, and how fast it goes at first."""
    add = parser.add_argument
    add(
        "--pace",
        choices=NAMES,
        default=NAMES[DEFAULT],
        metavar="PACE",
        help="offers a second, negotiations a second (n), or flat out:"
        f" {', '.join(NAMES)} (%(default)s)",
    )
    add(
        "--fps",
        type=frames_a_second,
        default=30.0,
        help="most frames a second, 1 to 30 (%(default)g)",
    )
    add("--ascii", action="store_true", help="no glyph beyond ASCII")
    add("--color", choices=("auto", "always", "never"), default="auto", help="(%(default)s)")
    add("--paused", action="store_true", help="wait for a key before the first offer")
    add("--advice", action="store_true", help="begin with the advice shown, as by the key i")


def look_of(options: argparse.Namespace) -> "Look":
    """What they say."""
    from negotiation_tui.tui.watch import Look

    return Look(
        options.ascii,
        options.color,
        options.fps,
        NAMES.index(options.pace),
        options.paused,
        options.advice,
    )
