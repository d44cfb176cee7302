"""Values that a screen shows beside a run, such as NashConv: an error in one ends no run."""

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from negotiation_tui.errors import BadInputError, error_line

R = TypeVar("R")


class Extras:
    """Computes such values; `say` gets a line for the notices, once per error."""

    def __init__(self, say: Callable[[str], object] = str) -> None:
        self._say = cache(say)

    def __call__(self, what: str, work: Callable[..., R], *arguments: Any) -> R | None:
        """Return the result of `work`; None after an error that is no refusal. Tests raise it."""
        try:
            return work(*arguments)
        except (BadInputError, OSError):
            raise
        except Exception as error:
            line = f"{what}: unknown, by a mistake of the program ({error_line(error)})"
            self._say(line)
            warnings.warn(line, RuntimeWarning, stacklevel=2)
        return None
