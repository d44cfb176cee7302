"""Read TOML, and write its values."""

import json
import os
from pathlib import Path
from typing import Any

from negotiation_tui.errors import BadInputError


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the table in a TOML file; BadInputError names the line that is not TOML."""
    import tomllib  # slow to import, and most commands do not need it

    text = Path(path).read_text(encoding="utf-8-sig")  # editors on Windows add a BOM
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"it is not TOML: {error}") from None


def to_toml(value: object) -> str:
    """Return a value as TOML text; other types than TOML's as `str` writes them."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
