"""`negotiation-tui check-strategy`: check that a strategy honours its contract."""

import argparse

from negotiation_tui.cli.arguments import add_named_scenario, seed

EXAMPLES = (
    ("check-strategy my.py", "your own strategy"),
    ("check-strategy boulware --scenario fine", ""),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument(
        "strategy", metavar="NAME", help="a strategy, your FILE.py, or module:callable"
    )
    add_named_scenario(parser)
    parser.add_argument(
        "--seed",
        type=seed,
        default=0,
        help="random seed of the negotiations it is checked in (%(default)s)",
    )


def run(options: argparse.Namespace) -> int:
    """Print a line per check; return 1 if a check fails."""
    from negotiation_tui.players.checks import check_strategy

    scenarios = () if options.scenario is None else (options.scenario,)
    status = 0
    for check in check_strategy(options.strategy, scenarios, options.seed):
        print(check, flush=True)
        status = 1 if check.broken else status
    return status
