"""`negotiation-tui config`: print the configuration or the path of its file."""

from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.runtime.files import to_toml
from negotiation_tui.runtime.text import either, quoted
from negotiation_tui.tui import configuration as user
from negotiation_tui.tui.configuration import ENTRIES, Configuration, default_keys

EXAMPLES = """\
config --show # every entry, as the text of a file
config --path # the place of that file"""


def add_arguments(parser: Parser) -> None:
    what = parser.add_mutually_exclusive_group()
    shown = "print every entry with its value, as TOML that can be saved as the file (default)"
    what.add_argument("--show", action="store_true", help=shown)
    what.add_argument("--path", action="store_true", help="print only the path of the file")


def run(options: Options) -> int:
    print(user.configuration_path() if options.path else as_toml(user.read()))
    return 0


def as_toml(configuration: Configuration) -> str:
    """Return the text of a file with every entry and its value."""
    entries = {}
    for name, entry in ENTRIES.items():
        meaning = f"{entry.meaning}: {either(entry.choices)}" if entry.choices else entry.meaning
        entries[f"{name} = {to_toml(configuration.chosen(name, None))}"] = meaning
    keys = {
        f"{command} = {to_toml(configuration.keys.get(command, default))}": meaning
        for command, (default, meaning) in default_keys().items()
    }
    names = [*configuration.entries, *(f"keys.{command}" for command in configuration.keys)]
    if len(names) == len(entries) + len(keys):
        there = "Everything is set there."
    elif names:
        there = f"Set there: {', '.join(names)}."
    elif configuration.path.exists():
        there = "Nothing is set there."
    else:
        there = "There is no such file: these are the defaults."
    note = f"# {there} Options of the command line win over the file."
    head = [f"# {quoted(configuration.path)}", note]
    return "\n".join([*head, "", *_lines(entries), "", "[keys]", *_lines(keys)])


def _lines(meanings: dict[str, str]) -> list[str]:
    width = min(32, max(map(len, meanings)))
    return [f"{line:<{width}}  # {meaning}" for line, meaning in meanings.items()]
