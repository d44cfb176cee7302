"""The words of the command line and the values they stand for."""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from negotiation_tui import __version__
from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.schedule import Parameters
from negotiation_tui.roles import Opener, Role
from negotiation_tui.scenario import PRESETS, Scenario
from negotiation_tui.strategies import STRATEGIES
from negotiation_tui.tui.pace import DEFAULT as DEFAULT_PACE
from negotiation_tui.tui.pace import NAMES as PACES

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LEARNED = "learned"
DEFAULT_PLOT = "training.png"
_PUBLISHED = Parameters()
Command = Callable[[argparse.Namespace], int]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line, without the usage."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        """Written at once, so that what cannot be written is said like everything else."""
        super()._print_message(message, file)
        sys.stdout.flush()


def parser(commands: Mapping[str, Command]) -> argparse.ArgumentParser:
    """The parser of the whole command line; `commands` are what the words lead to."""
    top = _Parser(
        prog="negotiation-tui",
        description="Watch two agents learn to haggle. Without a command: watch.",
        epilog="Options of the screen: negotiation-tui watch --help",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    words = top.add_subparsers(metavar="COMMAND", required=True)
    for name, add, text in (
        ("watch", _add_watch, "the screen: negotiations live"),
        ("train", _add_train, "train without a screen"),
        ("test", _add_test, "test tables that train --save wrote"),
    ):
        command = words.add_parser(name, help=text, description=text)
        add(command)
        command.set_defaults(run=commands[name])
    return top


def _add_watch(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    add = parser.add_argument
    add("--cycles", type=_whole, default=_PUBLISHED.cycles, help="cycles of training (%(default)s)")
    add(
        "--episodes",
        type=_whole,
        default=_PUBLISHED.episodes,
        help="negotiations in a cycle (%(default)s)",
    )
    add(
        "--pace",
        choices=PACES,
        default=PACES[DEFAULT_PACE],
        metavar="PACE",
        help="offers a second, negotiations a second (n), or flat out:"
        f" {', '.join(PACES)} (%(default)s)",
    )
    add("--fps", type=_frames, default=30.0, help="most frames a second, 1 to 30 (%(default)g)")
    add("--ascii", action="store_true", help="no glyph beyond ASCII")
    add("--color", choices=("auto", "always", "never"), default="auto", help="(%(default)s)")
    add("--paused", action="store_true", help="wait for a key before the first offer")
    add("--once", action="store_true", help="print one frame of text after a cycle, and exit")


def _add_train(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    for field in fields(Parameters):
        if field.name != "exploration_restarts":
            parser.add_argument(
                _option(field.name),
                type=_whole if isinstance(field.default, int) else _any_number,
                default=field.default,
                metavar="N" if isinstance(field.default, int) else "X",
                help=f"{field.name.replace('_', ' ')} (%(default)s)",
            )
    add = parser.add_argument
    add(
        "--exploration-restarts",
        action=argparse.BooleanOptionalAction,
        default=_PUBLISHED.exploration_restarts,
        help="start ε anew with each cycle, as published; or let it fall over the whole training",
    )
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
    add(
        "--verbose",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="print statistics and both Q-tables",
    )
    add(
        "--display-normalized",
        action="store_true",
        help="print the tables with each row divided by its best value, too",
    )
    add(
        "--display-plot",
        nargs="?",
        const=DEFAULT_PLOT,
        metavar="FILE",
        help=f"write the original's three plots to a .png or .svg file ({DEFAULT_PLOT})",
    )
    add("--json", action="store_true", help="print everything as JSON")
    add("--save", metavar="FILE", help="write both tables to FILE, for test")


def _add_test(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", help="tables that train --save wrote")
    add("--as-published", action="store_true", help="with the slips of the original's test")
    add("--negotiations", type=_positive, default=1000, metavar="N", help="how many (%(default)s)")
    add("--seed", type=_seed, help="of the test (default: the seed of the training)")
    add("--json", action="store_true", help="print the result as JSON")


def _add_game(parser: argparse.ArgumentParser) -> None:
    """What every way of playing can be told."""
    add = parser.add_argument
    add(
        "--scenario",
        type=_scenario,
        default="original",
        metavar="NAME|FILE",
        help=f"{', '.join(PRESETS)} or a TOML file (%(default)s)",
    )
    seats = (LEARNED, *STRATEGIES)
    for role in Role:
        add(
            f"--{role}",
            choices=seats,
            default=LEARNED,
            help=f"who sits in the {role}'s seat (%(default)s)",
        )
    add(
        "--opener",
        choices=tuple(map(str, Opener)),
        help="who opens (default: as the scenario says)",
    )
    add("--seed", type=_seed, help="of everything random, 0 or greater (default: a new one)")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def _scenario(word: str) -> Scenario:
    if word in PRESETS:
        return PRESETS[word]()
    if not Path(word).suffix and not Path(word).exists():
        raise argparse.ArgumentTypeError(
            f"{word!r} is neither a preset ({', '.join(PRESETS)}) nor a file"
        )
    try:
        return Scenario.from_file(word)
    except BadInputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(word: str, kind: type[int] | type[float], low: float, high: float) -> float:
    try:
        value = kind(word)
    except ValueError:
        value = None
    if value is None or not low <= value <= high:
        limits = f"{low:g} or more" if high == float("inf") else f"{low:g} to {high:g}"
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


def _seed(word: str) -> int:
    return int(_number(word, int, 0, float("inf")))


def _positive(word: str) -> int:
    return int(_number(word, int, 1, 10**9))


def _frames(word: str) -> float:
    return float(_number(word, float, 1, 30))
