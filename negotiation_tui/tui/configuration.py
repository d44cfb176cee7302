"""What a user is used to: a TOML file with defaults for the screens, and with keys.

theme = "light"
pace = 8
[keys]
quit = ["Q", "f10"]
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.toml import read_toml, to_toml
from negotiation_tui.runtime.validate import boolean, number, one_of
from negotiation_tui.tui.market.keys import KEYS as MARKET
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.pace import DEFAULT, NAMES
from negotiation_tui.tui.toolkit.canvas import fits_a_cell
from negotiation_tui.tui.toolkit.keys import KEY_LABELS, Keys
from negotiation_tui.tui.toolkit.theme import THEMES
from negotiation_tui.tui.tournament.keys import KEYS as TOURNAMENT

VARIABLE = "NEGOTIATION_TUI_CONFIG"
"""Names another file, which must exist then."""
SCREENS = {"negotiations": KEYS, "tournament": TOURNAMENT, "market": MARKET}
"""Every screen's key table as it is without a file; a key does one thing on each."""
MOST_PANES = 9
Value = bool | float | str


class Option(NamedTuple):
    """One entry of the file; the command line has an option of the same name."""

    usual: Value
    meaning: str
    choices: tuple[str, ...] = ()

    def value(self, name: str, given: object) -> Value:
        """The value that the file gives, as the program uses it."""
        if self.choices:
            is_short = type(given) is int and abs(given) < 1000  # such as pace = 8
            return one_of(name, str(given) if is_short else given, self.choices)
        if isinstance(self.usual, bool):
            return boolean(name, given)
        return float(number(name, given, 1, 30))


ENTRIES: Mapping[str, Option] = {
    "theme": Option("dark", "what the colours are made for", (*THEMES,)),
    "color": Option("auto", "whether there is colour", ("auto", "always", "never")),
    "animation": Option(True, "markers slide and a deal flashes; without it all holds still"),
    "ascii": Option(False, "no glyph beyond ASCII"),
    "fps": Option(30.0, "most frames a second, 1 to 30"),
    "pace": Option(NAMES[DEFAULT], "offers a second, negotiations a second (n), or flat", NAMES),
    "paused": Option(False, "wait for a key before the first offer"),
    "advice": Option(False, "begin with the advice shown"),
}


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says, and where it is; what it leaves out is as usual."""

    path: Path
    given: Mapping[str, Value]
    """By the names of entries."""
    keys: Mapping[str, tuple[str, ...]]
    """By the commands that have other keys, as `Keys.rebound` takes them."""

    def chosen(self, name: str, word: Any) -> Any:
        """An entry, unless the command line said a word for it."""
        if word is not None:
            return word
        return self.given.get(name, ENTRIES[name].usual)


def place(environ: Mapping[str, str] | None = None) -> Path:
    """Where the file is looked for: as VARIABLE says, else where the system keeps such files."""
    environ = os.environ if environ is None else environ
    if named := environ.get(VARIABLE):
        with suppress(RuntimeError):  # nobody's home
            return Path(named).expanduser()
        return Path(named)
    folder = environ.get("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", "")
    base = Path(folder)
    if not base.is_absolute():  # then it does not count, as XDG says
        base = Path("~/.config")
        with suppress(RuntimeError):  # nobody's home: there is no file either
            base = base.expanduser()
    return base / "negotiation-tui" / "config.toml"


def read(path: Path | None = None) -> Configuration:
    """The configuration in a file, by default in the user's, where a file may be missing.

    Raises BadInputError naming file, entry, value and what would be right.
    """
    found = place() if path is None else path
    with reading(found, "configuration"):
        try:
            return _checked(found, read_toml(found))
        except FileNotFoundError:
            if path is not None or os.environ.get(VARIABLE):
                raise
            return Configuration(found, {}, {})


def _checked(path: Path, table: Mapping[str, Any]) -> Configuration:
    given = {}
    for name, word in table.items():
        if name == "keys":
            continue
        entry = ENTRIES[one_of("entry", name, (*ENTRIES, "[keys]"))]
        given[name] = entry.value(name, word)
    keys = table.get("keys", {})
    if not isinstance(keys, Mapping):
        raise BadInputError(
            f"keys: {to_toml(keys)} is not a table, use [keys] with a line a command"
        )
    bound = {command: _keys(command, word) for command, word in keys.items()}
    _check_once(bound)
    return Configuration(path, given, bound)


def usual_rows() -> Mapping[str, tuple[tuple[str, ...], str]]:
    """The keys of every command without a file, and what it does; as the first screen has them."""
    rows: dict[str, tuple[tuple[str, ...], str]] = {}
    for row in chain(*SCREENS.values()):
        rows.setdefault(row.command, ((*row.keys, *row.also), row.help))
    return rows


def _keys(command: str, word: object) -> tuple[str, ...]:
    """The keys that a line of [keys] gives to a command."""
    if command not in usual_rows():
        known = ", ".join(usual_rows())
        raise BadInputError(f"keys: there is no command {command!r}, use {known}")
    words = [word] if isinstance(word, str) else word
    if not isinstance(words, list) or not words or not all(isinstance(w, str) for w in words):
        raise BadInputError(
            f'keys.{command}: {to_toml(word)} cannot be used: give a key such as "x", or a list'
        )
    keys = tuple(_key(command, name) for name in words)
    if command == "close" and "esc" not in keys:
        raise BadInputError(f'keys.close: {to_toml(word)} lacks "esc", which always closes: add it')
    if command == "pane" and len(keys) > MOST_PANES:
        raise BadInputError(f"keys.pane: {len(keys)} keys are too many, use at most {MOST_PANES}")
    return keys


def _key(command: str, word: str) -> str:
    key = "space" if word == " " else word.lower() if len(word) > 1 else word
    if key == "esc" and command != "close":
        raise BadInputError(f'keys.{command}: "esc" always closes: choose another key')
    if key == "ctrl-c":
        raise BadInputError(f'keys.{command}: "ctrl-c" always ends the program: choose another key')
    if key not in KEY_LABELS and not (len(key) == 1 and fits_a_cell(key)):
        named = ", ".join(name for name in KEY_LABELS if not name.startswith(("f", "ctrl-")))
        ctrl = "".join(name[-1] for name in KEY_LABELS if name.startswith("ctrl-"))
        raise BadInputError(
            f"keys.{command}: there is no key {to_toml(word)}, use one character of a cell's"
            f" width, {named}, f1 to f12, or ctrl- with one of {ctrl}"
        )
    return key


def _check_once(bound: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse a key that would do two things on a screen."""
    for screen, keys in SCREENS.items():
        for key, command, other in _taken_twice(keys.rebound(bound)):
            if command == other:
                raise BadInputError(f"keys.{command}: {to_toml(key)} is there twice, leave one out")
            named, holder = (command, other) if command in bound else (other, command)
            raise BadInputError(
                f"keys.{named}: {to_toml(key)} is the key of {holder} on the screen of {screen}:"
                f" choose another, or give {holder} another"
            )


def _taken_twice(keys: Keys) -> Iterator[tuple[str, str, str]]:
    """Keys that a table has twice, and for what."""
    seen: dict[str, str] = {}
    for row in keys:
        for key in (*row.keys, *row.also):
            if key in seen:
                yield key, row.command, seen[key]
            seen[key] = row.command
