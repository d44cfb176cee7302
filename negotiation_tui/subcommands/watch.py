"""`negotiation-tui watch`: the screen."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.arguments import (
    add_game,
    add_training_length,
    parameters_of,
    scenario_of,
    seed_of,
    strategies_of,
)
from negotiation_tui.roles import Opener
from negotiation_tui.screen_arguments import add_look, look_of

if TYPE_CHECKING:
    from negotiation_tui.background import Worker

SUMMARY = "the screen: negotiations live"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_game(parser)
    add_training_length(parser)
    add_look(parser)
    add = parser.add_argument
    add("--once", action="store_true", help="print one frame of text after a cycle, and exit")
    add("--record", metavar="FILE", help="write every negotiation shown to FILE, for replay")


def run(options: argparse.Namespace) -> int:
    """Show the screen until it is left."""
    from negotiation_tui.recorder import Recorder
    from negotiation_tui.trainer import Trainer
    from negotiation_tui.tui import watch

    scenario = scenario_of(options)
    worker: Worker = Trainer(
        scenario,
        parameters_of(options, scenario),
        seed_of(options),
        strategies_of(options),
        None if options.opener is None else Opener(options.opener),
    )
    if options.record is not None:
        worker = Recorder(worker, Path(options.record))
    return watch.watch(worker, look_of(options), options.once)
