"""Write tables of the docs: `python docs/tables.py`.

These are glossary.md, keys.md, options.md and the end of learners.md.

They come from the program's own tables.
"""

import sys
from argparse import Action, ArgumentParser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from negotiation_tui.cli.main import parser
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.tui.configuration import key_tables
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.widgets.glossary import GLOSSARY

KEYS = """# Keys

Find the key for what you want to do on a screen. `?` or `F1` shows the same list there: type to
search it, Enter does what is marked, Esc closes it. To use another key, write the name in the last
column into [the configuration file](configuration.md#keys).
"""
OPTIONS = """# Options

Find the options of a command. `negotiation-tui COMMAND --help`, or `negotiation-tui help COMMAND`,
prints the same list, with examples. Without a command the program runs `watch`. `--restricted
FOLDER` comes before the command: it keeps a session to one folder, for users who come over
[SSH](ssh.md).
"""
GLOSSARY_HEAD = """# Glossary

Find the meaning of a word on the screen. The program's help has the same list: press `?`, then type
the word.

"""
SCREEN_TITLES = {
    "negotiations": "`watch`, `play` and `replay`",
    "tournament": "`tournament` and `league`",
    "market": "`market`",
    "results": "`results`",
}


def pages() -> Mapping[str, str]:
    """Return the text of each page, by its file name."""
    screens = [keys_section(SCREEN_TITLES[name], keys) for name, keys in key_tables().items()]
    commands = [options_section(name, command) for name, command in subcommands()]
    learners = [learner_section(each) for each in LEARNERS.values()]
    return {
        "glossary.md": GLOSSARY_HEAD
        + "".join(f"- **{word}**: {meaning}\n" for word, meaning in GLOSSARY.items()),
        "keys.md": "\n".join([KEYS, *screens]),
        "options.md": "\n".join([OPTIONS, *commands]),
        "learners.md": "\n".join([written_by_hand("learners.md"), *learners]),
    }


def keys_section(title: str, keys: Keys) -> str:
    """Return a screen's key tables below its heading, one for each group."""
    parts = [f"## {title}\n"]
    for group in dict.fromkeys(key.group for key in keys):
        members = [key for key in keys if key.group == group]
        rows = [(f"`{key.shown}`", key.help, f"`{key.command}`") for key in members]
        parts.append(f"{group}:\n\n{table(('key', 'effect', 'name'), rows)}")
    return "\n".join(parts)


def options_section(name: str, command: ArgumentParser) -> str:
    """Return a subcommand's summary and table of options below its heading."""
    explain = command._get_formatter()._expand_help
    rows = [(spelling(each), explain(each)) for each in command._actions if each.dest != "help"]
    told = table(("option", "meaning"), rows) if rows else "It has no options.\n"
    summary = str(command.description)
    return f"## `{name}`\n\n{summary[:1].upper()}{summary[1:]}.\n\n{told}"


def written_by_hand(page: str) -> str:
    """Return a page up to the first section that is written from a table."""
    text = Path(__file__).with_name(page).read_text(encoding="utf-8")
    return text.partition("\n### ")[0].rstrip("\n") + "\n"


def learner_section(learner: Algorithm) -> str:
    """Return a learner's rule below its name.

    The rule is the head of its file up to the paragraph that explains the last formula. That
    paragraph also keeps `ruff format` from taking the indent of the formulas for that of the text.
    """
    module = type(learner).__module__
    told = str(sys.modules[module].__doc__).strip().split("\n\n")
    formulas = [at for at, paragraph in enumerate(told[:-1]) if paragraph.startswith("    ")]
    if not formulas:
        expected = "a formula, indented by 4 spaces, above a paragraph that explains it"
        raise ValueError(f"docstring of {module}: expected {expected}, got none")
    rule = "\n\n".join(told[: formulas[-1] + 2])
    return f"### `{learner.name}`\n\n{rule}\n"


def subcommands() -> Iterator[tuple[str, ArgumentParser]]:
    """Yield the name and the parser of each subcommand."""
    for action in parser()._actions:
        if isinstance(action.choices, Mapping):
            yield from action.choices.items()


def spelling(action: Action) -> str:
    """Return an option with its value; a positional argument is a value without an option."""
    if action.nargs == 0:
        value = ""
    elif action.metavar is None and action.choices:
        value = ", ".join(map(str, action.choices))
    else:
        value = str(action.metavar or action.dest.upper()).replace("|", " or ")
    optional = {"?": f"[{value}]", "*": f"[{value} …]"}.get(str(action.nargs), value)
    return " ".join([*(f"`{option}`" for option in action.option_strings), optional]).strip()


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *rows))


if __name__ == "__main__":
    for page, text in pages().items():
        Path(__file__).with_name(page).write_text(text, encoding="utf-8")
