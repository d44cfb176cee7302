"""`negotiation-tui solve`: the equilibrium of a scenario, and how far saved tables are from it."""

import argparse
import json

from negotiation_tui.cli.arguments import add_instead, add_scenario, scenario_of, share
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.hyperparameters import Parameters

EXAMPLES = (
    ("solve", "the equilibrium of the usual game"),
    ("solve --scenario legacy", "of another"),
    ("solve --policy tables.npz", "and how far from it tables are"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_scenario(parser)
    add = parser.add_argument
    add("--policy", metavar="FILE", help="tables that train --save wrote; also names the scenario")
    add_instead(parser)
    rate, usual = parser.add_mutually_exclusive_group(), Parameters().discount_rate
    rate.add_argument(
        "--discount-rate",
        type=share,
        metavar="X",
        help=f"γ between a role's own decisions (default: the tables' own, else {usual})",
    )
    rate.add_argument(
        "--undiscounted", action="store_const", const=1.0, dest="discount_rate", help="γ = 1"
    )
    add("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Solve and print."""
    from negotiation_tui.cli.solve_report import Judged, as_dict, as_text
    from negotiation_tui.learning.checkpoint import load_tables
    from negotiation_tui.players.resolve import strategy_from_spec
    from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

    if options.policy is not None and (options.scenario or options.states):
        raise BadInputError("policy: its file names the scenario, use no --scenario or --states")
    instead = strategy_from_spec(options.seller), strategy_from_spec(options.buyer)
    if options.policy is None and any(instead):
        raise BadInputError("seller and buyer take seats of saved tables: use them with --policy")
    tables = None if options.policy is None else load_tables(options.policy)
    scenario = scenario_of(options) if tables is None else tables.scenario
    rate = options.discount_rate
    if rate is None:
        rate = (Parameters() if tables is None else tables.parameters).discount_rate
    solutions = [
        solve(scenario, opener, rate, indifferent) for opener in Role for indifferent in TieBreak
    ]
    judged = None if tables is None else Judged.of(tables, rate, instead)
    if options.json:
        print(json.dumps(as_dict(scenario, rate, solutions, judged)))
    else:
        print(as_text(scenario, rate, solutions, judged))
    return 0
