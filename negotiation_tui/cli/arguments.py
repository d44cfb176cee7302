"""Arguments that several subcommands share, and the types of their values."""

import argparse
import os
from dataclasses import fields, replace
from math import inf

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.validate import parse_integer, parse_number

_PARAMETERS = {field.name: field for field in fields(Parameters)}


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


def seed_of(options: argparse.Namespace) -> int:
    """The seed asked for, or a new one short enough to be typed again."""
    if options.seed is not None:
        return int(options.seed)
    return int.from_bytes(os.urandom(4), "big")


def add_parameter(parser: argparse.ArgumentParser, name: str) -> None:
    """One training parameter."""
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
    from negotiation_tui.players.resolve import strategy_from_spec
    from negotiation_tui.strategies.registry import spec_of

    try:
        held = strategy_from_spec(word)
        return LEARNED if held is None else spec_of(held)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _scenario(word: str) -> Scenario:
    try:
        return Scenario.of(word)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(word: str, kind: type[int] | type[float], low: float, high: float) -> float:
    parse = parse_integer if kind is int else parse_number
    try:
        return parse("", word, low, high)  # argparse says the name
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _whole(word: str) -> int:
    """Any whole number; `Parameters` knows the limits."""
    return int(_number(word, int, -inf, inf))


def _any_number(word: str) -> float:
    """Any number; `Parameters` knows the limits."""
    return float(_number(word, float, -inf, inf))


def seed(word: str) -> int:
    """A seed, 0 or greater."""
    return int(_number(word, int, 0, inf))


def positive(word: str) -> int:
    """How many, 1 or more."""
    return int(_number(word, int, 1, 10**9))


def agents_a_side(word: str) -> int:
    """How many agents of one side a market has."""
    from negotiation_tui.market.agents import MAX_AGENTS

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
        help="processes on this machine (default: one per core)",
    )
    add("--cluster", metavar="ADDRESS", help="work on the Dask cluster with this scheduler instead")


def share(word: str) -> float:
    """A number from 0 to 1."""
    return float(_number(word, float, 0, 1))


def frames_a_second(word: str) -> float:
    """From 1 to 30."""
    return float(_number(word, float, 1, 30))
