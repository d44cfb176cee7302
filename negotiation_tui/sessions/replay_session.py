"""A recording as a session: it answers commands with the negotiations that were written down."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.nash_conv_series import NashConvMonitor
from negotiation_tui.learning.q_table import zeros
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.players.resolve import resolve_trusted, trained_players
from negotiation_tui.sessions.commands import Command, Halt, Play, PlayCycle, Restart, Run, WhatIf
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.snapshot import (
    Learned,
    Negotiation,
    Progress,
    Seats,
    Snapshot,
    Theory,
    TrainingSetup,
)
from negotiation_tui.sessions.transcript_reader import Recording, TranscriptLine
from negotiation_tui.sessions.what_if import what_if
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Table = NDArray[np.float64]


class _ReplayedTraining:
    """The training as it was after some lines: what a judge looks at."""

    def __init__(self, recording: Recording) -> None:
        self.scenario, self.parameters = recording.scenario, recording.parameters
        self._entries = recording.entries
        self.place = 0
        """How many lines were played."""
        self.begin()

    def begin(self) -> None:
        """As before the first line."""
        self.place = 0
        self.episode = 0
        self.opener: Opener = self._entries[0].opener if self._entries else self.scenario.opener
        self.words = self._entries[0].strategies if self._entries else (None, None)
        self._forget()

    def _forget(self) -> None:
        """Nothing was learned or counted yet."""
        self.tables: list[Table | None] = [None, None]
        self._counts = np.zeros((0, N_STATISTICS), np.int64)

    @property
    def newest(self) -> Negotiation | None:
        """The negotiation of the line played last."""
        return self._entries[self.place - 1].negotiation if self.place else None

    @property
    def finished(self) -> bool:
        """Whether no line is left."""
        return self.place == len(self._entries)

    @property
    def cycle(self) -> int:
        """The cycle that the next episode belongs to."""
        return self.episode // self.parameters.episodes

    @property
    def statistics(self) -> CycleStatistics:
        """The counts of every cycle, read-only."""
        counts = self._counts.copy()
        counts.flags.writeable = False
        return CycleStatistics(counts)

    def go_on(self) -> None:
        """Play the next line, if there is one."""
        if self.finished:
            return
        entry = self._entries[self.place]
        if entry.anew:
            self._forget()
        self.place += 1
        self.episode, self.opener, self.words = entry.negotiations, entry.opener, entry.strategies
        for role in Role:
            self.tables[role] = self._learned(role, entry)
        last = max((row[0] for row in entry.counts), default=-1)
        if last >= len(self._counts):
            more = np.zeros((last + 1 - len(self._counts), N_STATISTICS), np.int64)
            self._counts = np.concatenate([self._counts, more])
        for cycle, *counts in entry.counts:
            self._counts[cycle] = counts

    def _learned(self, role: Role, entry: TranscriptLine) -> Table | None:
        changed, before = entry.learned[role], self.tables[role]
        if changed is None or (before is not None and not changed):
            return None if changed is None else before
        table = zeros(self.scenario) if before is None else before.copy()
        for state, action, value in changed:
            table[state, action] = value
        table.flags.writeable = False
        return table

    def strategy(self, role: Role) -> Strategy | None:
        """The static strategy in a seat; BadInputError where a file cannot bring it back.

        A person's seat is its learner's again.
        """
        words = self.words[role]
        return resolve_trusted(words) if words and words != PERSON else None

    def policy(self, role: Role) -> ReadyPlayer:
        """How a seat plays."""
        seats, rate = [self.strategy(each) for each in Role], self.parameters.discount_rate
        return trained_players(self.scenario, seats, self.tables, rate)[role]


class ReplaySession(PacedSession[Snapshot]):
    """The recorded negotiations, one after the other; only what-ifs can change them."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(
            f"{recording.damage}: what is before it is played" * bool(recording.damage)
        )
        self._setup = TrainingSetup(
            recording.scenario, recording.parameters, recording.seed, recording.name
        )
        self._entries, self._played = recording.entries, _ReplayedTraining(recording)
        self._judge = NashConvMonitor(recording.scenario, recording.parameters.discount_rate)
        self._what_if: Negotiation | None = None
        self.snapshot = self._snapshot()

    @property
    def negotiations(self) -> int:
        """Number of negotiations that were played in training."""
        return self._played.episode

    def idle(self) -> None:
        """Update NashConv of the seats as they were."""
        try:
            self._judge.evaluate(self._played, busy=self.running)
        except BadInputError:
            return  # somebody sat there whom a file cannot bring back
        self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self._played.finished

    def _obey(self, command: Command) -> None:
        match command:
            case Play() | Run() | Halt() | Restart():
                super()._obey(command)
            case PlayCycle():
                self._play_cycle()
            case WhatIf(then, negotiation, turns, action):
                try:
                    self._what_if = what_if(then, negotiation, turns, action, resolve_trusted)
                except BadInputError as error:
                    self._say(f"no what-if here: {error}")
            case _:
                self._say("this is a recording: only what ifs can change it")

    def _restart(self) -> str:
        self._played.begin()
        return "the recording from its beginning"

    def _play(self, n: int) -> None:
        for _ in range(n):
            if self._finished:
                return
            self._played.go_on()

    def _play_cycle(self) -> None:
        """To the last line of the cycle that the next one belongs to."""
        left = self._entries[self._played.place :]
        cycles = [entry.negotiation.cycle for entry in left]
        self._play(next((n for n, cycle in enumerate(cycles) if cycle != cycles[0]), len(left)))

    def _snapshot(self) -> Snapshot:
        played = self._played
        return Snapshot.of(
            self._setup,
            Seats(played.words, played.opener),
            Progress(played.episode, played.finished, played.newest, self._what_if),
            Learned((played.tables[Role.SELLER], played.tables[Role.BUYER]), played.statistics),
            Theory(self._judge.equilibria, self._judge.latest, self._judge.series),
            self._status(),
        )
