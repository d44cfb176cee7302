"""`negotiation-tui check`: check that a player of the user's honours its contract."""

from functools import partial

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
    from negotiation_tui.players.checks.learner import check_learner
    from negotiation_tui.players.checks.program import check_program
    from negotiation_tui.players.checks.strategy import check_strategy
    from negotiation_tui.players.resolve import is_learner
    from negotiation_tui.players.spec import is_program

    spec, named = options.player, {options.scenario, options.delta, options.states} != {None}
    check = check_learner if is_learner(spec) else check_strategy
    if is_program(spec):
        minutes = CHECK_MINUTES if options.minutes is None else options.minutes
        check = partial(check_program, minutes=minutes)
    else:
        refuse(options, "only the checks of a program take long; leave it out", "minutes")
    broken = False
    for result in check(spec, (scenario_of(options),) if named else (), options.seed):
        print(result, flush=True)
        broken |= bool(result.broken)
    return int(broken)
