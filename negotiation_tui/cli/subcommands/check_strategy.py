"""`negotiation-tui check-strategy`: check that a strategy honours its contract."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import add_scenario, seed
from negotiation_tui.cli.parser import Options, Parser

if TYPE_CHECKING:
    from negotiation_tui.players.checks import Check

EXAMPLES = """\
check-strategy my.py # your own strategy
check-strategy boulware --scenario fine"""


def add_arguments(parser: Parser) -> None:
    parser.value("strategy", "a strategy, your FILE.py, or module:callable", "NAME")
    add_scenario(parser, states=False)
    meaning = "random seed of the negotiations it is checked in (%(default)s)"
    parser.value("--seed", meaning, kind=seed, default=0)


def run(options: Options) -> int:
    from negotiation_tui.players.checks import check_strategy

    scenarios = () if options.scenario is None else (options.scenario,)
    return print_checks(check_strategy(options.strategy, scenarios, options.seed))


def print_checks(checks: "Iterable[Check]") -> int:
    """Print a line per check, each when it is done; return 1 if a check fails."""
    status = 0
    for check in checks:
        print(check, flush=True)
        status = 1 if check.broken else status
    return status
