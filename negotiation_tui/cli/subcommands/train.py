"""`negotiation-tui train`: the original's training, without a screen."""

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import (
    add_parameter,
    add_trained,
    add_training,
    refuse,
    run_of,
    tables_file,
)
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.text import one_line

if TYPE_CHECKING:
    from negotiation_tui.learning.checkpoint import TrainedTables

EXAMPLES = """\
train --seed 7 --save tables.npz # save both tables
train --recipe reverse-curriculum --states opener-aware
train --seller midpoint --cycles 10 --json # results as JSON"""
DEFAULT_PLOT = "training.png"


def add_arguments(parser: Parser) -> None:
    add_training(parser)
    for field in sorted(fields(Parameters), key=lambda field: isinstance(field.default, bool)):
        add_parameter(parser, field.name)
    add_trained(parser)
    parser.switch("--verbose", "print statistics and, without --save, both Q-tables")
    for name, divisor in (("normalized", "sum, as the original does"), ("relative", "best value")):
        meaning = f"also print the tables with each row divided by its {divisor}"
        parser.flag(f"--display-{name}", meaning)
    meaning = f"write the original's three plots to a .png or .svg file ({DEFAULT_PLOT})"
    parser.value("--display-plot", meaning, "FILE", nargs="?", const=DEFAULT_PLOT)
    parser.flag("--json", "print everything as JSON")
    meaning = "save both tables, for test and solve, or to take a seat"
    parser.value("--save", meaning, "FILE.npz", tables_file)


def run(options: Options) -> int:
    from negotiation_tui.learning import headless
    from negotiation_tui.learning.checkpoint import TrainedTables
    from negotiation_tui.learning.nash_conv_series import NashConvSeries
    from negotiation_tui.players.program import tell_lost
    from negotiation_tui.players.run import training_of
    from negotiation_tui.runtime.files import check_writable

    if options.save is not None:
        check_writable(options.save)
    if options.json:
        printed = ("display_normalized", "display_relative", *["verbose"] * bool(options.verbose))
        refuse(options, "--json prints everything; leave one out", *printed)
    training = training_of(run_of(options))
    if options.display_plot is not None:
        from negotiation_tui.cli import plots  # it loads much

        plots.check_plot(options.display_plot)
    if options.json:
        training.nash_convs = NashConvSeries()
    headless.train(training)
    tell_lost(map(training.strategy, Role))
    tables = TrainedTables.of(training)
    for n, part in enumerate(filter(None, _results(options, tables))):
        print("\n" * (n > 0) + part)
    return 0


def _results(options: Options, tables: "TrainedTables") -> Iterator[str]:
    """Yield the parts of the output; the files are written after it, because that may fail."""
    from negotiation_tui.learning import report
    from negotiation_tui.learning.checkpoint import save_tables
    from negotiation_tui.learning.q_table import Values

    if options.json:
        yield json.dumps(report.training_dict(tables))
    else:
        if options.verbose is not False:
            yield report.training_text(tables)
        if options.verbose or (options.verbose is None and not options.save):
            yield report.q_tables_text(tables)
        if options.display_normalized:
            yield report.q_tables_text(tables, Values.NORMALIZED)
        if options.display_relative:
            yield report.q_tables_text(tables, Values.RELATIVE)
    if options.save:
        save_tables(options.save, tables)
        yield "" if options.json else f"tables saved to {one_line(options.save)}"
    if options.display_plot:
        from negotiation_tui.cli import plots

        plots.save_plot(options.display_plot, tables)
        yield "" if options.json else f"plots saved to {one_line(options.display_plot)}"
