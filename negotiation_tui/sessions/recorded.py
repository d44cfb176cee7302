"""The timelines of a recording: its run played again, or its games if that is not possible.

Both go on along the recording up to `goal`, a part at a time, so that its beginning is shown soon.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.rewind import SeatChange
from negotiation_tui.runtime.records import sealed
from negotiation_tui.sessions.snapshot import (
    Course,
    Negotiation,
    PastSnapshots,
    Seating,
    Snapshot,
    Theory,
)
from negotiation_tui.sessions.timeline import RunTimeline, TableCopies
from negotiation_tui.sessions.transcripts import RecordedGame, Recording
from negotiation_tui.strategies.base import Dependency, UserSupplied


class ReplayedRun(RunTimeline):
    """The run of a recording, played again with its changes; from `goal` on it is a run like any.

    Raises BadInputError, also on the way, if it cannot be played again or plays other games.
    """

    def __init__(self, recording: Recording) -> None:
        if recording.reason:
            raise BadInputError(recording.reason)
        super().__init__(replace(recording.run, changes=()))
        self._name, self.goal = recording.name, recording.episodes
        self._games = deque(game for game in recording.games if not game.key.extra)
        self._ahead = deque(recording.run.changes)
        self._follow()

    def run_episodes(self, n: int) -> None:
        """Play episodes; the first change of the recording ends them."""
        if self.now < self.goal and self.training.finished:
            raise BadInputError("it has more games than cycles")
        stop, made = self.now + n, len(self.changes)
        while self.now < stop and len(self.changes) == made:
            game = self._games[0].key.episode if self._games else stop
            change = self._ahead[0][0] if self._ahead else stop
            super().run_episodes(min(stop, game, change) - self.now)
            self._follow()

    def _follow(self) -> None:
        """Compare the game of the recording that was just played, and make the changes after it."""
        if self._games and self._games[0].key.episode <= self.now:
            self._compare(self._games.popleft())
        while self._ahead and self._ahead[0][0] <= self.now:
            self.change(self._ahead.popleft()[1])

    def _compare(self, game: RecordedGame) -> None:
        try:
            recorded, _ = game.played(self._run.scenario)
        except BadInputError:  # all before it stays
            self.goal = self.now
            self._games.clear()
            self._ahead.clear()
            raise
        played = self.training.last_negotiation
        if played is None or _moves(played) != _moves(recorded.transcript):
            raise BadInputError(f"line {game.line} is played differently here")

    def state(self, copies: TableCopies) -> Snapshot:
        then = super().state(copies)
        return replace(then, recording=self._name, course=replace(then.course, goal=self.goal))


def _moves(played: Transcript) -> tuple[object, ...]:
    actions = [turn.action for turn in played.turns]
    return played.opener, played.scenario.indices, played.first_ply, actions


@sealed(frozen=True)
class Absent(UserSupplied):
    """A player that is known from its games alone."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"history"})

    def support(self, position: Position) -> Sequence[int]:
        raise BadInputError(f"{self.spec} is known from a recording alone")


class RecordedGames(RunTimeline):
    """The games of a recording whose run is not played again: a moment is a number of games."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(replace(recording.run, changes=()), (Absent("seller"), Absent("buyer")))
        self._name, self._games, self.goal = recording.name, recording.games, len(recording.games)
        self._now = 0
        self._last: Negotiation | None = None
        per = recording.run.parameters.episodes
        cycles = [-(-game.key.episode // per) for game in self._games]
        ends = (n for n, (one, other) in enumerate(pairwise(cycles), 1) if one != other)
        self._stops = tuple(dict.fromkeys((0, *ends, self.goal)))

    @property
    def now(self) -> int:
        return self._now

    @property
    def end(self) -> int:
        return self.goal

    @property
    def last(self) -> Negotiation | None:
        return self._last

    def moment_of(self, number: int) -> int:
        moments = enumerate((game.key.number for game in self._games[: self.goal]), 1)
        return max((n for n, found in moments if found <= number), default=0)

    def run_episodes(self, n: int) -> None:
        """Read games. Raises BadInputError for a damaged one, which ends the recording."""
        for _ in range(min(n, self.goal - self._now)):
            try:
                played, _ = self._games[self._now].played(self._run.scenario)
            except BadInputError:
                self.goal = self._now
                raise
            for role in Role:
                if self._last is None or self._last.specs[role] != played.specs[role]:
                    change = SeatChange(role, Absent(played.specs[role]))
                    self.changes.append((self._now, change))
            self._now, self._last = self._now + 1, played

    def at(self, moment: int, theory: Theory) -> PastSnapshots:
        before = self._moment(moment - 1, theory) if moment else None
        return self._moment(moment, theory), before

    def state(self, copies: TableCopies) -> Snapshot:
        return self._moment(self._now, Theory())

    def _moment(self, moment: int, theory: Theory) -> Snapshot:
        run = self._run
        shown = [game.played(run.scenario) for game in self._games[max(0, moment - 1) :][:1]]
        played, opener = shown[0] if shown else (None, run.scenario.opener)
        course = Course(moment, self.goal, self._stops, "game", 1, self.changes_told, self.goal)
        return Snapshot(
            scenario=run.scenario,
            parameters=run.parameters,
            seed=run.seed,
            recording=self._name,
            opener=opener,
            negotiations=played.key.episode if played and moment else 0,
            finished=moment == self.goal,
            course=course,
            seating=Seating.of(played.specs) if played else Seating(),
            negotiation=played if moment else None,
            theory=replace(theory, nash_conv=None, coins=None),
        )
