"""A live contest: its jobs are done in other processes, its standings published."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from negotiation_tui.contest.contest import Contest
from negotiation_tui.contest.standings import AnyStanding, Cells
from negotiation_tui.errors import Refusal
from negotiation_tui.runtime.process_pool import polled
from negotiation_tui.runtime.result_file import ResultFile, Row, telling_how_to_go_on
from negotiation_tui.sessions.commands import Halt, Run

MOMENT = 0.05
"""Seconds to wait for a result before commands are handled."""


@dataclass(frozen=True, eq=False)
class ContestSnapshot:
    """The state of a contest: an immutable value."""

    contest: Contest
    rows: tuple[Row, ...]
    """The results, in the order in which they came."""
    notice: str = ""
    """The reason for which no result comes, such as a cluster without workers."""

    @property
    def finished(self) -> bool:
        return len(self.rows) == len(self.contest.jobs)

    @cached_property
    def cells(self) -> Cells:
        """The values of each pair of entrants."""
        return self.contest.cells(self.rows)

    @cached_property
    def leaderboard(self) -> Sequence[AnyStanding]:
        """The standings, best first."""
        return self.contest.leaderboard(self.rows)


class ContestSession:
    """A contest; results also go to the result file, if any.

    While it is halted, jobs in progress go on, but their results are not taken.
    """

    def __init__(
        self, contest: Contest, file: ResultFile | None, workers: int | None, cluster: str | None
    ) -> None:
        self._file, self._started = file, False
        self.snapshot = ContestSnapshot(contest, tuple(file.rows() if file else ()))
        self._missing = file.missing if file else list(range(len(contest.jobs)))
        jobs = [contest.jobs[number] for number in self._missing]
        self._answers: Iterator[tuple[int, Row] | str] = polled(
            contest.runner(file is not None, len(jobs)),
            jobs,
            min(workers or os.cpu_count() or 1, len(jobs)) or 1,
            cluster,
            MOMENT,
        )

    @property
    def running(self) -> bool:
        return self._started and not self.snapshot.finished

    def handle(self, command: Run | Halt) -> None:
        self._started = isinstance(command, Run)

    def report(self, refusal: Refusal) -> None:
        """Raise the refusal: without workers or its file a contest cannot go on."""
        raise refusal

    def idle(self) -> None:
        """Do nothing: there is no optional work."""

    def step(self) -> float:
        """Wait a moment for a result and publish it; return the seconds to rest."""
        with telling_how_to_go_on(self._file):
            answer = next(self._answers)
        before = self.snapshot
        if isinstance(answer, str):
            if answer != before.notice:
                self.snapshot = replace(before, notice=answer)
            return 0.0
        number, result = self._missing[answer[0]], answer[1]
        if self._file:
            self._file.add(number, result)
        row = {**before.contest.key(before.contest.jobs[number]), **result}
        self.snapshot = ContestSnapshot(before.contest, (*before.rows, row))
        if self._file and self.snapshot.finished:
            self._file.put_in_order()
        return 0.0

    def close(self) -> None:
        """End the worker processes at once; their unfinished jobs are lost."""
        close = getattr(self._answers, "close", None)
        if close:
            close()
