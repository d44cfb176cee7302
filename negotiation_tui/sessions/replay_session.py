"""A session that plays back a recording."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.nash_conv_series import NashConvs
from negotiation_tui.learning.q_table import zeros
from negotiation_tui.learning.statistics import CycleStatistics, Learners
from negotiation_tui.players.resolve import resolve_trusted, trained_players
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
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.judge import Judge
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.save_files import save_screen
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.static_tables import StaticTables
from negotiation_tui.sessions.time_line import TimeLine
from negotiation_tui.sessions.transcript_reader import Recording, TranscriptLine
from negotiation_tui.sessions.what_if import what_if
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Table = NDArray[np.float64]


class _ReplayedTraining:
    """A training as it was after a line of the recording, as a judge needs it."""

    def __init__(self, recording: Recording) -> None:
        self.scenario, self.parameters = recording.scenario, recording.parameters
        self._lines = recording.entries
        self._both = _learners_of(recording.entries)
        self.begin()

    def begin(self) -> None:
        """Go back to before the first line."""
        self.n_played = 0
        """Number of lines played."""
        self.episode = 0
        self.opener: Opener = self._lines[0].opener if self._lines else self.scenario.opener
        self.specs = self._lines[0].strategies if self._lines else (None, None)
        self.parameters = self._lines[0].parameters if self._lines else self.parameters
        self._forget()

    def _forget(self) -> None:
        """Drop the Q-tables and the counts."""
        self.tables: list[Table | None] = [None, None]
        self._counts = np.zeros((0, N_STATISTICS), np.int64)
        self._period = 1
        self._latest: NDArray[np.int64] | None = None
        self.learners: Learners = ()
        self._nash_convs: dict[int, float] = {}

    @property
    def newest(self) -> Negotiation | None:
        """The negotiation of the line played last."""
        return self._lines[self.n_played - 1].negotiation if self.n_played else None

    @property
    def finished(self) -> bool:
        """True if no line is left."""
        return self.n_played == len(self._lines)

    @property
    def cycle(self) -> int:
        """The cycle that the next episode belongs to."""
        return self.episode // self.parameters.episodes

    @property
    def statistics(self) -> CycleStatistics:
        """The counts, read-only."""
        counts = self._counts.copy()
        counts.flags.writeable = False
        return CycleStatistics(counts, self._period, self._latest)

    @property
    def nash_convs(self) -> NashConvs:
        """NashConv after the judged cycles."""
        return tuple(sorted(self._nash_convs.items()))

    @property
    def players(self) -> object:
        """A value that differs if the players, their tables or the opener do."""
        return self.n_played, self.opener

    def play_line(self) -> None:
        """Play the next line, if there is one."""
        if self.finished:
            return
        line = self._lines[self.n_played]
        if line.from_scratch:
            self._forget()
        if line.period != self._period:
            self._counts = self._counts[:0]
        self._period, self._latest = line.period, line.latest
        self.n_played += 1
        self._note_learners(line)
        self.episode, self.opener, self.specs = line.negotiations, line.opener, line.strategies
        self.parameters = line.parameters
        if self.scenario.opener is not line.opener:
            self.scenario = replace(self.scenario, opener=line.opener)
        for role in Role:
            self.tables[role] = self._table_after(role, line)
        last = max((row[0] for row in line.counts), default=-1)
        if last >= len(self._counts):
            more = np.zeros((last + 1 - len(self._counts), N_STATISTICS), np.int64)
            self._counts = np.concatenate([self._counts, more])
        for cycle, *counts in line.counts:
            self._counts[cycle] = counts
        for done, nash_conv in line.nash_convs:
            self._nash_convs.pop(done, None)
            if nash_conv is not None:
                self._nash_convs[done] = nash_conv

    def _table_after(self, role: Role, line: TranscriptLine) -> Table | None:
        changes, before = line.learned[role], self.tables[role]
        if changes is None or (before is not None and not changes):
            return None if changes is None else before
        table = zeros(self.scenario) if before is None else before.copy()
        for state, action, value in changes:
            table[state, action] = value
        table.flags.writeable = False
        return table

    def _note_learners(self, line: TranscriptLine) -> None:
        learner = line.negotiation.learner
        alone = None if learner is None else (learner, learner)
        roles = self._both if alone and line.strategies == (None, None) else alone
        if not line.negotiation.test and (not self.learners or self.learners[-1][1] != roles):
            self.learners = (*self.learners, (self.cycle, roles))

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat; None for a learner or a person.

        Raises BadInputError if the strategy may not be loaded or cannot be.
        """
        spec = self.specs[role]
        return resolve_trusted(spec) if spec and spec != PERSON else None

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player in a seat."""
        strategies = [self.strategy(each) for each in Role]
        rate = self.parameters.discount_rate
        return trained_players(self.scenario, strategies, self.tables, rate)[role]


def _learners_of(lines: Sequence[TranscriptLine]) -> tuple[Role, Role] | None:
    """Return the learners of even and odd cycles while both seats learn, as far as lines show.

    Two learners take turns, unless one is seen to learn in both kinds of cycles.
    """
    seen = {
        line.negotiation.cycle % 2: line.negotiation.learner
        for line in lines
        if line.strategies == (None, None) and line.negotiation.learner is not None
    }
    even, odd = seen.get(0), seen.get(1)
    even = odd.other if even is None and odd is not None else even
    odd = even.other if odd is None and even is not None else odd
    return None if even is None or odd is None else (even, odd)


class ReplaySession(PacedSession[Snapshot]):
    """The recorded negotiations, one after the other; only what-ifs add new play."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(
            f"{recording.damage}: only the lines before it are played" if recording.damage else ""
        )
        self._setup = parts.TrainingSetup(
            recording.scenario, recording.parameters, recording.seed, recording.name
        )
        self._lines, self._training = recording.entries, _ReplayedTraining(recording)
        rate = recording.parameters.discount_rate
        self._judge = Judge(self._training, rate, lambda: self._training.players)
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
            parts.Seats(training.specs, opener=training.opener, policies=policies),
            parts.Progress(
                training.episode,
                training.finished,
                training.newest,
                self._what_if,
                replace(self._time_line, now=training.n_played),
            ),
            parts.Learned(tables, training.statistics, training.learners),
            self._judge.theory(training.nash_convs),
            self._status(),
        )


def _stops(lines: Sequence[TranscriptLine]) -> tuple[int, ...]:
    """Return the numbers of lines up to the ends of cycles, from 0 on."""
    ends = (
        n
        for n, (line, following) in enumerate(pairwise(lines), 1)
        if following.from_scratch or following.negotiation.cycle != line.negotiation.cycle
    )
    return (0, *ends, len(lines)) if lines else (0,)
