"""`negotiation-tui test`: saved tables against each other."""

import argparse
import json

from negotiation_tui.cli.arguments import add_instead, positive, seed

EXAMPLES = (
    ("test tables.npz", "what was learned"),
    ("test tables.npz --buyer boulware", "somebody else opposite"),
    ("test tables.npz --as-published", "as the original did"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add = parser.add_argument
    add("file", metavar="FILE", help="tables that train --save wrote")
    add("--as-published", action="store_true", help="with the slips of the original's test")
    add("--negotiations", type=positive, default=1000, metavar="N", help="how many (%(default)s)")
    add("--seed", type=seed, help="of the test (default: the seed of the training)")
    add_instead(parser)
    add("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Load, play, print."""
    from negotiation_tui.api.trained import Trained
    from negotiation_tui.learning import report

    trained = Trained.load(options.file)
    result = trained.test(
        options.negotiations, options.seed, options.as_published, options.seller, options.buyer
    )
    print(json.dumps(result.to_dict()) if options.json else report.result_text(result))
    return 0
