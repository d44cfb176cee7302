"""Check values that come from outside the program.

Each returns a plain value or raises BadInputError: "*name*: expected *X*, got *Y*; *hint*".
A boolean is no number; integers of numpy are integers. NaN and infinity are refused.
"""

from collections.abc import Mapping, Sequence, Sized
from itertools import islice
from math import inf, nan
from numbers import Real
from operator import index
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.text import clip, either, quoted

_WIDTH = 60


def refusal(name: str, value: object, expected: str, hint: str = "") -> BadInputError:
    """Return the error for an unexpected value; `name` may be empty if the caller adds it."""
    start = f"{clip(name, _WIDTH)}: " if name else ""
    end = f"; {hint}" if hint else ""
    error = BadInputError(f"{start}expected {expected}, got {_shown(value)}{end}")
    error.expected = expected
    return error


def integer(name: str, value: Any, low: float = -inf, high: float = inf) -> int:
    plain = value if type(value) is int else _plain(value)
    if isinstance(plain, int) and low <= plain <= high:
        return plain
    raise refusal(name, value, _expected("an integer", low, high))


def number(
    name: str, value: Any, low: float = -inf, high: float = inf, *, above: bool = False
) -> float:
    """Return a finite int or float from `low` to `high`; `above` excludes `low` itself."""
    plain = value if type(value) is float else _plain(value)
    if low <= plain <= high and -inf < plain < inf and not (above and plain == low):
        return plain
    raise refusal(name, value, _expected("a number", low, high, above))


def progression(name: str, table: Mapping[str, Any], most: int) -> range:
    """Return the integers of a table with min, max and perhaps step, none beyond ± `most`."""
    for key in table:
        one_of(name, key, ("min", "max", "step"))
    first = integer(f"{name}.min", table.get("min"), -most, most)
    step = integer(f"{name}.step", table.get("step", 1), 1, 2 * most)
    last = integer(f"{name}.max", table.get("max"), -most, most)
    if first > last:
        raise BadInputError(f"{name}: min {first} is above max {last}; swap them")
    if (last - first) % step:
        nearest = last - (last - first) % step
        raise refusal(f"{name}.max", last, f"{first} plus steps of {step}", f"use {nearest}")
    return range(first, last + 1, step)


def entries(name: str, value: Any, most: int, expected: str) -> list[Any]:
    """Return at most `most` + 1 entries of a list or an array."""
    if isinstance(value, str | bytes | Mapping):
        raise refusal(name, value, expected)
    try:
        return list(islice(value, most + 1))
    except TypeError:
        raise refusal(name, value, expected) from None


def counted(value: object, few: Sequence[object]) -> str:
    """Return the number of entries of a value, of which `entries` returned a few."""
    return f"{len(value):,}" if isinstance(value, Sized) else f"at least {len(few):,}"


def boolean(name: str, value: object) -> bool:
    if _is_boolean(value):
        return bool(value)
    raise refusal(name, value, "true or false")


def string(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise refusal(name, value, "text")
    return value


def one_of(name: str, value: object, allowed: Sequence[str], hint: str = "") -> str:
    if not isinstance(value, str) or value not in allowed:
        raise unknown_name(name, value, allowed, hint)
    return value


def unknown_name(name: str, value: object, known: Sequence[str], hint: str = "") -> BadInputError:
    """Return the error for an unknown name: a hint, or the name most like it, then all names."""
    expected = either(known) if known else "none"
    if not hint and isinstance(value, str) and len(known) > 1:
        near = most_like(value, known)
        hint = f"did you mean {near}?" if near else ""
    if not hint:
        return refusal(name, value, expected)
    start = f"{clip(name, _WIDTH)}: " if name else ""
    return BadInputError(f"{start}got {_shown(value)} ({hint}); expected {expected}")


def most_like(value: str, known: Sequence[str]) -> str:
    """Return the known name most like a value, or its first word; empty if none is much like it."""
    from difflib import get_close_matches

    word = value.partition("-")[0]
    return word if word in known else next(iter(get_close_matches(value, known, 1)), "")


def parse_integer(name: str, text: str, low: float = -inf, high: float = inf) -> int:
    return integer(name, _parsed(int, text), low, high)


def parse_number(
    name: str, text: str, low: float = -inf, high: float = inf, *, above: bool = False
) -> float:
    return number(name, _parsed(float, text), low, high, above=above)


def _parsed(kind: type, text: str) -> Any:
    """Return the number in a text, or the text itself, which no check accepts."""
    try:
        return kind(text)
    except ValueError:
        return text


def parse_like(name: str, text: str, default: object) -> Any:
    if isinstance(default, bool):
        return one_of(name, text.lower(), ("true", "false")) == "true"
    if isinstance(default, int):
        return parse_integer(name, text)
    return parse_number(name, text) if isinstance(default, float) else text


def _plain(value: Any) -> int | float:
    """Return a number as an int or float of Python; NaN for anything else."""
    if _is_boolean(value):
        return nan
    try:
        return index(value)
    except TypeError:
        return float(value) if isinstance(value, Real) else nan


def _is_boolean(value: object) -> bool:
    """True for a boolean of Python or of numpy (named `bool_` before version 2)."""
    return type(value).__name__ in {"bool", "bool_"}


def _expected(kind: str, low: float, high: float, above: bool = False) -> str:
    if low == -inf:
        return kind
    if above:
        return f"{kind} above {low:,}" + ("" if high == inf else f", at most {high:,}")
    return f"{kind} of at least {low:,}" if high == inf else f"{kind} from {low:,} to {high:,}"


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    try:
        text = quoted(value) if isinstance(value, str) else repr(value)
        return clip(" ".join(text.split()), _WIDTH)
    except (ValueError, RecursionError):  # an integer of more than 4,300 digits, or deep lists
        return f"{type(value).__name__} too long to print"
