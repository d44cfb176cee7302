"""Check that a player honours its contract: a line per check, and how to mend what fails."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.process_pool import run_jobs


class CheckResult(NamedTuple):
    """The result of one check."""

    name: str
    broken: str = ""
    """The failure and how to fix it, then the exchange with a program; empty if all is well."""

    def __str__(self) -> str:
        mark = "BREAKS" if self.broken else "ok"
        return f"{mark:<6}  {self.name}\n{self.broken}".rstrip().replace("\n", f"\n{'':8}")


Named = tuple[str, Callable[[], CheckResult | str | None]]
"""The name of a check, and the function that returns its failure, or the whole result."""


def run_checks(checks: Iterable[Named], needed: int = 0) -> Iterator[CheckResult]:
    """Run checks in turn; a failure of one of the first `needed` leaves out the others."""
    for n, (name, check) in enumerate(checks):
        try:
            found = check() or ""
        except BadInputError as error:
            found = str(error)
        result = CheckResult(name, found) if isinstance(found, str) else found
        yield result
        if result.broken and n < needed:
            return


def same_elsewhere(answers: Callable[[Any], str | bytes], job: object, broken: str) -> str:
    """Return `broken` unless the answers are equal twice in this process and in two others."""
    elsewhere = [each for _, each in run_jobs(answers, [job, job], 2)]
    return broken if len({answers(job), answers(job), *elsewhere}) > 1 else ""
