"""`negotiation-tui tournament`: every strategy against every other, learned tables included."""

import argparse
from dataclasses import replace

from negotiation_tui.cli import contests
from negotiation_tui.cli.arguments import add_scenario, positive, scenario_of, seed
from negotiation_tui.cli.training_arguments import add_recipe
from negotiation_tui.contest.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.game.roles import Opener

EXAMPLES = (
    ("tournament", "every strategy"),
    ("tournament boulware conceder tit-for-tat", "only these"),
    ("tournament --text --out games.csv", "resumable"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add = parser.add_argument
    add(
        "entrants",
        nargs="*",
        metavar="ENTRANT",
        help="participants: learned, strategies (with settings), files of saved tables (.npz) or of"
        " your own strategy (.py), module:callable (default: learned and every strategy)",
    )
    add_scenario(parser)
    add("--opener", choices=tuple(map(str, Opener)), help="who opens (default: the scenario's)")
    add(
        "--negotiations",
        type=positive,
        default=NEGOTIATIONS,
        metavar="N",
        help="negotiations per pairing (%(default)s)",
    )
    add("--seed", type=seed, default=0, metavar="S", help="random seed (%(default)s)")
    add_recipe(parser, "recipe that learned is trained with, once, in self-play", default=RECIPE)
    contests.add_output(parser, "pairing")


def run(options: argparse.Namespace) -> int:
    """Play the tournament on the screen, or without it and print the results."""
    from negotiation_tui.contest.tournament import StrategyContest

    scenario = scenario_of(options)
    if options.opener is not None:
        scenario = replace(scenario, opener=Opener(options.opener))
    tournament = StrategyContest.of(
        scenario, options.entrants, options.recipe, options.negotiations, options.seed
    )
    return contests.run(options, tournament)
