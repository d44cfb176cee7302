"""Words that several subcommands share, and the values they stand for."""

import argparse
import os
import re
import sys
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NoReturn

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.market.agents import MAX_AGENTS
from negotiation_tui.players.resolve import LEARNED, occupant
from negotiation_tui.strategies.registry import words_of

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_PARAMETERS = {field.name: field for field in fields(Parameters)}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and writes at once."""

    def error(self, message: str) -> NoReturn:
        """One line, without the usage."""
        lacking = re.fullmatch(r"argument (--\S+): expected one argument", message)
        if lacking:  # argparse takes what begins with a dash for another option
            message += f", write {lacking[1]}=VALUE where that begins with a dash"
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Written at once, so that what cannot be written is said like everything else."""
        super()._print_message(message, file)
        sys.stdout.flush()


def add_named_scenario(parser: argparse.ArgumentParser) -> None:
    """Which negotiations."""
    parser.add_argument(
        "--scenario",
        type=_scenario,
        metavar="NAME|FILE",
        help=f"{', '.join(PRESETS)} or a TOML file (default: original)",
    )


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Which negotiations, and what their states say."""
    add_named_scenario(parser)
    parser.add_argument(
        "--states",
        choices=tuple(map(str, States)),
        help="whether states also say who opened (default: as the scenario says)",
    )


def scenario_of(options: argparse.Namespace) -> Scenario:
    """The scenario asked for."""
    scenario = named_scenario_of(options)
    return scenario if options.states is None else replace(scenario, states=States(options.states))


def named_scenario_of(options: argparse.Namespace) -> Scenario:
    """The scenario with the name or in the file asked for."""
    scenario: Scenario | None = options.scenario
    return Scenario.original() if scenario is None else scenario


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


def seed_of(options: argparse.Namespace) -> int:
    """The seed asked for, or a new one short enough to be typed again."""
    if options.seed is not None:
        return int(options.seed)
    return int.from_bytes(os.urandom(4), "big")


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


def add_training_length(parser: argparse.ArgumentParser) -> None:
    """How long to train."""
    for name in ("cycles", "episodes"):
        _add_parameter(parser, name)


def add_parameters(parser: argparse.ArgumentParser) -> None:
    """Every training parameter."""
    for name in sorted(_PARAMETERS, key=lambda name: isinstance(_PARAMETERS[name].default, bool)):
        _add_parameter(parser, name)


def _add_parameter(parser: argparse.ArgumentParser, name: str) -> None:
    default, meaning = _PARAMETERS[name].default, _PARAMETERS[name].metadata["help"]
    option = "--" + name.replace("_", "-")
    if isinstance(default, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, help=meaning)
        return
    parser.add_argument(
        option,
        type=_whole if isinstance(default, int) else _any_number,
        metavar="N" if isinstance(default, int) else "X",
        help=f"{meaning} (published: {default})",
    )


def parameters_of(options: argparse.Namespace, scenario: Scenario) -> Parameters:
    """The recipe's parameters, and what the options change of them."""
    given = {name: value for name, value in vars(options).items() if name in _PARAMETERS}
    changed = {name: value for name, value in given.items() if value is not None}
    return replace(RECIPES[options.recipe](scenario), **changed)


def add_instead(parser: argparse.ArgumentParser) -> None:
    """Who sits in the seats of saved tables in place of those who did."""
    for role in Role:
        parser.add_argument(
            f"--{role}",
            type=seat,
            default=LEARNED,
            metavar="NAME",
            help=f"a strategy in the {role}'s seat instead (default: as the file says)",
        )


def seat(word: str) -> str:
    """The words of a strategy, or `learned`."""
    try:
        held = occupant(word)
        return LEARNED if held is None else words_of(held)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _scenario(word: str) -> Scenario:
    try:
        return Scenario.of(word)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(word: str, kind: type[int] | type[float], low: float, high: float) -> float:
    try:
        value = kind(word)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        limits = f"{low:,} or more" if high == float("inf") else f"{low:,} to {high:,}"
        what = "a number" if kind is float else "a whole number"
        raise argparse.ArgumentTypeError(f"{word!r} cannot be used: give {what}, {limits}")
    return value


def _whole(word: str) -> int:
    """Any whole number; `Parameters` knows the limits."""
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number") from None


def _any_number(word: str) -> float:
    """Any number; `Parameters` knows the limits."""
    try:
        return float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number") from None


def seed(word: str) -> int:
    """A seed, 0 or greater."""
    return int(_number(word, int, 0, float("inf")))


def positive(word: str) -> int:
    """How many, 1 or more."""
    return int(_number(word, int, 1, 10**9))


def agents_a_side(word: str) -> int:
    """How many agents of one side a market has."""
    return int(_number(word, int, 1, MAX_AGENTS))


def at_least_two(word: str) -> int:
    """How many, where one alone says nothing of the spread."""
    return int(_number(word, int, 2, 10**9))


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Where to work."""
    add = parser.add_argument
    add(
        "--workers",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="W",
        help="processes on this machine (%(default)s)",
    )
    add("--cluster", metavar="ADDRESS", help="work on the Dask cluster with this scheduler instead")


def share(word: str) -> float:
    """A number from 0 to 1."""
    return float(_number(word, float, 0, 1))


def frames_a_second(word: str) -> float:
    """From 1 to 30."""
    return float(_number(word, float, 1, 30))
