"""`negotiation-tui solve`: the equilibrium of a scenario, and how far two players are from it."""

import json

from negotiation_tui.cli.options import add_replacements, add_scenario, fraction, scenario_of
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.runtime.files import atomic_write, check_writable
from negotiation_tui.runtime.text import one_line

EXAMPLES = """\
solve # the equilibrium
solve --scenario legacy # of another scenario
solve --policy tables.npz # how far saved tables are from it
solve --scenario hidden # what hidden limits allow
solve --efg original.efg # its game tree"""


def add_arguments(parser: Parser) -> None:
    add_scenario(parser)
    parser.value("--policy", "tables saved by train --save, with their scenario", "FILE")
    add_replacements(parser)
    rate = parser.add_mutually_exclusive_group()
    usual = "that of the tables, or 0.99, or 1 with time costs"
    meaning = f"γ between a role's own decisions (default: {usual})"
    rate.add_argument("--discount-rate", type=fraction, metavar="X", help=meaning)
    rate.add_argument(
        "--undiscounted", action="store_const", const=1.0, dest="discount_rate", help="γ = 1"
    )
    parser.value("--efg", "also write the game tree, for Gambit and OpenSpiel", "FILE")
    parser.choice("--opener", Role, "who opens in this file (default: the scenario's)")
    parser.flag("--json", "print the result as JSON")


def run(options: Options) -> int:
    from negotiation_tui.cli.solve_report import as_dict, as_text
    from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

    if options.opener is not None and options.efg is None:
        raise BadInputError("--opener: it belongs to the file of --efg; both openers are solved")
    policy, specs = options.policy, (options.seller, options.buyer)
    if policy is not None and (options.scenario or options.delta or options.states):
        hint = "leave out --scenario, --delta and --states"
        raise BadInputError(f"--policy: its file contains the scenario; {hint}")
    if policy is None and specs.count(LEARNED) == 1:
        hint = "add the other or --policy"
        raise BadInputError(f"--seller and --buyer: expected both, got one; {hint}")
    tables = distance = None
    if judged := policy is not None or LEARNED not in specs:  # only then players are loaded
        from negotiation_tui.cli.distance import distance_of
        from negotiation_tui.examination.elicit import tabular_strategy
        from negotiation_tui.learning.checkpoint import load_tables

        instead = pair(map(tabular_strategy, specs))
        tables = None if policy is None else load_tables(policy)
    scenario = scenario_of(options) if tables is None else tables.scenario
    rate = options.discount_rate
    if rate is None:
        rate = scenario.discount() if tables is None else tables.parameters.discount_rate
    first = scenario.opener.role() if options.opener is None else Role.of(options.opener)
    if options.efg is not None:
        from negotiation_tui.game.extensive_form import check_tree, tree_lines

        check_writable(options.efg)
        nodes = check_tree(scenario, first)
    openers = () if scenario.hidden else tuple(Role)
    solutions = [solve(scenario, opener, rate, tie) for opener in openers for tie in TieBreak]
    if judged:
        distance = distance_of(scenario, rate, tables, instead)
    parts = (scenario, rate, solutions, distance)
    print(json.dumps(as_dict(*parts)) if options.json else as_text(*parts))
    if options.efg is not None:
        with atomic_write(options.efg) as file:
            file.writelines(line.encode() for line in tree_lines(scenario, first))
        if not options.json:
            print(f"\n{nodes:,} nodes saved to {one_line(options.efg)}, the {first} opens")
    return 0
