"""`negotiation-tui test`: negotiations of saved tables, without learning."""

import json

from negotiation_tui.cli.options import add_replacements, positive, seed
from negotiation_tui.cli.parser import Options, Parser

EXAMPLES = """\
test tables.npz # both as they learned
test tables.npz --buyer boulware # another buyer
test tables.npz --as-published # as the original did"""


def add_arguments(parser: Parser) -> None:
    add = parser.value
    add("file", "tables saved by train --save", "FILE")
    parser.flag("--as-published", "repeat the mistakes of the original's test")
    add("--negotiations", "number of negotiations (%(default)s)", "N", positive, 1000)
    add("--seed", "random seed (default: that of the training)", kind=seed)
    add_replacements(parser)
    parser.flag("--json", "print the result as JSON")


def run(options: Options) -> int:
    from negotiation_tui.api.negotiations import Trained
    from negotiation_tui.learning import report

    trained = Trained.load(options.file)
    instead = options.seller, options.buyer
    result = trained.test(options.negotiations, options.seed, options.as_published, *instead)
    print(json.dumps(result.to_dict()) if options.json else report.result_text(result))
    return 0
