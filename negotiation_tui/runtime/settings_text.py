"""Settings of a frozen dataclass: their checks, and their form as text, `setting=value,…`."""

from collections.abc import Callable, Sequence
from dataclasses import field, fields, is_dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.validate import number, one_of, parse_like, refusal

T = TypeVar("T")
Validator = Callable[[str, Any], object]
"""Takes the name of a setting and its value, and returns it as a plain value. Raises BadInputError
if the value is not allowed."""


def within(low: float, high: float, *, above: bool = False) -> Validator:
    """Return the check of a number, see `number`."""
    return partial(number, low=low, high=high, above=above)


def among(allowed: Sequence[str]) -> Validator:
    """Return the check of a word."""
    return partial(one_of, allowed=allowed)


_SHARE = within(0, 1)


def setting(default: Any, meaning: str = "", check: Validator = _SHARE) -> Any:
    """Return a field: its default, its meaning in one line for help texts, and its check."""
    return field(default=default, metadata={"help": meaning, "check": check})


def own_dict() -> Any:
    """Return a field: a dictionary that an instance fills, and that is no part of its value."""
    return field(default_factory=dict, init=False, repr=False, compare=False)


class Checked:
    """Base of frozen dataclasses with fields by `setting`; BadInputError for a wrong value."""

    __slots__ = ()

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, check in _checks(kind).items():
            object.__setattr__(self, name, check(name, getattr(self, name)))


@cache
def _checks(kind: Any) -> dict[str, Validator]:
    """Return the check of each setting, also if a subclass changed only its default."""
    bases: Any = filter(is_dataclass, reversed(kind.__mro__))
    found = [each for base in bases for each in fields(base) if "check" in each.metadata]
    return {each.name: each.metadata["check"] for each in found}


class Setting(NamedTuple):
    """A setting, its default and the values allowed, as text, and its meaning."""

    name: str
    default: str
    allowed: str
    meaning: str = ""


def pairs(name: str, text: str) -> dict[str, str]:
    """Return the settings of a text `setting=value,…`; a `+` may stand for a comma."""
    parts = text.replace("+", ",").split(",") if text else []
    settings: dict[str, str] = {}
    for part in parts:
        setting, equals, value = part.partition("=")
        if not equals or not setting or not value:
            raise refusal(name, part, "setting=value")
        if setting.strip() in settings:
            raise refusal(f"{name}: {setting.strip()}", part, "one value")
        settings[setting.strip()] = value.strip()
    return settings


def parsed(
    name: str, values: dict[str, str], defaults: dict[str, Any], names: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return the values of settings, each like its default; an error lists `names`, or all."""
    found = {}
    for setting, value in values.items():
        one_of(f"{name}: setting", setting, list(defaults) if names is None else names)
        found[setting] = parse_like(f"{name}: {setting}", value, defaults[setting])
    return found


def with_values(
    default: T, name: str, values: dict[str, str], names: Sequence[str] | None = None
) -> T:
    """Return a dataclass instance with these settings changed, as `parsed` reads them."""
    instance: Any = default
    changed: T = replace(instance, **parsed(name, values, values_of(default), names))
    return changed


def values_of(instance: Any) -> dict[str, Any]:
    return {each.name: getattr(instance, each.name) for each in fields(instance)}


def changed_values(instance: object, default: object) -> list[str]:
    """Return `setting=value` for each setting that differs from its default."""
    values, defaults = values_of(instance), values_of(default)
    changed = [name for name in values if name in defaults and values[name] != defaults[name]]
    return [f"{name}={text_of(values[name])}" for name in changed]


def table_of(default: Any) -> list[Setting]:
    """Return the settings of a dataclass instance; its values are the defaults."""
    meanings = {each.name: each.metadata.get("help", "") for each in fields(default)}
    return [
        Setting(name, text_of(value), allowed(default, name), meanings[name])
        for name, value in values_of(default).items()
    ]


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def in_short(value: object) -> str:
    """Return a value with at most four digits."""
    return f"{value:.4g}" if isinstance(value, float) else text_of(value)


def allowed(instance: Any, setting: str) -> str:
    """Return the values allowed for a setting, as its refusal of nothing says them."""
    try:
        replace(instance, **{setting: None})
    except BadInputError as error:
        return error.expected
    return "anything"
