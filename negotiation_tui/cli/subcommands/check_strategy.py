"""`negotiation-tui check-strategy`: whether a strategy keeps what the rest relies on."""

import argparse

from negotiation_tui.cli.arguments import add_named_scenario, seed

EXAMPLES = (
    ("check-strategy my.py", "a strategy of your own"),
    ("check-strategy boulware --scenario fine", ""),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    parser.add_argument(
        "words", metavar="NAME", help="a strategy, your FILE.py, or module:callable"
    )
    add_named_scenario(parser)
    parser.add_argument(
        "--seed", type=seed, default=0, help="of the offers it is asked after (%(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """A line for each check; 1 if something breaks."""
    from negotiation_tui.players.conformance import check_strategy

    scenarios = () if options.scenario is None else (options.scenario,)
    broken = 0
    for check in check_strategy(options.words, scenarios, options.seed):
        print(f"{'BREAKS' if check.broken else 'ok':<6}  {check.name}", flush=True)
        if check.broken:
            broken += 1
            print(f"        {check.broken}")
    return 1 if broken else 0
