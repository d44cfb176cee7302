"""The usual settings of the checks of a program."""

CHECK_MINUTES = 5.0  # the most for all checks
