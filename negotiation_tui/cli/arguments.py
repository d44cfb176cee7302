"""Arguments that several subcommands share, and the types of their values."""

import argparse
import os
from dataclasses import fields, replace
from math import inf

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.runtime.validate import parse_integer, parse_number

_PARAMETERS = {field.name: field for field in fields(Parameters)}


def add_named_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the option `--scenario`."""
    parser.add_argument(
        "--scenario",
        type=_scenario,
        metavar="NAME|FILE",
        help=f"the negotiation's rules: {', '.join(PRESETS)}, a size such as 10x7, or a TOML file"
        " (default: original)",
    )


def add_scenario(parser: argparse.ArgumentParser) -> None:
    """Add the options `--scenario` and `--states`."""
    add_named_scenario(parser)
    parser.add_argument(
        "--states",
        choices=tuple(map(str, States)),
        help="states of the Q-tables; opener-aware: with who opened (default: the scenario's)",
    )


def scenario_of(options: argparse.Namespace) -> Scenario:
    """Return the chosen scenario, with the chosen states."""
    scenario = named_scenario_of(options)
    return scenario if options.states is None else replace(scenario, states=States(options.states))


def named_scenario_of(options: argparse.Namespace) -> Scenario:
    """Return the chosen scenario, `original` by default."""
    scenario: Scenario | None = options.scenario
    return Scenario.original() if scenario is None else scenario


def seed_of(options: argparse.Namespace) -> int:
    """Return the chosen seed, or a random one of at most 32 bits."""
    if options.seed is not None:
        return int(options.seed)
    return int.from_bytes(os.urandom(4), "big")


def add_parameter(parser: argparse.ArgumentParser, name: str) -> None:
    """Add an option for one training parameter."""
    default, meaning = _PARAMETERS[name].default, _PARAMETERS[name].metadata["help"]
    option = "--" + name.replace("_", "-")
    if isinstance(default, bool):
        parser.add_argument(option, action=argparse.BooleanOptionalAction, help=meaning)
        return
    parser.add_argument(
        option,
        type=_integer if isinstance(default, int) else _any_number,
        metavar="N" if isinstance(default, int) else "X",
        help=f"{meaning} (published: {default})",
    )


def add_replacements(parser: argparse.ArgumentParser) -> None:
    """Add options that replace a player of saved tables by a strategy."""
    for role in Role:
        parser.add_argument(
            f"--{role}",
            type=replacement,
            default=LEARNED,
            metavar="NAME",
            help=f"strategy that plays the {role} (default: the player saved in the file)",
        )


def seat(word: str) -> str:
    """Return the full spec of a strategy or of a learner."""
    from negotiation_tui.players.resolve import player_from_spec, spec_of_player

    try:
        return spec_of_player(player_from_spec(word))
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def replacement(word: str) -> str:
    """Return the full spec of a strategy; `learned` is the player saved in a file."""
    if word.startswith(PREFIX):
        raise argparse.ArgumentTypeError(
            f"expected a strategy, got {word}, which has learned nothing yet; train it first"
        )
    return seat(word)


def _scenario(word: str) -> Scenario:
    try:
        return Scenario.of(word)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(word: str, kind: type[int] | type[float], low: float, high: float) -> float:
    parse = parse_integer if kind is int else parse_number
    try:
        return parse("", word, low, high)  # argparse adds the name
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _integer(word: str) -> int:
    """Parse an integer; `Parameters` checks its limits."""
    return int(_number(word, int, -inf, inf))


def _any_number(word: str) -> float:
    """Parse a number; `Parameters` checks its limits."""
    return float(_number(word, float, -inf, inf))


def seed(word: str) -> int:
    """Parse a seed, 0 or greater."""
    return int(_number(word, int, 0, inf))


def positive(word: str) -> int:
    """Parse a count of 1 or more."""
    return int(_number(word, int, 1, 10**9))


def agents_per_side(word: str) -> int:
    """Parse the number of agents on one side of a market."""
    from negotiation_tui.market.agents import MAX_AGENTS

    return int(_number(word, int, 1, MAX_AGENTS))


def at_least_two(word: str) -> int:
    """Parse a count of 2 or more, which a confidence interval needs."""
    return int(_number(word, int, 2, 10**9))


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the options `--workers` and `--cluster`."""
    add = parser.add_argument
    add(
        "--workers",
        type=positive,
        metavar="W",
        help="worker processes on this machine (default: one per core where that pays)",
    )
    add(
        "--cluster",
        metavar="ADDRESS",
        help="run on the Dask cluster whose scheduler has this address instead",
    )


def share(word: str) -> float:
    """Parse a number from 0 to 1."""
    return float(_number(word, float, 0, 1))


def frames_per_second(word: str) -> float:
    """Parse a number of frames per second, from 1 to 30."""
    return float(_number(word, float, 1, 30))
