"""Jobs into rows: carried out by workers, by way of a file if there is one."""

import sys
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TypeVar

from negotiation_tui.progress import counted
from negotiation_tui.results import ResultFile, Row
from negotiation_tui.workers import answers

J = TypeVar("J")


def fill(
    file: ResultFile,
    function: Callable[[J], Row],
    jobs: Sequence[J],
    workers: int,
    cluster: str | None,
) -> Iterator[int]:
    """Carry out what is missing, yielding the number of each job when its row is written."""
    missing = file.missing
    for number, result in answers(function, [jobs[n] for n in missing], workers, cluster):
        file.add(missing[number], result)
        yield missing[number]
    file.put_in_order()


def rows_of(
    function: Callable[[J], Row],
    jobs: Sequence[J],
    file: ResultFile | None,
    workers: int,
    cluster: str | None,
    unit: str,
) -> list[Row]:
    """What comes of every job, in their order, with a bar; by way of the file, if there is one.

    With a file the rows say what they depended on too. Broken off, it says how to go on.
    """
    try:
        if file is not None:
            ready = fill(file, function, jobs, workers, cluster)
            for _ in counted(ready, len(file.missing), unit):
                pass
            return file.rows()
        found = counted(answers(function, jobs, workers, cluster), len(jobs), unit)
        return [row for _, row in sorted(found, key=itemgetter(0))]
    except KeyboardInterrupt:
        lost = "nothing was kept: with --out FILE one can go on later"
        sys.stderr.write(f"{file.how_to_go_on if file else lost}\n")
        raise
