"""A session that plays back a recording."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.sessions import snapshot as parts
from negotiation_tui.sessions.commands import (
    Command,
    GoTo,
    Halt,
    Play,
    PlayCycle,
    Restart,
    Run,
    Save,
    WhatIf,
)
from negotiation_tui.sessions.judge import Judge
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.replayed_training import ReplayedTraining
from negotiation_tui.sessions.save_files import save_screen
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.static_tables import StaticTables
from negotiation_tui.sessions.time_line import TimeLine
from negotiation_tui.sessions.transcript_reader import Recording, TranscriptLine
from negotiation_tui.sessions.what_if import what_if


class ReplaySession(PacedSession[Snapshot]):
    """The recorded negotiations, one after the other; only what-ifs add new play."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(
            f"{recording.damage}: only the lines before it are played" if recording.damage else ""
        )
        self._setup = parts.TrainingSetup(
            recording.scenario, recording.parameters, recording.seed, recording.name
        )
        self._lines, self._training = recording.entries, ReplayedTraining(recording)
        self._judge = Judge(self._training, lambda: self._training.players)
        self._static_tables = StaticTables(self._training)
        self._what_if: Negotiation | None = None
        self._time_line = TimeLine(end=len(self._lines), stops=_stops(self._lines), unit="line")
        self.snapshot = self._snapshot()

    @property
    def negotiations(self) -> int:
        """Number of negotiations that were played in training."""
        return self._training.episode

    def idle(self) -> None:
        """Publish NashConv of the present players, if that was put off."""
        if self._judge.judge():
            self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self._training.finished

    def _obey(self, command: Command) -> None:
        match command:
            case Play() | Run() | Halt() | Restart():
                super()._obey(command)
            case PlayCycle():
                self._play_cycle()
            case GoTo(moment):
                self._go_to(moment)
            case WhatIf(then, negotiation, turns, action):
                try:
                    self._what_if = what_if(then, negotiation, turns, action, resolve_trusted)
                except BadInputError as error:
                    self._say(f"no what-if here: {error}")
            case Save(_, screen) if screen:
                details = f"line{self._training.n_played}"
                self._say(save_screen(self._setup.scenario.name, details, screen))
            case _:
                self._say("this is a recording: only what-ifs can be played")

    def _publish(self) -> None:
        self._judge.judge()
        super()._publish()

    def _restart(self) -> str:
        self._training.begin()
        return "back at the beginning of the recording"

    def _play(self, n: int) -> None:
        for _ in range(n):
            if self._finished:
                return
            self._training.play_line()

    def _go_to(self, line: int) -> None:
        """Go to a line: the number of lines played by then."""
        if line < self._training.n_played:
            self._training.begin()
        self._play(min(line, len(self._lines)) - self._training.n_played)

    def _play_cycle(self) -> None:
        """Play to the last line of the next line's cycle."""
        self._go_to(self._time_line.after(self._training.n_played) or len(self._lines))

    def _snapshot(self) -> Snapshot:
        training = self._training
        tables = training.tables[Role.SELLER], training.tables[Role.BUYER]
        policies = self._static_tables.both(training.cycle, training.opener, training.specs)
        return Snapshot.of(
            replace(self._setup, parameters=training.parameters),
            replace(self._seats(), opener=training.opener, policies=policies),
            parts.Progress(
                training.episode,
                training.finished,
                training.newest,
                self._what_if,
                replace(self._time_line, now=training.n_played),
            ),
            parts.Learned(
                tables,
                (training.policies[Role.SELLER], training.policies[Role.BUYER]),
                training.statistics,
                training.learners,
            ),
            self._judge.theory(training.nash_convs, training.reached),
            self._status(),
        )

    def _seats(self) -> parts.Seats:
        seller, buyer = self._training.specs
        learning = tuple(spec if learns(spec) else LEARNED for spec in (seller, buyer))
        return parts.Seats(
            (None if learns(seller) else seller, None if learns(buyer) else buyer),
            (learning[0], learning[1]),
        )


def _stops(lines: Sequence[TranscriptLine]) -> tuple[int, ...]:
    """Return the numbers of lines up to the ends of cycles, from 0 on."""
    ends = (
        n
        for n, (line, following) in enumerate(pairwise(lines), 1)
        if following.from_scratch or following.negotiation.cycle != line.negotiation.cycle
    )
    return (0, *ends, len(lines)) if lines else (0,)
