"""The command line: words in, calls out."""

import io
import os
import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from typing import Any

from negotiation_tui._version import __version__
from negotiation_tui.cli.arguments import Parser
from negotiation_tui.cli.subcommands import (
    check_strategy,
    completion,
    config,
    market,
    play,
    replay,
    reproduce,
    solve,
    strategies,
    sweep,
    test,
    tournament,
    train,
    watch,
)
from negotiation_tui.errors import BadInputError

SUBCOMMANDS = {
    "watch": watch,
    "play": play,
    "replay": replay,
    "train": train,
    "test": test,
    "solve": solve,
    "reproduce": reproduce,
    "sweep": sweep,
    "tournament": tournament,
    "market": market,
    "strategies": strategies,
    "check-strategy": check_strategy,
    "config": config,
    "completion": completion,
}
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
        options = parser().parse_args(words)
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


def parser() -> Parser:
    """The parser of the whole command line."""
    top = Parser(
        prog="negotiation-tui",
        description="Watch two agents learn to haggle. Without a command: watch.",
        epilog=f"{examples(EXAMPLES)}\n\nOptions of the screen: negotiation-tui watch --help",
        formatter_class=RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    words = top.add_subparsers(metavar="COMMAND", required=True)
    for name, subcommand in SUBCOMMANDS.items():
        command = words.add_parser(
            name,
            help=subcommand.SUMMARY,
            description=subcommand.SUMMARY,
            epilog=examples(subcommand.EXAMPLES),
            formatter_class=RawDescriptionHelpFormatter,
        )
        subcommand.add_arguments(command)
        command.set_defaults(run=subcommand.run, program=parser)
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
