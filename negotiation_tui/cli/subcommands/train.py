"""`negotiation-tui train`: the original's training, without a screen."""

import argparse
import json
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from negotiation_tui.cli import training_arguments
from negotiation_tui.cli.arguments import add_parameter, scenario_of, seed_of
from negotiation_tui.game.roles import Opener
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.text import one_line

if TYPE_CHECKING:
    from negotiation_tui.learning.checkpoint import TrainedTables
    from negotiation_tui.learning.concurrent import ConcurrentTraining

EXAMPLES = (
    ("train --seed 7 --save tables.npz", "save both tables"),
    ("train --recipe reverse-curriculum --states opener-aware", ""),
    ("train --seller midpoint --cycles 10 --json", "results as JSON"),
)
DEFAULT_PLOT = "training.png"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand; they have the original's names."""
    training_arguments.add_game(parser)
    _add_parameters(parser)
    training_arguments.add_trained(parser)
    add = parser.add_argument
    add(
        "--verbose",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="print statistics and both Q-tables",
    )
    add(
        "--display-normalized",
        action="store_true",
        help="also print the tables with each row divided by its sum, as the original does",
    )
    add(
        "--display-relative",
        action="store_true",
        help="also print the tables with each row divided by its best value",
    )
    add(
        "--display-plot",
        nargs="?",
        const=DEFAULT_PLOT,
        metavar="FILE",
        help=f"write the original's three plots to a .png or .svg file ({DEFAULT_PLOT})",
    )
    add("--json", action="store_true", help="print everything as JSON")
    add("--save", metavar="FILE", help="save both tables in FILE (.npz), for test and solve")


def _add_parameters(parser: argparse.ArgumentParser) -> None:
    """Add an option for each training parameter, switches last."""
    for field in sorted(fields(Parameters), key=lambda field: isinstance(field.default, bool)):
        add_parameter(parser, field.name)


def run(options: argparse.Namespace) -> int:
    """Train, save what the options ask for, and print."""
    from negotiation_tui.cli import plots
    from negotiation_tui.learning import headless
    from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
    from negotiation_tui.learning.nash_conv_series import NashConvSeries
    from negotiation_tui.runtime.files import check_writable

    if options.display_plot is not None:
        plots.check_plot(options.display_plot)
    for path in (options.display_plot, options.save):
        if path is not None:
            check_writable(path)
    training = _training(options)
    if options.json:
        training.nash_convs = NashConvSeries()
    headless.train(training)
    tables = TrainedTables.of(training)
    if options.save:
        save_tables(options.save, tables)
    if options.display_plot:
        plots.save_plot(options.display_plot, tables.statistics)
    _print_training(options, tables)
    return 0


def _training(options: argparse.Namespace) -> "ConcurrentTraining":
    from negotiation_tui.players.run import Run, training_of

    scenario = scenario_of(options)
    if options.opener is not None:
        scenario = replace(scenario, opener=Opener(options.opener))
    run = Run(
        scenario,
        training_arguments.parameters_of(options, scenario),
        seed_of(options),
        training_arguments.players_of(options),
        *training_arguments.trained_of(options),
    )
    return training_of(run)


def _print_training(options: argparse.Namespace, tables: "TrainedTables") -> None:
    from negotiation_tui.learning import report
    from negotiation_tui.learning.q_table import Values

    if options.json:
        print(json.dumps(report.training_dict(tables)))
        return
    parts = []
    if options.verbose:
        parts += [report.training_text(tables), report.q_tables_text(tables)]
    if options.display_normalized:
        parts.append(report.q_tables_text(tables, Values.NORMALIZED))
    if options.display_relative:
        parts.append(report.q_tables_text(tables, Values.RELATIVE))
    if options.save:
        parts.append(f"tables saved to {one_line(options.save)}")
    if options.display_plot:
        parts.append(f"plots saved to {one_line(options.display_plot)}")
    if parts:
        print("\n\n".join(filter(None, parts)))
