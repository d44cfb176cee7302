"""`negotiation-tui check`: check that a player of the user's honours its contract."""

from negotiation_tui.cli.options import add_scenario, number_from, refuse, scenario_of, seed
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.players.defaults import CHECK_MINUTES

EXAMPLES = """\
check my.py # your own strategy or learner
check learned:my.py:step=0.01 # a learner with a setting
check 'cmd:./bot --fast' # a program"""


def add_arguments(parser: Parser) -> None:
    meaning = "a strategy, your FILE.py, module:callable, learned:FILE.py, or cmd:PROGRAM"
    parser.value("player", meaning, "PLAYER")
    add_scenario(parser)
    meaning = f"the most time for the checks of a program ({CHECK_MINUTES:g})"
    parser.value("--minutes", meaning, "M", number_from(0, 10**6))
    parser.value("--seed", "random seed of its negotiations (%(default)s)", kind=seed, default=0)


def run(options: Options) -> int:
    """Print a line per check, each when it is done; return 1 if a check fails."""
    from negotiation_tui.players.checks.check import results_of
    from negotiation_tui.players.spec import is_program

    named = {options.scenario, options.delta, options.states} != {None}
    minutes = CHECK_MINUTES if options.minutes is None else options.minutes
    if not is_program(options.player):
        refuse(options, "only the checks of a program take long; leave it out", "minutes")
    broken, games = False, (scenario_of(options),) if named else ()
    for result in results_of(options.player, games, options.seed, minutes):
        print(result, flush=True)
        broken |= bool(result.broken)
    return int(broken)
