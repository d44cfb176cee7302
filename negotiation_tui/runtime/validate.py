"""Check values that come from outside the program.

Each function returns a plain value or raises BadInputError with the one line
"*name*: expected *X*, got *Y*; *hint*". A boolean is not a number. Integers of numpy are integers.
NaN and infinity are refused.
"""

from collections.abc import Sequence
from math import inf, nan
from numbers import Real
from operator import index
from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.text import clip, either

_WIDTH = 60


def refusal(name: str, value: object, expected: str, hint: str = "") -> BadInputError:
    """The error for a value that is not what was expected.

    `name` may be empty if the caller names the thing itself, as argparse does.
    """
    return BadInputError(
        f"{name + ': ' if name else ''}expected {expected}, got {_shown(value)}"
        + (f"; {hint}" if hint else "")
    )


def integer(name: str, value: Any, low: float = -inf, high: float = inf) -> int:
    """The value as an int from `low` to `high`."""
    plain = value if type(value) is int else _plain(value)
    if isinstance(plain, int) and low <= plain <= high:
        return plain
    raise refusal(name, value, _expected("an integer", low, high))


def number(
    name: str, value: Any, low: float = -inf, high: float = inf, *, above: bool = False
) -> float:
    """The value as a finite int or float from `low` to `high`; with `above`, `low` is excluded."""
    plain = value if type(value) is float else _plain(value)
    if low <= plain <= high and -inf < plain < inf and not (above and plain == low):
        return plain
    raise refusal(name, value, _expected("a number", low, high, above))


def boolean(name: str, value: object) -> bool:
    """The value as a bool."""
    if not _is_boolean(value):
        raise refusal(name, value, "true or false")
    return bool(value)


def string(name: str, value: object) -> str:
    """The value, a string of at least one character."""
    if not isinstance(value, str) or not value:
        raise refusal(name, value, "text")
    return value


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """The value, a string that is allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise refusal(name, value, either(allowed))
    return value


def parse_integer(name: str, words: str, low: float = -inf, high: float = inf) -> int:
    """The integer that a text such as `12` or `1_000` stands for, from `low` to `high`."""
    try:
        value = int(words)
    except ValueError:
        raise refusal(name, words, _expected("an integer", low, high)) from None
    return integer(name, value, low, high)


def parse_number(name: str, words: str, low: float = -inf, high: float = inf) -> float:
    """The number that a text such as `0.5` or `1e-3` stands for, from `low` to `high`."""
    try:
        value = float(words)
    except ValueError:
        raise refusal(name, words, _expected("a number", low, high)) from None
    return number(name, value, low, high)


def parse_like(name: str, words: str, default: object) -> Any:
    """The value that a text stands for, of the same type as the default."""
    if isinstance(default, bool):
        return one_of(name, words.lower(), ("true", "false")) == "true"
    if isinstance(default, int):
        return parse_integer(name, words)
    return parse_number(name, words) if isinstance(default, float) else words


def _plain(value: Any) -> int | float:
    """The number as an int or float of Python, NaN if it is not a number."""
    if _is_boolean(value):
        return nan
    try:
        return index(value)
    except TypeError:
        return float(value) if isinstance(value, Real) else nan


def _is_boolean(value: object) -> bool:
    """True for a boolean of Python or of numpy, which calls its own `bool_` before version 2."""
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
        return clip(" ".join(repr(value).split()), _WIDTH)
    except ValueError:  # Python refuses to write integers of more than 4,300 digits
        return f"{type(value).__name__} too long to print"
