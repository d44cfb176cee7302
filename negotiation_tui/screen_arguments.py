"""Words that every command shares which shows negotiations, and what they stand for."""

import argparse
from typing import TYPE_CHECKING

from negotiation_tui.tui.pace import DEFAULT, NAMES
from negotiation_tui.tui.stage import add_look

if TYPE_CHECKING:
    from negotiation_tui.tui.watch import Begin


def add_screen(parser: argparse.ArgumentParser) -> None:
    """How the screen looks, and how it begins."""
    add = parser.add_argument
    add(
        "--pace",
        choices=NAMES,
        default=NAMES[DEFAULT],
        metavar="PACE",
        help="offers a second, negotiations a second (n), or flat out:"
        f" {', '.join(NAMES)} (%(default)s)",
    )
    add_look(parser)
    add("--paused", action="store_true", help="wait for a key before the first offer")
    add("--advice", action="store_true", help="begin with the advice shown, as by the key i")


def begin_of(options: argparse.Namespace) -> "Begin":
    """How it begins."""
    from negotiation_tui.tui.watch import Begin

    return Begin(NAMES.index(options.pace), options.paused, options.advice)
