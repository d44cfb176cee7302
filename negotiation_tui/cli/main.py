"""The command line: words in, calls out."""

import io
import os
import re
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Container, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from negotiation_tui._version import __version__
from negotiation_tui.errors import BadInputError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

SUBCOMMANDS = {
    "watch": "the screen: negotiations live",
    "play": "negotiate yourself against a learner or a strategy",
    "replay": "watch transcripts that --record or the key w wrote",
    "train": "train without a screen",
    "test": "test tables that train --save wrote",
    "solve": "the exact equilibrium, and how far saved tables are from it",
    "reproduce": "the original's four experiments over many seeds, beside its published figures",
    "sweep": "train over a grid of settings and seeds, one row a run",
    "tournament": "every strategy against every other: leaderboard and heat map",
    "market": "watch many sellers and buyers who trade in one room",
    "strategies": "list the strategies that can sit in a seat",
    "check-strategy": "check a strategy, your own above all, and say what breaks",
    "config": "show the configuration: defaults of the screens, and keys",
    "completion": "print a script that completes words in bash, zsh or fish",
}
"""The summary of each subcommand, whose module has its name."""
EXAMPLES = (
    ("", "watch; ? shows the keys"),
    ("--seller boulware --buyer conceder", "two known strategies"),
    ("play --as buyer --against boulware", "negotiate yourself"),
    ("train --seed 7 --save tables.npz", "without a screen"),
    ("tournament", "all against all"),
)
_ABOUT = {"-h", "--help", "--version"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in _ABOUT):
        words.insert(0, "watch")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # ε and × where the encoding has none
    try:
        options = parser(words[:1]).parse_args(words)
        run: Callable[[Any], int] = options.run
        status = run(options)
        if sys.stdout is not None:  # it was closed
            sys.stdout.flush()
    except BadInputError as error:
        print(f"negotiation-tui: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("negotiation-tui: there is not enough memory: use smaller numbers", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read the output has gone
        _leave_output()
        return 1
    except OSError as error:
        _leave_output()
        print(f"negotiation-tui: output cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return status


class Parser(ArgumentParser):
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


def module_of(name: str) -> ModuleType:
    """Return the module of a subcommand, imported now."""
    return import_module(f"negotiation_tui.cli.subcommands.{name.replace('-', '_')}")


def parser(named: Container[str] = SUBCOMMANDS) -> Parser:
    """Return the parser of the command line, with the arguments of the `named` subcommands."""
    top = Parser(
        prog="negotiation-tui",
        description="Watch two agents learn to haggle. Without a command: watch.",
        epilog=f"{examples(EXAMPLES)}\n\nOptions of the screen: negotiation-tui watch --help",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in SUBCOMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=summary,
            formatter_class=RawDescriptionHelpFormatter,
        )
        if name in named:
            subcommand = module_of(name)
            command.epilog = examples(subcommand.EXAMPLES)
            command.set_defaults(run=subcommand.run)
            subcommand.add_arguments(command)
    return top


def examples(lines: Sequence[tuple[str, str]]) -> str:
    """Command lines, each with what it is for, as a help ends with them."""
    commands = {f"  negotiation-tui {words}".rstrip(): note for words, note in lines}
    width = max(len(command) for command, note in commands.items() if note)
    said = [f"{c:<{width}}  # {note}" if note else c for c, note in commands.items()]
    return "\n".join(["examples:", *said])


def _leave_output() -> None:
    """Let what could not be written go, at exit too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
