"""The one error a user can cause."""


class BadInputError(ValueError):
    """Something the user gave cannot be used.

    The message is one line for a person: it names the thing, the value and what would be right.
    """
