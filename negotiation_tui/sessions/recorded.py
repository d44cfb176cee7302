"""The timelines of a recording: its run, played again, or its games if that is not possible."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from operator import itemgetter

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Opener
from negotiation_tui.learning.hyperparameters import whole_games
from negotiation_tui.runtime.records import sealed
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.sessions.snapshot import (
    Course,
    GameKey,
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
        games = ((game.key.episode, partial(self._compare, game)) for game in recording.games)
        changes = ((after, partial(self.change, each)) for after, each in recording.run.changes)
        events = sorted((*games, *changes), key=itemgetter(0))  # a change comes after its game
        self._ahead: deque[tuple[int, Callable[[], None]]] = deque(events)
        self.run_episodes(0)

    def run_episodes(self, n: int) -> None:
        """Play episodes; the first change of the recording ends them."""
        if self.now < self.goal and self.training.finished:
            raise BadInputError("it has more games than cycles")
        stop, made = self.now + n, len(self.changes)
        while True:
            super().run_episodes(min(stop, *(at for at, _ in [*self._ahead][:1]), stop) - self.now)
            while self._ahead and self._ahead[0][0] <= self.now:
                self._ahead.popleft()[1]()
            if self.now == stop or len(self.changes) > made:
                return

    def _compare(self, game: RecordedGame) -> None:
        try:
            recorded, _ = game.played(self._run.scenario)
        except BadInputError as error:  # all before it stays
            self.goal, self.damage = self.now, str(error)
            self._ahead.clear()
            return
        played = self.training.last_negotiation
        if not (game.key.extra or (played and _moves(played) == _moves(recorded.transcript))):
            raise BadInputError(f"line {game.line} is played differently here")

    def state(self, copies: TableCopies) -> Snapshot:
        then = super().state(copies)
        return replace(
            then, recording=self._name or None, course=replace(then.course, goal=self.goal)
        )


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
        raise BadInputError(f"{position.role}: a recording of games has no player to ask")


class RecordedGames(RunTimeline):
    """The games of a recording whose run is not played again: a moment is a number of games."""

    only_games = True

    def __init__(self, recording: Recording) -> None:
        run = replace(recording.run, changes=())
        played = replace(run, parameters=whole_games(run.parameters))  # as these seats need
        super().__init__(played, (Absent("seller"), Absent("buyer")))
        self._run = run
        self._name = recording.name
        self._games: list[tuple[Negotiation, Opener]] = []
        for game in recording.games:
            try:
                self._games.append(game.played(recording.run.scenario))
            except BadInputError as error:  # all before it stays
                self.damage = str(error)
                break
        per = recording.run.parameters.episodes
        cycles = [-(-played.key.episode // per) for played, _ in self._games]
        ends = (n for n, (one, other) in enumerate(pairwise(cycles), 1) if one != other)
        self._stops = tuple(dict.fromkeys((0, *ends, self.now)))

    @property
    def now(self) -> int:
        return len(self._games)

    @property
    def last(self) -> Negotiation | None:
        return self._games[-1][0] if self._games else None

    def moment_of(self, number: int) -> int:
        moments = enumerate((played.key.number for played, _ in self._games), 1)
        return max((n for n, found in moments if found <= number), default=0)

    def at(self, moment: int, theory: Theory, extra: Extras) -> PastSnapshots:  # noqa: ARG002
        before = self._moment(moment - 1, theory) if moment else None
        return self._moment(moment, theory), before

    def state(self, copies: TableCopies) -> Snapshot:  # noqa: ARG002 - nobody learns
        return self._moment(self.now, Theory())

    def _moment(self, moment: int, theory: Theory) -> Snapshot:
        run, shown = self._run, self._games[max(0, moment - 1) :][:1]
        played, opener = shown[0] if shown else (None, run.scenario.opener)
        key = played.key if played and moment else GameKey()
        return Snapshot(
            scenario=run.scenario,
            parameters=run.parameters,
            seed=run.seed,
            recording=self._name,
            opener=opener,
            negotiations=key.episode,
            extra=key.extra,
            finished=moment == self.now,
            course=Course(moment, self.now, self._stops, "game"),
            seating=Seating.of(played.specs) if played else Seating(),
            negotiation=played if moment else None,
            theory=theory,
        )
