"""`negotiation-tui watch`: the screen."""

import argparse

from negotiation_tui.arguments import (
    add_game,
    add_training_length,
    parameters_of,
    scenario_of,
    seed_of,
    strategies_of,
)
from negotiation_tui.roles import Opener
from negotiation_tui.tui.pace import DEFAULT, NAMES
from negotiation_tui.tui.stage import add_look, look_of

SUMMARY = "the screen: negotiations live"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_game(parser)
    add_training_length(parser)
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
    add("--once", action="store_true", help="print one frame of text after a cycle, and exit")


def run(options: argparse.Namespace) -> int:
    """Show the screen until it is left."""
    from negotiation_tui.tui import watch

    scenario = scenario_of(options)
    return watch.watch(
        scenario=scenario,
        parameters=parameters_of(options, scenario),
        seed=seed_of(options),
        strategies=strategies_of(options),
        opener=None if options.opener is None else Opener(options.opener),
        look=look_of(options),
        pace=NAMES.index(options.pace),
        paused=options.paused,
        once=options.once,
    )
