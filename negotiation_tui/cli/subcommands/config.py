"""`negotiation-tui config`: what holds for every screen, and where that is written."""

import argparse

from negotiation_tui.runtime.text import either
from negotiation_tui.runtime.toml import to_toml
from negotiation_tui.tui import configuration
from negotiation_tui.tui.configuration import ENTRIES, Configuration, Option, usual_rows

EXAMPLES = (
    ("config --show", "every entry, as a file"),
    ("config --path", "where that file is looked for"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--show",
        action="store_true",
        help="every entry with its value, in TOML that could be saved as the file (the usual)",
    )
    what.add_argument("--path", action="store_true", help="the path of the file alone")


def run(options: argparse.Namespace) -> int:
    """Print it."""
    print(configuration.place() if options.path else as_toml(configuration.read()))
    return 0


def as_toml(held: Configuration) -> str:
    """Every entry with its value as the text of a file."""
    entries = {
        name: (to_toml(held.chosen(name, None)), _meaning(entry)) for name, entry in ENTRIES.items()
    }
    keys = {
        command: (to_toml(held.keys.get(command, usual)), meaning)
        for command, (usual, meaning) in usual_rows().items()
    }
    head = f"# {str(held.path)!r}\n# {_set_there(held)} Options of the command line win over it."
    return "\n".join([head, "", *_lines(entries), "", "[keys]", *_lines(keys)])


def _set_there(held: Configuration) -> str:
    names = [*held.given, *(f"keys.{command}" for command in held.keys)]
    if len(names) == len(ENTRIES) + len(usual_rows()):
        return "Everything is set there."
    if names:
        return f"Set there: {', '.join(names)}."
    if held.path.exists():
        return "Nothing is set there."
    return "There is no such file: all is as usual."


def _meaning(entry: Option) -> str:
    return f"{entry.meaning}: {either(entry.choices)}" if entry.choices else entry.meaning


def _lines(table: dict[str, tuple[str, str]]) -> list[str]:
    """A line each, what it means as a comment."""
    lines = {f"{name} = {value}": meaning for name, (value, meaning) in table.items()}
    width = min(32, max(map(len, lines)))
    return [f"{line:<{width}}  # {meaning}" for line, meaning in lines.items()]
