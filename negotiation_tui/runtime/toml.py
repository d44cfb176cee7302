"""Read TOML, and write its values."""

import json
import os
import re
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import read_bytes
from negotiation_tui.runtime.validate import refusal

MOST_BYTES = 1_000_000
"""The greatest size of a TOML file, which a person writes."""
_DEEPEST = 20
"""The most levels of tables and lists."""
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w-])(?:{_PART}){{{_DEEPEST}}}")
"""A key of many parts, such as `a.a.a`: the time to read it grows with the cube of their number."""


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the table in a TOML file.

    Raises BadInputError if it is not TOML, or holds what no file of this program means and what
    could not be shown in a message: integers of more than 3,900 digits, or more than 20 levels.
    """
    import tomllib  # slow to import, and most commands do not need it

    text = read_bytes(path, MOST_BYTES).decode("utf-8-sig")  # editors on Windows add a BOM
    too_deep = BadInputError(f"expected at most {_DEEPEST} levels of tables and lists, got more")
    if _LONG_KEY.search(text):
        raise too_deep
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"it is not TOML: {error}") from None
    except ValueError:  # a number or date that Python refuses
        raise BadInputError("it is not TOML: a number or date is out of its limits") from None
    except RecursionError:
        raise too_deep from None
    level: list[tuple[str, Any]] = list(table.items())
    for _ in range(_DEEPEST):
        level = [inner for name, value in level for inner in _within(name, value)]
    if level:
        raise too_deep
    return table


def _within(name: str, value: object) -> list[tuple[str, Any]]:
    """Return the values in a table or list, by name; raise BadInputError for a long integer."""
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return [(name, each) for each in value]
    if isinstance(value, int) and value.bit_length() > 13_000:  # Python shows 4,300
        raise refusal(name, value, "an integer of at most 3,900 digits")
    return []


def to_toml(value: object) -> str:
    """Return a value as TOML text; other types than TOML's as `str` writes them."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
