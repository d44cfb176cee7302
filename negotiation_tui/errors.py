"""The error for invalid input, and the text of other errors."""


class BadInputError(ValueError):
    """Invalid input of the user; its one-line message says what is expected."""


class BrokenOffError(BadInputError):
    """Processes that did the work were lost; the rows so far are kept."""


def error_line(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"
