"""The one error a user can cause, and how errors of others are said."""


class BadInputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line for a person: it names the thing, the value and what would be right.
    """


def error_line(error: BaseException) -> str:
    """An error in a line: its type, and what it says."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"
