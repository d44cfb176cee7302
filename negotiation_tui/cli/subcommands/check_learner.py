"""`negotiation-tui check-learner`: check that a learner honours its contract."""

from negotiation_tui.cli.options import add_scenario, scenario_of, seed
from negotiation_tui.cli.parser import Options, Parser

EXAMPLES = """\
check-learner my.py # your own learner
check-learner my.py:step=0.01 --scenario fine"""


def add_arguments(parser: Parser) -> None:
    parser.value("learner", "your FILE.py or module:Class, with settings", "NAME")
    add_scenario(parser)
    parser.value("--seed", "random seed of its negotiations (%(default)s)", kind=seed, default=0)


def run(options: Options) -> int:
    from negotiation_tui.cli.subcommands.check_strategy import print_checks
    from negotiation_tui.players.checks import check_learner

    named = options.scenario is not None or options.states is not None
    scenarios = (scenario_of(options),) if named else ()
    return print_checks(check_learner(options.learner, scenarios, options.seed))
