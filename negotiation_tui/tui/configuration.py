"""The user's configuration file: default options and key bindings of the screens, in TOML.

theme = "light"
pace = 8
[keys]
quit = ["Q", "f10"]
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import read_toml, reading, to_toml, user_folder
from negotiation_tui.runtime.text import cells
from negotiation_tui.runtime.validate import boolean, number, one_of, refusal
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.toolkit.keys import KEY_LABELS, Keys
from negotiation_tui.tui.toolkit.pace import STEADY
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.toolkit.theme import THEMES

VARIABLE = "NEGOTIATION_TUI_CONFIG"
"""Environment variable that names another file, which must then exist."""
MOST_PANES = 9
Value = bool | float | str


class Option(NamedTuple):
    """One entry of the file; the command line has an option of the same name."""

    default: Value
    meaning: str
    choices: tuple[str, ...] = ()

    def value(self, name: str, value: object) -> Value:
        """Return a value of the file as the program uses it, or raise BadInputError."""
        if self.choices:
            is_short = type(value) is int and abs(value) < 1000  # such as pace = 8
            return one_of(name, str(value) if is_short else value, self.choices)
        if isinstance(self.default, bool):
            return boolean(name, value)
        return float(number(name, value, 1, 30))


_SHOWN = RenderOptions()
ENTRIES: Mapping[str, Option] = {
    "theme": Option(_SHOWN.theme, "colour theme", THEMES),
    "color": Option(_SHOWN.color, "use colour", ("auto", "always", "never")),
    "animation": Option(_SHOWN.animation, "let markers slide"),
    "mouse": Option(_SHOWN.mouse, "take clicks and the wheel; hold Shift to select text"),
    "speak": Option(_SHOWN.speak, "say each event in a line of text, for a screen reader"),
    "ascii": Option(_SHOWN.ascii, "use only ASCII characters"),
    "fps": Option(_SHOWN.fps, "most frames per second, 1 to 30"),
    "pace": Option(
        NAMES[STEADY], "story, offers per second, negotiations per second (n), or flat out", NAMES
    ),
    "paused": Option(False, "wait for a key before the first offer"),
    "advice": Option(False, "show the advice from the start"),
}


class Configuration(NamedTuple):
    """The contents of a configuration file; what it leaves out has its default."""

    path: Path
    entries: Mapping[str, Value]  # the values in the file, by name
    keys: Mapping[str, tuple[str, ...]]  # the keys in the file, by command, for `Keys.rebound`

    def chosen(self, name: str, option: Any) -> Any:
        """Return the option of the command line, or the entry if it is None."""
        return self.entries.get(name, ENTRIES[name].default) if option is None else option


def configuration_path(environ: Mapping[str, str] | None = None) -> Path:
    """Return the file that VARIABLE names, or the one in the system's usual folder."""
    environ = os.environ if environ is None else environ
    if named := environ.get(VARIABLE):
        with suppress(RuntimeError):  # no home folder
            return Path(named).expanduser()
        return Path(named)
    folder = user_folder("CONFIG", environ) or Path("~/.config/negotiation-tui")  # no such file
    return folder / "config.toml"


def read(path: Path | None = None) -> Configuration:
    """Read a configuration file, by default the user's, which may be missing.

    Raises BadInputError that names the file, the entry, its value and the values allowed.
    """
    file = configuration_path() if path is None else path
    with reading(file, "configuration"):
        try:
            return _checked(file, read_toml(file))
        except FileNotFoundError:
            if path is not None or os.environ.get(VARIABLE):
                raise
            return Configuration(file, {}, {})


def _checked(path: Path, table: Mapping[str, Any]) -> Configuration:
    entries = {}
    for name, value in table.items():
        if name == "keys":
            continue
        entry = ENTRIES[one_of("entry", name, (*ENTRIES, "[keys]"))]
        entries[name] = entry.value(name, value)
    keys = table.get("keys", {})
    if not isinstance(keys, Mapping):
        raise refusal("keys", keys, "a table [keys] with a line per command")
    bound = {command: _keys(command, value) for command, value in keys.items()}
    _check_once(bound)
    return Configuration(path, entries, bound)


def key_tables() -> Mapping[str, Keys]:
    """Return the default key table of each screen; a key has one command per screen."""
    from negotiation_tui.tui.market.keys import KEYS as MARKET
    from negotiation_tui.tui.negotiation.keys import KEYS
    from negotiation_tui.tui.results.keys import KEYS as RESULTS
    from negotiation_tui.tui.tournament.keys import KEYS as TOURNAMENT

    return {"negotiations": KEYS, "tournament": TOURNAMENT, "market": MARKET, "results": RESULTS}


def default_keys() -> Mapping[str, tuple[tuple[str, ...], str]]:
    """Return the default keys and the help of every command, by its first screen."""
    rows: dict[str, tuple[tuple[str, ...], str]] = {}
    for row in chain(*key_tables().values()):
        rows.setdefault(row.command, ((*row.keys, *row.also), row.help))
    return rows


def _keys(command: str, value: object) -> tuple[str, ...]:
    """Return the keys that a line of [keys] binds to a command."""
    one_of("keys", command, tuple(default_keys()))
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise refusal(f"keys.{command}", value, 'a key such as "x", or a list of keys')
    keys = tuple(_key(command, name) for name in names)
    if command == "close" and "esc" not in keys:
        raise BadInputError(
            f'keys.close: {to_toml(value)} lacks "esc", which always closes; add it'
        )
    if command == "pane" and len(keys) > MOST_PANES:
        raise BadInputError(f"keys.pane: expected at most {MOST_PANES} keys, got {len(keys)}")
    return keys


def _key(command: str, name: str) -> str:
    key = "space" if name == " " else name.lower() if len(name) > 1 else name
    if key == "esc" and command != "close":
        raise BadInputError(f'keys.{command}: "esc" always closes; choose another key')
    if key == "ctrl-c":
        raise BadInputError(f'keys.{command}: "ctrl-c" always ends the program; choose another key')
    if key not in KEY_LABELS and not (len(key) == cells(key) == 1 and key.isprintable()):
        named = ", ".join(label for label in KEY_LABELS if not label.startswith(("f", "ctrl-")))
        ctrl = "".join(label[-1] for label in KEY_LABELS if label.startswith("ctrl-"))
        expected = f"one character of width 1, {named}, f1 to f12, or ctrl- with one of {ctrl}"
        raise refusal(f"keys.{command}", name, expected)
    return key


def _check_once(bound: Mapping[str, tuple[str, ...]]) -> None:
    """Raise BadInputError if a key has two commands on a screen."""
    for screen, keys in key_tables().items():
        taken: dict[str, str] = {}
        for key, command in keys.rebound(bound).bindings:
            other = taken.get(key)
            if command == other:
                raise BadInputError(f"keys.{command}: {to_toml(key)} is given twice; leave one out")
            if other:
                named, holder = (command, other) if command in bound else (other, command)
                raise BadInputError(
                    f"keys.{named}: {to_toml(key)} is already the key of {holder} on the {screen}"
                    " screen; change either"
                )
            taken[key] = command
