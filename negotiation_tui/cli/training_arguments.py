"""Options of the subcommands that train, and the values they stand for."""

import argparse
from dataclasses import fields, replace

from negotiation_tui.cli.arguments import add_scenario, seat, seed
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add the options for the rules, the players and the course of the training."""
    add_scenario(parser)
    add = parser.add_argument
    for role in Role:
        add(
            f"--{role}",
            type=seat,
            metavar="NAME",
            help=f"who plays the {role}: learned, learned:LEARNER or a strategy; the commands"
            f" learners and strategies list them ({LEARNED})",
        )
    add_learner(parser, "both")
    add_course(parser)


def add_learner(parser: argparse.ArgumentParser, who: str) -> None:
    """Add the option that says how all learn who are just `learned`."""
    parser.add_argument(
        "--learner",
        type=_learner,
        metavar="NAME",
        help=f"how {who} learn; the command learners lists the ways (q-learning)",
    )


def add_course(parser: argparse.ArgumentParser) -> None:
    """Add the options for the opener, the seed and the recipe."""
    add = parser.add_argument
    openers = tuple(map(str, Opener))
    add("--opener", choices=openers, help="who opens (default: the scenario's)")
    add("--seed", type=seed, help="random seed, 0 or greater (default: a random one)")
    add_recipe(parser, "set of training parameters, of which the options below change single ones")


def add_recipe(parser: argparse.ArgumentParser, meaning: str, default: str | None = None) -> None:
    """Add the option `--recipe`; its help names the recipes after `meaning`."""
    parser.add_argument(
        "--recipe",
        choices=tuple(RECIPES),
        default=default,
        metavar="NAME",
        help=f"{meaning}: {', '.join(RECIPES)} ({default or 'published'})",
    )


def players_of(options: argparse.Namespace) -> tuple[str, str]:
    """Return the spec of each player, seller first.

    A seat that names nobody, or `learned`, has the learner of the option --learner.
    """
    learner = options.learner or LEARNED
    seller, buyer = (
        learner if name in {None, LEARNED} else name for name in (options.seller, options.buyer)
    )
    return seller, buyer


def _learner(word: str) -> str:
    """Return the full spec of a learner, whose `learned:` may be left out."""
    try:
        return seat(word if learns(word) else PREFIX + word)
    except argparse.ArgumentTypeError as error:  # the option is named already
        raise argparse.ArgumentTypeError(str(error).removeprefix("learner: ")) from None


def add_trained(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which agents are trained, by the original's names."""
    add = parser.add_argument
    add(
        "--train-both",
        action=argparse.BooleanOptionalAction,
        help="train both agents, or --train-agent alone (both)",
    )
    add(
        "--train-agent",
        type=str.lower,
        choices=("seller", "buyer"),
        help="agent that is trained first, or alone (seller)",
    )


def trained_of(options: argparse.Namespace) -> tuple[bool, Role]:
    """Return if both agents are trained, and the agent that is trained first or alone."""
    return options.train_both in {None, True}, Role.of(options.train_agent or "seller")


def parameters_of(options: argparse.Namespace, scenario: Scenario) -> Parameters:
    """Return the recipe's parameters with the changes that the options ask for."""
    names = {field.name for field in fields(Parameters)}
    changed = {n: value for n, value in vars(options).items() if n in names and value is not None}
    return replace(RECIPES[options.recipe or "published"](scenario), **changed)
