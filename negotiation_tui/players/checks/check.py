"""The result of a check of a player: a line per check, and how to mend what fails."""

from collections.abc import Callable
from dataclasses import dataclass

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.process_pool import run_jobs

Job = tuple[str, tuple[Scenario, ...], int]
"""A spec, scenarios and a seed."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check."""

    name: str
    broken: str = ""
    """The failure and how to fix it; empty if the check passed."""
    exchange: tuple[str, ...] = ()
    """The last lines to and from a program that failed."""

    def __str__(self) -> str:
        mark = "BREAKS" if self.broken else "ok"
        below = [self.broken, *(f"  {line}" for line in self.exchange)] if self.broken else []
        return "\n        ".join([f"{mark:<6}  {self.name}", *below])

    @classmethod
    def of(cls, name: str, failure: Callable[[], str | None]) -> "Check":
        try:
            return cls(name, failure() or "")
        except BadInputError as error:
            return cls(name, str(error))


def same_elsewhere(fingerprint: Callable[[Job], str], job: Job) -> bool:
    """True if a fingerprint is the same twice in this process and in two others."""
    elsewhere = [digest for _, digest in run_jobs(fingerprint, [job, job], 2)]
    return {fingerprint(job), fingerprint(job), *elsewhere} == {elsewhere[0]}
