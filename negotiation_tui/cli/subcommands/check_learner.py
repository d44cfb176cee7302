"""`negotiation-tui check-learner`: check that a learner honours its contract."""

import argparse

from negotiation_tui.cli.arguments import add_scenario, scenario_of, seed

EXAMPLES = (
    ("check-learner my.py", "your own learner"),
    ("check-learner my.py:step=0.01 --scenario fine", ""),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument(
        "learner", metavar="NAME", help="your FILE.py or module:Class, with settings"
    )
    add_scenario(parser)
    parser.add_argument(
        "--seed", type=seed, default=0, help="random seed of its negotiations (%(default)s)"
    )


def run(options: argparse.Namespace) -> int:
    """Print a line per check; return 1 if a check fails."""
    from negotiation_tui.players.checks import check_learner

    named = options.scenario is not None or options.states is not None
    scenarios = (scenario_of(options),) if named else ()
    status = 0
    for check in check_learner(options.learner, scenarios, options.seed):
        print(check, flush=True)
        status = 1 if check.broken else status
    return status
