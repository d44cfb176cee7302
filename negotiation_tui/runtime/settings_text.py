"""Settings of a frozen dataclass as text: `setting=value,…`."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.validate import known_name, parse_like, refusal

T = TypeVar("T")


class Setting(NamedTuple):
    """A setting, its default and the values allowed, as text, and its meaning."""

    name: str
    default: str
    allowed: str
    meaning: str = ""


def pairs(name: str, text: str) -> dict[str, str]:
    """Return the settings of a text `setting=value,…`; a `+` may stand for a comma.

    Raises BadInputError, which begins with `name`, for another form.
    """
    parts = text.replace("+", ",").split(",") if text else []
    settings: dict[str, str] = {}
    for part in parts:
        setting, value = _pair(name, part)
        if setting in settings:
            raise refusal(f"{name}: {setting}", part, "one value")
        settings[setting] = value
    return settings


def parsed(
    name: str, values: dict[str, str], defaults: dict[str, Any], names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the values of settings, each like its default.

    `names` lists the settings in an error, by default all. Raises BadInputError, which begins with
    `name`.
    """
    found = {}
    for setting, value in values.items():
        known_name(f"{name}: setting", setting, list(defaults) if names is None else names)
        found[setting] = parse_like(f"{name}: {setting}", value, defaults[setting])
    return found


def with_values(
    default: T, name: str, values: dict[str, str], names: Sequence[str] | None = None
) -> T:
    """Return a dataclass instance with these settings changed, as `parsed` reads them."""
    instance: Any = default
    changed: T = replace(instance, **parsed(name, values, values_of(default), names))
    return changed


def values_of(instance: object) -> dict[str, Any]:
    each: Any = instance
    return {field.name: getattr(each, field.name) for field in fields(each)}


def changed_values(instance: object, default: object) -> list[str]:
    """Return `setting=value` for each setting that differs from its default."""
    defaults = values_of(default)
    return [
        f"{n}={text_of(v)}"
        for n, v in values_of(instance).items()
        if n in defaults and v != defaults[n]
    ]


def table_of(default: object) -> list[Setting]:
    """Return the settings of a dataclass instance; its values are the defaults."""
    each: Any = default
    meanings = {field.name: field.metadata.get("help", "") for field in fields(each)}
    return [
        Setting(name, text_of(value), allowed(default, name), meanings[name])
        for name, value in values_of(default).items()
    ]


def text_of(value: object) -> str:
    """Return a value as a user writes it: `true` or `false` for a bool."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def allowed(instance: object, setting: str) -> str:
    """Return the values allowed for a setting, as its refusal of nothing says them."""
    each: Any = instance
    try:
        replace(each, **{setting: None})
    except BadInputError as error:
        return error.expected
    return "anything"


def _pair(name: str, part: str) -> tuple[str, str]:
    setting, equals, value = part.partition("=")
    if not equals or not setting or not value:
        raise refusal(name, part, "setting=value")
    return setting.strip(), value.strip()
