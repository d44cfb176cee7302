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
    shown = "print every entry, defaults as comments, as TOML for the file (default)"
    what.add_argument("--show", action="store_true", help=shown)
    what.add_argument("--path", action="store_true", help="print only the path of the file")


def run(options: Options) -> int:
    print(user.configuration_path() if options.path else as_toml(user.read()))
    return 0


def as_toml(configuration: Configuration) -> str:
    """Return the text of a file with every entry; those that it does not set are comments."""
    entries, keys = dict[str, str](), dict[str, str]()
    for name, entry in ENTRIES.items():
        meaning = f"{entry.meaning}: {either(entry.choices)}" if entry.choices else entry.meaning
        line = f"{name} = {to_toml(configuration.chosen(name, None))}"
        entries[line if name in configuration.entries else f"# {line}"] = meaning
    for command, (default, meaning) in default_keys().items():
        line = f"{command} = {to_toml(configuration.keys.get(command, default))}"
        keys[line if command in configuration.keys else f"# {line}"] = meaning
    if configuration.entries or configuration.keys:
        there = "Lines that begin with # are defaults."
    elif configuration.path.exists():
        there = "Nothing is set there: all lines are defaults."
    else:
        there = "There is no such file: all lines are defaults."
    head = [
        f"# {quoted(configuration.path)}",
        f"# {there} Take away the # to set one. Options of the command line win over the file.",
        "# If pace is not set, the program and a market begin with a story.",
    ]
    return "\n".join([*head, "", *_lines(entries), "", "[keys]", *_lines(keys)])


def _lines(meanings: dict[str, str]) -> list[str]:
    width = min(32, max(map(len, meanings)))
    return [f"{line:<{width}}  # {meaning}" for line, meaning in meanings.items()]
