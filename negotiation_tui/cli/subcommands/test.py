"""`negotiation-tui test`: negotiations of saved tables, without learning."""

import argparse
import json

from negotiation_tui.cli.arguments import add_replacements, positive, seed

EXAMPLES = (
    ("test tables.npz", "both as they learned"),
    ("test tables.npz --buyer boulware", "another buyer"),
    ("test tables.npz --as-published", "as the original did"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add = parser.add_argument
    add("file", metavar="FILE", help="tables saved by train --save")
    add("--as-published", action="store_true", help="repeat the mistakes of the original's test")
    add(
        "--negotiations",
        type=positive,
        default=1000,
        metavar="N",
        help="number of negotiations (%(default)s)",
    )
    add("--seed", type=seed, help="random seed (default: that of the training)")
    add_replacements(parser)
    add("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Load the tables, test them and print the result."""
    from negotiation_tui.api.trained import Trained
    from negotiation_tui.learning import report

    trained = Trained.load(options.file)
    result = trained.test(
        options.negotiations, options.seed, options.as_published, options.seller, options.buyer
    )
    print(json.dumps(result.to_dict()) if options.json else report.result_text(result))
    return 0
