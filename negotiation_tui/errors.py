"""The error for invalid input, and parts of other messages."""


class BadInputError(ValueError):
    """Invalid input of the user; its one-line message says what is expected."""

    expected: str = ""
    """The part of the message that describes the values allowed, if it is known apart."""
    status = 2  # the exit status of the command that it ends


class BrokenOffError(BadInputError):
    """Processes that did the work were lost; the rows so far are kept."""


class NoAnswerError(BadInputError):
    """A program that gave too few answers to be judged."""

    status = 1


Refusal = BadInputError | OSError
"""The errors that a user can do something about; all others are mistakes of the program."""


def reason_of(refusal: Refusal) -> str:
    """Return the reason for a refusal in one line."""
    if isinstance(refusal, OSError) and refusal.strerror:
        return ": ".join(str(part) for part in (refusal.filename, refusal.strerror) if part)
    return str(refusal)


def error_line(error: BaseException) -> str:
    """Return the type and the message of an error in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' + text if text else ''}"


def how_to_install(extra: str) -> str:
    """Return the command that installs what an extra of this program needs."""
    return f'pip install ".[{extra}]" in the source folder'
