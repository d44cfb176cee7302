"""Arguments of the subcommands that train, and the values they stand for."""

import argparse
from dataclasses import fields, replace

from negotiation_tui.cli.arguments import add_scenario, seat, seed
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.players.spec import LEARNED


def add_game(parser: argparse.ArgumentParser) -> None:
    """What every way of playing can be told."""
    add_scenario(parser)
    add = parser.add_argument
    for role in Role:
        add(
            f"--{role}",
            type=seat,
            default=LEARNED,
            metavar="NAME",
            help=f"who sits in the {role}'s seat: learned, or a strategy as the command"
            " strategies lists them (%(default)s)",
        )
    add_course(parser)


def add_course(parser: argparse.ArgumentParser) -> None:
    """Who opens, and how the training goes."""
    add = parser.add_argument
    openers = tuple(map(str, Opener))
    add("--opener", choices=openers, help="who opens (default: as the scenario says)")
    add("--seed", type=seed, help="of everything random, 0 or greater (default: a new one)")
    add(
        "--recipe",
        choices=tuple(RECIPES),
        default="published",
        help="the set of training parameters that the options below change (%(default)s)",
    )


def strategies_of(options: argparse.Namespace) -> tuple[str | None, str | None]:
    """The static strategy of each seat, None for a learner; seller first."""
    seller, buyer = (None if name == LEARNED else name for name in (options.seller, options.buyer))
    return seller, buyer


def add_trained(parser: argparse.ArgumentParser) -> None:
    """Which agents are trained, by the original's names."""
    add = parser.add_argument
    add(
        "--train-both",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="train both agents, or --train-agent alone",
    )
    add(
        "--train-agent",
        type=str.lower,
        choices=("seller", "buyer"),
        default="seller",
        help="who is trained first, or alone (%(default)s)",
    )


def parameters_of(options: argparse.Namespace, scenario: Scenario) -> Parameters:
    """The recipe's parameters, and what the options change of them."""
    names = {field.name for field in fields(Parameters)}
    given = {name: value for name, value in vars(options).items() if name in names}
    changed = {name: value for name, value in given.items() if value is not None}
    return replace(RECIPES[options.recipe](scenario), **changed)
