"""The error for invalid input, and the text of other errors."""


class BadInputError(ValueError):
    """Invalid input of the user; its one-line message says what is expected."""


def error_line(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"
