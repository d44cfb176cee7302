"""Read TOML, and write its values."""

import json
from typing import Any

from negotiation_tui.errors import BadInputError


def parse_toml(text: str) -> dict[str, Any]:
    """TOML as a table; BadInputError says where it breaks."""
    import tomllib  # few need it, and it takes its time

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"it is not TOML: {error}") from None


def to_toml(value: object) -> str:
    """A value as TOML writes it; of what no entry holds, something like it."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)
