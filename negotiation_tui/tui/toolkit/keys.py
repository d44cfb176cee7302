"""Key tables: one drives dispatch, the help screen, the footer and the documentation."""

import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_TAKEN_BY_TERMINALS = "chijmoqsvyz"
"""Letters that with Ctrl are another key, or never reach a program."""
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
"""Keys that have a name, and how they are written for people; every other is its character."""
_ARROWS = {"up": "up", "down": "down", "left": "left", "right": "right"}


class Key(NamedTuple):
    """Keys that do one thing."""

    keys: tuple[str, ...]
    """As the terminal names them."""
    command: str
    """What `update` calls it, and `[keys]` of the configuration."""
    help: str
    footer: str = ""
    """Word in the footer, most needed first; without one it is not there. Its key goes before it,
    where it does not name others: `{paces} pace`."""
    also: tuple[str, ...] = ()
    """Other keys for the same, not written out."""
    footer_when_playing: str = ""
    """The same while a person is at the table."""

    @property
    def shown(self) -> str:
        """How its keys are written for people."""
        names = [written(key) for key in self.keys]
        many = self.command == "pane" and len(names) > 2
        return f"{names[0]} … {names[-1]}" if many else " ".join(names)


@dataclass(frozen=True)
class Keys:
    """The key table of a screen; `keys[command]` is how the key of a command is written."""

    rows: tuple[Key, ...]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.rows)

    def __getitem__(self, command: str) -> str:
        return self._names[command]

    @cached_property
    def commands(self) -> Mapping[str, str]:
        """What each key does."""
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
        """The number of the pane that a key for `pane` chooses."""
        return next(row.keys.index(key) for row in self.rows if row.command == "pane") + 1

    def footer(self, row: Key, human_playing: bool = False) -> str:
        """What the footer says of a row, keys and word; empty where it says nothing."""
        said = row.footer_when_playing if human_playing else row.footer
        if not said:
            return ""
        return self.format(said if "{" in said else f"{{{row.command}}} {said}")

    def format(self, text: str) -> str:
        """A text with the keys of the commands that it names in braces."""
        return text.format_map(self._names)

    def unknown(self, key: str) -> str:
        """What to say to a key that does nothing."""
        return f"no such key: {_readable(key)}  ·  {self['help']} shows all keys"

    def rebound(self, changes: Mapping[str, tuple[str, ...]]) -> "Keys":
        """The same table with other keys for the commands named, as far as it has them.

        Panes take as many keys as there were.
        """
        return Keys(tuple(_rebound(row, changes.get(row.command, ())) for row in self.rows))


def _rebound(row: Key, keys: tuple[str, ...]) -> Key:
    if row.command == "pane":
        keys = keys[: len(row.keys)]
    if not keys or set(keys) == {*row.keys, *row.also}:
        return row
    return row._replace(keys=keys, also=())


def written(key: str) -> str:
    """A key as people write it."""
    return KEY_LABELS.get(key, key)


def _readable(key: str) -> str:
    """A key that the terminal has no name for, so that one can read it."""
    if len(key) == 1 and "\x00" < key < "\x1b":
        return f"Ctrl-{chr(ord(key) + 64)}"
    return written(key) if key.isprintable() else ascii(key)
