"""The one error a user can cause, and how errors of others are said."""

import operator
from typing import Any


class BadInputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line for a person: it names the thing, the value and what would be right.
    """


def error_line(error: BaseException) -> str:
    """An error in a line: its type, and what it says."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"


def share(name: str, given: Any) -> float:
    """What was given as a number from 0 to 1; BadInputError where it is none."""
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        raise BadInputError(f"{name}: {given!r} is out of range, use 0 to 1")
    return number


def whole_number(name: str, given: Any, least: int = 1) -> int:
    """What was given as a whole number, `least` or greater; BadInputError where it is none."""
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if isinstance(given, bool) or number < least:
        raise BadInputError(f"{name}: {given!r} cannot be used, use a whole number from {least} on")
    return number
