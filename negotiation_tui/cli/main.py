"""The command line: parse the arguments, run the subcommand, report errors in one line."""

import os
import re
import sys
from collections.abc import Container, Sequence
from importlib import import_module
from types import ModuleType

from negotiation_tui._version import __version__
from negotiation_tui.cli.parser import Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.folders import settled_folder
from negotiation_tui.runtime.output import complain, safe_streams
from negotiation_tui.runtime.text import quoted

SUBCOMMANDS = {
    "watch": "watch two agents learn and negotiate",
    "tour": "learn how it works in nine lessons on the screen, with predictions",
    "play": "negotiate yourself against a learner or a strategy",
    "replay": "watch recorded transcripts, written by --record or the key w",
    "train": "train without a screen",
    "test": "test saved tables",
    "solve": "compute the exact equilibrium, and how far two players are from it",
    "reproduce": "repeat the original's experiments over many seeds, or settle published claims",
    "sweep": "train over a grid of settings and seeds, one row per run",
    "tournament": "play every strategy against every other, with leaderboard and heat map",
    "league": "train every learner against every other, with exact distances from equilibrium",
    "market": "watch many sellers and buyers trade in one market",
    "results": "show how the people of a class played, with regret, and prices against theory",
    "examine": "judge a program, or any player, by five marks, each with its interval",
    "desk": "compare players by the cassettes of their examinations, in one table",
    "strategies": "list the strategies that can play a role",
    "learners": "list the ways of learning, or the settings of one",
    "check": "check your own strategy, learner or program, and explain each failure",
    "config": "show the configuration: default options and keys of the screens",
    "completion": "print a script for tab completion in bash, zsh or fish",
}
"""The summary of each subcommand; its module has the same name."""
EXAMPLES = """\
 # watch; ? shows the keys
tour # nine lessons
--seller boulware --buyer conceder # two known strategies
play --as buyer --against boulware # negotiate yourself
train --seed 7 --save tables.npz # without a screen
tournament # every strategy against every other"""
_ABOUT = {"-h", "--help", "--version"}
RESTRICTED = "--restricted"  # the option that comes before all others; see docs/ssh.md


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return 0, 1 without an output or an answer, or 2 for bad input."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with safe_streams():
        try:
            if words[:1] == [RESTRICTED]:
                words = _restricted(*words[1:])
            while words[:1] == ["help"]:
                words = [*words[1:], "--help"]
            if not words or (words[0].startswith("-") and words[0] not in _ABOUT):
                words.insert(0, "watch")
            with settled_folder():
                options = parser(words[:1]).parse_args(words)
                status: int = options.run(options)
            sys.stdout.flush()
        except BadInputError as error:
            complain(error)
            return error.status
        except KeyboardInterrupt:
            return 130
        except BrokenPipeError:  # the reader of the output has ended
            return 1
        except OSError as error:
            place = "" if error.filename is None else f"{quoted(str(error.filename))}: "
            complain(f"{place}{error.strerror or error}")
            return 1
        except (MemoryError, ImportError, RuntimeError) as error:
            _check_memory(error)
        else:
            return status
        complain("not enough memory; use smaller numbers")  # now that its frames hold none
        return 2


def _check_memory(error: Exception) -> None:
    """Raise an error unless it is for want of memory, in the words of Linux or Python."""
    said = re.search("failed to map segment|can't start new thread", str(error))
    if not isinstance(error, MemoryError) and not said:
        raise error


def module_of(name: str) -> ModuleType:
    return import_module(f"negotiation_tui.cli.subcommands.{name.replace('-', '_')}")


def parser(named: Container[str] = SUBCOMMANDS) -> Parser:
    """Return the parser of the `named` subcommands; of all, without arguments, if none is known."""
    top = Parser(
        prog="negotiation-tui",
        description="Watch two agents learn to haggle. Without a command, watch runs.",
        epilog=f"{aligned(EXAMPLES)}\n\nOptions of the screen: negotiation-tui watch --help",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    meaning = "as the first word: use no files outside FOLDER, and no code (docs/ssh.md)"
    top.value(RESTRICTED, meaning, "FOLDER")
    commands = top.add_subparsers(prog=top.prog, metavar="COMMAND", required=True)
    for name in [name for name in SUBCOMMANDS if name in named] or SUBCOMMANDS:
        summary = SUBCOMMANDS[name]
        command = commands.add_parser(name, help=summary, description=summary)
        if name in named:
            subcommand = module_of(name)
            command.having = _having
            command.epilog = aligned(subcommand.EXAMPLES)
            command.set_defaults(run=subcommand.run)
            subcommand.add_arguments(command)
    return top


def _having(option: str) -> list[str]:
    """Return the commands that have an option."""
    commands = {name: Parser() for name in SUBCOMMANDS}
    for name, command in commands.items():
        module_of(name).add_arguments(command)
    return [name for name, each in commands.items() if option in each._option_string_actions]


def aligned(text: str) -> str:
    """Return lines `words # note` as the end of a help text, the notes below each other."""
    parts = [f"  negotiation-tui {line}".partition(" # ") for line in text.splitlines()]
    width = max(len(words) for words, _, note in parts if note)
    rows = [f"{words:<{width}}  # {note}" if note else words for words, _, note in parts]
    return "\n".join(["examples:", *rows])


def _restricted(folder: str = "", *words: str) -> list[str]:
    """Restrict the process to a folder; return the words that follow, or those sent over SSH."""
    import shlex

    from negotiation_tui.runtime.restricted import restrict

    sent = os.environ.get("SSH_ORIGINAL_COMMAND", "")
    restrict(folder)
    try:
        return list(words) or shlex.split(sent)
    except ValueError as error:
        raise BadInputError(f"the command cannot be split into words: {error}") from None
