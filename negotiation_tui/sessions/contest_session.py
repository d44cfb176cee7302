"""A live contest: its jobs are done in other processes, its standings published."""

from collections.abc import Sequence
from functools import cached_property

from negotiation_tui.contest.contest import AnyStanding, Cells, Contest, RunGrid
from negotiation_tui.runtime.output import TimeLeft
from negotiation_tui.runtime.process_pool import polled
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.result_file import ResultFile, ResultRow
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.session import PlainSession

MOMENT = 0.05  # seconds to wait for a result before commands are handled


@dataclass(frozen=True, eq=False)
class ContestSnapshot:
    """The state of a contest: an immutable value."""

    contest: RunGrid
    rows: tuple[ResultRow, ...]  # the results, in the order in which they came
    notice: str = ""  # the reason for which no result comes, such as a cluster without workers
    seconds_left: float | None = None  # None until two results came
    numbers: tuple[int, ...] = ()  # the numbers of the jobs of these rows

    @property
    def finished(self) -> bool:
        return len(self.rows) == len(self.contest.jobs)

    @cached_property
    def cells(self) -> Cells:
        return self.contest.cells(self.rows, self.numbers)

    @cached_property
    def leaderboard(self) -> Sequence[AnyStanding]:
        assert isinstance(self.contest, Contest)
        return self.contest.leaderboard(self.rows)


class ContestSession(PlainSession):
    """A contest and its results; halted, it takes no results, but jobs go on."""

    def __init__(
        self, contest: RunGrid, file: ResultFile, workers: int | None, cluster: str | None
    ) -> None:
        self._file, self._started = file, False
        done = set(range(len(contest.jobs))) - set(file.missing)
        self.snapshot = ContestSnapshot(contest, tuple(file.rows()), numbers=tuple(sorted(done)))
        self._missing = contest.in_turn(file.missing)
        jobs = [contest.jobs[number] for number in self._missing]
        runner = contest.runner(file.path is not None, len(jobs))
        self._time_left: TimeLeft | None = None  # from the first result on
        self._answers = polled(runner, jobs, workers, cluster, MOMENT)

    @property
    def running(self) -> bool:
        return self._started and not self.snapshot.finished

    def handle(self, command: PlayOn | Halt) -> None:
        self._started, self._time_left = isinstance(command, PlayOn), None

    def step(self) -> float:
        with self._file.telling_how_to_go_on():
            answer = next(self._answers)
        before = self.snapshot
        if isinstance(answer, str):
            if answer != before.notice:
                self.snapshot = replace(before, notice=answer)
            return 0.0
        number, result = self._missing[answer[0]], answer[1]
        rows = (*before.rows, self._file.add(number, result))
        self._time_left = self._time_left or TimeLeft(len(rows))
        left = self._time_left.seconds(len(rows), len(before.contest.jobs)) or before.seconds_left
        numbers = (*before.numbers, number)
        self.snapshot = ContestSnapshot(before.contest, rows, seconds_left=left, numbers=numbers)
        if self.snapshot.finished:
            self._file.put_in_order()
        return 0.0

    def close(self) -> None:
        """End the worker processes at once; their unfinished jobs are lost."""
        self._answers.close()
