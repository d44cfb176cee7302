"""`negotiation-tui tournament`: every strategy against every other, learned tables included."""

from negotiation_tui.cli.options import (
    add_recipe,
    add_scenario,
    add_talk,
    positive,
    scenario_of,
    seed,
)
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_output, run_contest
from negotiation_tui.contest.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.game.roles import Opener

EXAMPLES = """\
tournament # every strategy
tournament boulware conceder tit-for-tat # only these
tournament --text --out games.csv # resumable"""


def add_arguments(parser: Parser) -> None:
    files = "files of saved tables (.npz) or of your own strategy (.py), module:callable"
    meaning = f"learned, strategies (with settings), {files} (default: learned and every strategy)"
    parser.value("entrants", f"participants: {meaning}", "ENTRANT", nargs="*")
    add_scenario(parser)
    add_talk(parser)
    parser.choice("--opener", Opener, "who opens (default: the scenario's)")
    meaning = "negotiations per pairing (%(default)s)"
    parser.value("--negotiations", meaning, "N", positive, NEGOTIATIONS)
    parser.value("--seed", "random seed (%(default)s)", "S", seed, 0)
    add_recipe(parser, "recipe that learned is trained with, once, in self-play", default=RECIPE)
    add_output(parser, "pairing")


def run(options: Options) -> int:
    from negotiation_tui.contest.tournament import StrategyContest

    tournament = StrategyContest.of(
        scenario_of(options), options.entrants, options.recipe, options.negotiations, options.seed
    )
    return run_contest(options, tournament)
