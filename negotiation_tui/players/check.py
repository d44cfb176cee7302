"""The result of a check of a strategy or of a learner."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    broken: str = ""
    """The failure and how to fix it; empty if the check passed."""

    def __str__(self) -> str:
        """One line, and the failure in a line below it."""
        mark = "BREAKS" if self.broken else "ok"
        return f"{mark:<6}  {self.name}" + (f"\n        {self.broken}" if self.broken else "")
