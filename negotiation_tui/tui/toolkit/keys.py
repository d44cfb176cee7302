"""Key tables: each drives the commands, help and footer of a screen, and the documentation."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from negotiation_tui.runtime.records import dataclass, field, replace

_WITH_CTRL = "abdefgklnprtuwx"  # the others mean another key then, or never reach a program
_KEYS = (
    *("space", "enter", "tab", "shift-tab", "esc", "up", "down", "left", "right"),
    *("pgup", "pgdn", "home", "end", "insert", "delete", "backspace"),
    *(f"f{n}" for n in range(1, 13)),
    *(f"ctrl-{letter}" for letter in _WITH_CTRL),
)
_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}
KEY_LABELS = {
    **{name: name.title() for name in _KEYS},
    **_ARROWS,
    "space": "space",
    "pgup": "PgUp",
    "pgdn": "PgDn",
}
"""Labels of the keys that have a name; every other key is its character."""
KEY_OF_LABEL = {label: key for key, label in KEY_LABELS.items()}
ESC = "\x1b"
CHARACTERS: Mapping[str | int, str] = {
    " ": "space",
    "\t": "tab",
    ESC: "esc",
    **dict.fromkeys("\n\r", "enter"),
    **dict.fromkeys("\x08\x7f", "backspace"),
    **{chr(ord(name[-1]) - 96): name for name in KEY_LABELS if name.startswith("ctrl-")},
}
"""The keys that have a name, by the character that a terminal sends for them."""
Hint = tuple[str, str]  # keys, and the words for their effect


class Key(NamedTuple):
    """One row of a key table: the keys of one command."""

    keys: tuple[str, ...]  # names of the keys, as `terminal` gives them
    command: str  # name of the command, also in `[keys]` of the configuration
    help: str
    footer: str = ""
    """Words in the footer, none if empty. Their key is written before them unless they name keys
    in braces: `{paces} pace`. Words after a colon are for wide screens."""
    also: tuple[str, ...] = ()  # more keys for the command, left out of help and footer
    in_play: str = ""  # word in the footer while a person plays
    group: str = "More"  # heading of the key's group in help and documentation

    @property
    def shown(self) -> str:
        names = [written(key) for key in self.keys]
        many = self.command == "pane" and len(names) > 2
        return f"{names[0]} … {names[-1]}" if many else " ".join(names)


@dataclass(frozen=True)
class Keys:
    """The key table of a screen; `keys[command]` is the label of the first key of a command."""

    rows: tuple[Key, ...]
    absent: Mapping[str, str] = field(default_factory=dict)
    """Keys of other screens without a meaning on this one, and the reason."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Commands that do nothing now, and the reason; in it commands in braces stand for keys."""

    def __iter__(self) -> Iterator[Key]:
        return iter(self.rows)

    def __getitem__(self, command: str) -> str:
        return self._names[command]

    @property
    def bindings(self) -> list[tuple[str, str]]:
        """Each key with its command, in the order of the table."""
        return [(key, row.command) for row in self.rows for key in (*row.keys, *row.also)]

    @cached_property
    def commands(self) -> Mapping[str, str]:
        return dict(self.bindings)

    @cached_property
    def _names(self) -> Mapping[str, str]:
        first = {row.command: row.keys[0] for row in self.rows}
        names = {command: written(key) for command, key in first.items()}
        if _ARROWS.keys() <= first.keys():
            usual = all(first[command] == command for command in _ARROWS)
            names["arrows"] = "arrows" if usual else " ".join(names[each] for each in _ARROWS)
        if "faster" in names:
            both = names["faster"], names["slower"]
            names["paces"] = ("" if all(len(name) == 1 for name in both) else " ").join(both)
        return names

    def pane(self, key: str) -> int:
        """Return the number of the pane that a key of the command `pane` chooses."""
        return next(row.keys.index(key) for row in self.rows if row.command == "pane") + 1

    def footer(self, row: Key, human_playing: bool = False) -> Hint | None:
        """Return the keys and the words of a row in the footer; None if it has no words."""
        words = row.in_play if human_playing else row.footer
        if not words:
            return None
        return self.hint(words if "{" in words else f"{{{row.command}}} {words}")

    def hint(self, text: str) -> Hint:
        """Return the keys that a text begins with, as commands in braces, and its words."""
        names, brace, words = text.rpartition("}")
        return self.format(names + brace), words.strip()

    def format(self, text: str, facts: Mapping[str, str] = MappingProxyType({})) -> str:
        """Replace commands in braces by their keys, names of facts by them; or raise KeyError."""
        return text.format_map({**self._names, **facts})

    def unknown(self, key: str) -> str:
        if key in self.absent:
            return self.format(self.absent[key])
        label = written(key) if key.isprintable() else ascii(key)
        if len(key) == 1 and "\0" < key < " ":
            label = f"Ctrl-{chr(ord(key) + 64)}"
        return f"no such key: {label}  ·  {self['help']} shows all keys"

    def rebound(self, changes: Mapping[str, tuple[str, ...]]) -> "Keys":
        """Return a table with other keys for some commands; commands it does not have are ignored.

        `pane` takes no more keys than it has in this table.
        """
        rows = []
        for row in self.rows:
            keys = changes.get(row.command, ())
            keys = keys[: len(row.keys)] if row.command == "pane" else keys
            same = not keys or {*keys} == {*row.keys, *row.also}
            rows.append(row if same else row._replace(keys=keys, also=()))
        return replace(self, rows=tuple(rows))


