"""`negotiation-tui config`: print the configuration or the path of its file."""

from argparse import Namespace

from negotiation_tui.cli.parser import Parser
from negotiation_tui.runtime.files import to_toml
from negotiation_tui.runtime.text import either, quoted
from negotiation_tui.tui.configuration import (
    ENTRIES,
    Configuration,
    Option,
    configuration_path,
    default_keys,
    read,
)

EXAMPLES = (
    ("config --show", "every entry, as the text of a file"),
    ("config --path", "the place of that file"),
)


def add_arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    shown = "print every entry with its value, as TOML that can be saved as the file (default)"
    what.add_argument("--show", action="store_true", help=shown)
    what.add_argument("--path", action="store_true", help="print only the path of the file")


def run(options: Namespace) -> int:
    print(configuration_path() if options.path else as_toml(read()))
    return 0


def as_toml(configuration: Configuration) -> str:
    """Return the text of a file with every entry and its value."""
    entries = {
        name: (to_toml(configuration.chosen(name, None)), _meaning(entry))
        for name, entry in ENTRIES.items()
    }
    keys = {
        command: (to_toml(configuration.keys.get(command, default)), meaning)
        for command, (default, meaning) in default_keys().items()
    }
    head = (
        f"# {quoted(configuration.path)}\n"
        f"# {_set_there(configuration)} Options of the command line win over the file."
    )
    return "\n".join([head, "", *_lines(entries), "", "[keys]", *_lines(keys)])


def _set_there(configuration: Configuration) -> str:
    names = [*configuration.entries, *(f"keys.{command}" for command in configuration.keys)]
    if len(names) == len(ENTRIES) + len(default_keys()):
        return "Everything is set there."
    if names:
        return f"Set there: {', '.join(names)}."
    if configuration.path.exists():
        return "Nothing is set there."
    return "There is no such file: these are the defaults."


def _meaning(entry: Option) -> str:
    return f"{entry.meaning}: {either(entry.choices)}" if entry.choices else entry.meaning


def _lines(table: dict[str, tuple[str, str]]) -> list[str]:
    lines = {f"{name} = {value}": meaning for name, (value, meaning) in table.items()}
    width = min(32, max(map(len, lines)))
    return [f"{line:<{width}}  # {meaning}" for line, meaning in lines.items()]
