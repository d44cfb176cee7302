"""Key tables: each drives the commands, help and footer of a screen, and the documentation."""

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

_TAKEN_BY_TERMINALS = "chijmoqsvyz"
"""Letters that with Ctrl mean another key, or never reach a program."""
KEY_LABELS = {
    "space": "space",
    "enter": "Enter",
    "tab": "Tab",
    "shift-tab": "Shift-Tab",
    "esc": "Esc",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pgup": "PgUp",
    "pgdn": "PgDn",
    "home": "Home",
    "end": "End",
    "insert": "Insert",
    "delete": "Delete",
    "backspace": "Backspace",
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
    **{
        f"ctrl-{letter}": f"Ctrl-{letter.upper()}"
        for letter in string.ascii_lowercase
        if letter not in _TAKEN_BY_TERMINALS
    },
}
"""Labels of the keys that have a name; every other key is its character."""
_ARROWS = {"up": "up", "down": "down", "left": "left", "right": "right"}


class Key(NamedTuple):
    """One row of a key table: the keys of one command."""

    keys: tuple[str, ...]
    """Names of the keys, as `terminal` gives them."""
    command: str
    """Name of the command, also in `[keys]` of the configuration."""
    help: str
    footer: str = ""
    """Word in the footer, none if empty. Its key is written before it unless the word names keys in
    braces: `{paces} pace`."""
    also: tuple[str, ...] = ()
    """More keys for the command, left out of help and footer."""
    footer_when_playing: str = ""
    """Word in the footer while a person plays."""
    group: str = "More"
    """Heading of the key's group in help and documentation."""

    @property
    def shown(self) -> str:
        """The labels of the keys."""
        names = [written(key) for key in self.keys]
        many = self.command == "pane" and len(names) > 2
        return f"{names[0]} … {names[-1]}" if many else " ".join(names)


@dataclass(frozen=True)
class Keys:
    """The key table of a screen; `keys[command]` is the label of the first key of a command."""

    rows: tuple[Key, ...]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.rows)

    def __getitem__(self, command: str) -> str:
        return self._names[command]

    @cached_property
    def commands(self) -> Mapping[str, str]:
        """The command of each key."""
        return {key: row.command for row in self.rows for key in (*row.keys, *row.also)}

    @cached_property
    def _names(self) -> Mapping[str, str]:
        first = {row.command: row.keys[0] for row in self.rows}
        names = {command: written(key) for command, key in first.items()}
        if _ARROWS.keys() <= first.keys():
            usual = all(first[command] == key for command, key in _ARROWS.items())
            names["arrows"] = "arrows" if usual else " ".join(names[each] for each in _ARROWS)
        if "faster" in names:
            both = names["faster"], names["slower"]
            names["paces"] = ("" if all(len(name) == 1 for name in both) else " ").join(both)
        return names

    def pane(self, key: str) -> int:
        """Return the number of the pane that a key of the command `pane` chooses."""
        return next(row.keys.index(key) for row in self.rows if row.command == "pane") + 1

    def footer(self, row: Key, human_playing: bool = False) -> str:
        """Return the keys and the word of a row in the footer; empty if it has no word."""
        word = row.footer_when_playing if human_playing else row.footer
        if not word:
            return ""
        return self.format(word if "{" in word else f"{{{row.command}}} {word}")

    def format(self, text: str, facts: Mapping[str, str] = MappingProxyType({})) -> str:
        """Replace each command in braces by the label of its key, and each name of a fact by it.

        Raises KeyError for any other name.
        """
        return text.format_map({**self._names, **facts})

    def unknown(self, key: str) -> str:
        """Return the message for a key that does nothing."""
        return f"no such key: {_readable(key)}  ·  {self['help']} shows all keys"

    def rebound(self, changes: Mapping[str, tuple[str, ...]]) -> "Keys":
        """Return a table with other keys for some commands; commands it does not have are ignored.

        `pane` takes no more keys than it has in this table.
        """
        return Keys(tuple(_rebound(row, changes.get(row.command, ())) for row in self.rows))


def _rebound(row: Key, keys: tuple[str, ...]) -> Key:
    if row.command == "pane":
        keys = keys[: len(row.keys)]
    if not keys or set(keys) == {*row.keys, *row.also}:
        return row
    return row._replace(keys=keys, also=())


def written(key: str) -> str:
    """Return the label of a key."""
    return KEY_LABELS.get(key, key)


def _readable(key: str) -> str:
    """Return the label of a key, of control and unprintable characters too."""
    if len(key) == 1 and "\x00" < key < "\x1b":
        return f"Ctrl-{chr(ord(key) + 64)}"
    return written(key) if key.isprintable() else ascii(key)