def key_rows(table: str) -> tuple[Key, ...]:
    """Return the rows of a table; its keys in parentheses are left out of help and footer."""
    rows = []
    for line in table.strip().splitlines():
        names, command, group, does, *words = (cell.strip() for cell in line.split("|"))
        keys = tuple(name for name in names.split() if not _ALSO.fullmatch(name))
        footer, in_play, *_ = *words, "", ""
        rows.append(Key(keys, command, does, footer, tuple(_ALSO.findall(names)), in_play, group))
    return tuple(rows)


def meanings(table: str) -> dict[str, str]:
    """Return the meaning of each word of a table: a dash, the word, a colon, and its text."""
    entries = (" ".join(entry.split()) for entry in f"\n{table}".split("\n- ")[1:])
    return {word: text for word, _, text in (entry.partition(": ") for entry in entries)}


_ALSO = re.compile(r"\((.+)\)")
_FIRST = """
q         | quit          | Watch | quit | quit
? (f1)    | help          | Watch | open or close this help | help
space     | run           | Watch | pause or run | run/pause
"""
_LAST = """
tab       | next_pane     | View  | choose the next pane | pane
shift-tab | previous_pane | View  | choose the previous pane
%s        | pane          | View  | choose a pane by its number
z         | zoom          | View  | the chosen pane on the whole screen, and back | zoom
up k      | up            | View  | the row above, or scroll up | {arrows} choose
down j    | down          | View  | the row below, or scroll down
left h    | left          | View  | the cell to the left, or scroll left
right l   | right         | View  | the cell to the right, or scroll right
pgup      | page_up       | View  | a page up
pgdn      | page_down     | View  | a page down
home      | first         | View  | the first row
end       | last          | View  | the last row
ctrl-l    | repaint       | View  | repaint the screen; with --speak: say it again
esc       | close         | View  | close the box on top, or show all panes again
"""


def list_screen_keys(panes: str, more: str, absent: Mapping[str, str]) -> Keys:
    """Return the key table of a list screen whose panes are numbered by the digits in `panes`."""
    rows = map(key_rows, (_FIRST, more, _LAST % " ".join(panes)))
    return Keys(tuple(chain(*rows)), absent)


def written(key: str) -> str:
    """Return the label of a key."""
    return KEY_LABELS.get(key, key)
