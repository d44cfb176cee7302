"""A live tournament: its pairings are played in other processes, its standings published."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from negotiation_tui.errors import Refusal
from negotiation_tui.runtime.process_pool import polled
from negotiation_tui.runtime.result_file import ResultFile, Row, telling_how_to_go_on
from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.tournament.pairings import Pairing, job_key, run_job, run_job_catching
from negotiation_tui.tournament.standings import Standing, by_players, leaderboard

MOMENT = 0.05
"""Seconds to wait for a pairing before commands are handled."""


@dataclass(frozen=True, eq=False)
class TournamentSnapshot:
    """The state of a tournament: an immutable value."""

    entrants: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    rows: tuple[Row, ...]
    """The results, in the order in which they came."""
    notice: str = ""
    """The reason for which no result comes, such as a cluster without workers."""

    @property
    def finished(self) -> bool:
        """True if no pairing is left to play."""
        return len(self.rows) == len(self.pairings)

    @cached_property
    def by_players(self) -> dict[tuple[str, str], Row]:
        """The rows by their players, seller first."""
        return by_players(self.rows)

    @cached_property
    def leaderboard(self) -> list[Standing]:
        """The standings, best first."""
        return leaderboard(self.entrants, self.by_players)


class TournamentSession:
    """A tournament; results also go to the result file, if any.

    While it is halted, pairings in progress go on, but their results are not taken.
    """

    def __init__(
        self,
        entrants: Sequence[str],
        pairings: Sequence[Pairing],
        file: ResultFile | None,
        workers: int | None,
        cluster: str | None,
    ) -> None:
        self._file, self._started = file, False
        rows = file.rows() if file else []
        self.snapshot = TournamentSnapshot(tuple(entrants), tuple(pairings), tuple(rows))
        self._missing = file.missing if file else list(range(len(pairings)))
        jobs = [pairings[number] for number in self._missing]
        self._answers: Iterator[tuple[int, Row] | str] = polled(
            partial(run_job if file else run_job_catching, jobs=len(jobs)),
            jobs,
            min(workers or os.cpu_count() or 1, len(jobs)) or 1,
            cluster,
            MOMENT,
        )

    @property
    def running(self) -> bool:
        """True if `step` has something to do."""
        return self._started and not self.snapshot.finished

    def handle(self, command: Run | Halt) -> None:
        """Start or stop taking results."""
        self._started = isinstance(command, Run)

    def report(self, refusal: Refusal) -> None:
        """Raise the refusal: without workers or its file a tournament cannot go on."""
        raise refusal

    def idle(self) -> None:
        """Do nothing: there is no optional work."""

    def step(self) -> float:
        """Wait a moment for a pairing and publish it; return the seconds to rest."""
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
        row = {**job_key(before.pairings[number]), **result}
        self.snapshot = TournamentSnapshot(before.entrants, before.pairings, (*before.rows, row))
        if self._file and self.snapshot.finished:
            self._file.put_in_order()
        return 0.0

    def close(self) -> None:
        """End the worker processes at once; their unfinished pairings are lost."""
        close = getattr(self._answers, "close", None)
        if close:
            close()
