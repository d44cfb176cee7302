"""A recording as a worker: it answers the commands of the screen with what was written down."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.tabular_policy import Policy, greedy
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.learning.nash_conv_series import Judge
from negotiation_tui.learning.q_table import zeros
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.players.resolve import players, recalled
from negotiation_tui.sessions.commands import Command, Halt, Play, PlayCycle, Restart, Run, WhatIf
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.pacer import Pacer
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.transcript_reader import Entry, Recording
from negotiation_tui.sessions.what_if import what_if
from negotiation_tui.strategies.base import Strategy

Table = NDArray[np.float64]


class _Played:
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
    def newest(self) -> Entry | None:
        """The line played last."""
        return self._entries[self.place - 1] if self.place else None

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

    def _learned(self, role: Role, entry: Entry) -> Table | None:
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
        return recalled(words) if words and words != PERSON else None

    def policy(self, role: Role) -> Policy | Strategy:
        """How a seat plays."""
        seller, buyer = (self._player(each) for each in Role)
        return players(self.scenario, seller, buyer, self.parameters.discount_rate)[role]

    def _player(self, role: Role) -> Policy | Strategy:
        table = self.tables[role]
        return self.strategy(role) or greedy(
            self.scenario, role, zeros(self.scenario) if table is None else table
        )


class ReplaySession:
    """The recorded negotiations, one after the other; nothing but the past can be changed."""

    def __init__(self, recording: Recording) -> None:
        self._recording, self._played = recording, _Played(recording)
        self._judge = Judge(recording.scenario, recording.parameters.discount_rate)
        self._pacer: Pacer | None = None
        self._handled = 0
        self._notices = 0
        self._notice = f"{recording.damage}: what is before it is played" * bool(recording.damage)
        self.snapshot = self._snapshot()

    @property
    def negotiations(self) -> int:
        """How many had been played in training."""
        return self._played.episode

    @property
    def running(self) -> bool:
        """Whether `work` has something to do."""
        return self._pacer is not None and not self._played.finished

    def handle(self, command: Command) -> None:
        """Play on as asked; anything that would change the past is refused in words."""
        self._handled += 1
        what_came = self.snapshot.what_if
        match command:
            case Play(negotiations):
                self._play(negotiations)
            case PlayCycle():
                self._play_cycle()
            case Run(per_second):
                self._pacer = Pacer(per_second)
            case Halt():
                self._pacer = None
            case Restart():
                self._pacer = None
                self._played.begin()
                self._say("the recording from its beginning")
            case WhatIf(then, negotiation, turns, action):
                try:
                    what_came = what_if(then, negotiation, turns, action, recalled)
                except BadInputError as error:
                    self._say(f"no what-if here: {error}")
            case _:
                self._say("this is a recording: only what ifs can change it")
        self.snapshot = replace(self._snapshot(), what_if=what_came)

    def idle(self) -> None:
        """Judge the seats as they were."""
        try:
            self._judge.look(self._played, busy=self.running)
        except BadInputError:
            return  # somebody sat there whom a file cannot bring back
        self.snapshot = replace(
            self.snapshot, nash_conv=self._judge.latest, nash_convs=self._judge.series
        )

    def step(self) -> float:
        """Play some lines, as many as are due."""
        if self._pacer is None or self._played.finished:
            return 0.0
        batch = self._pacer.due()
        if batch:
            self._play(batch)
            self._pacer.played(batch)
        if self._pacer.time_to_publish() or self._played.finished:
            self.snapshot = self._snapshot()
            self._pacer.published()
        return 0.0 if batch else 1 / 240

    def close(self) -> None:
        """It holds nothing."""

    def _say(self, notice: str) -> None:
        self._notice, self._notices = notice, self._notices + 1

    def _play(self, negotiations: int) -> None:
        for _ in range(negotiations):
            if self._played.finished:
                return
            self._played.go_on()

    def _play_cycle(self) -> None:
        """To the last line of the cycle that the next one belongs to."""
        self._play(1)
        cycle = self._played.newest and self._played.newest.negotiation.cycle
        while not self._played.finished:
            following = self._recording.entries[self._played.place].negotiation
            if following.cycle != cycle:
                return
            self._play(1)

    def _snapshot(self) -> Snapshot:
        played, recording = self._played, self._recording
        entry = played.newest
        return Snapshot(
            scenario=recording.scenario,
            parameters=recording.parameters,
            seed=recording.seed,
            opener=played.opener,
            strategies=played.words,
            negotiations=played.episode,
            finished=played.finished,
            negotiation=entry.negotiation if entry else None,
            q_tables=(played.tables[Role.SELLER], played.tables[Role.BUYER]),
            statistics=played.statistics,
            per_second=self._pacer.per_second if self._pacer and self.running else None,
            compiled=False,
            tests=(),
            notice=self._notice,
            notices=self._notices,
            given=(),
            handled=self._handled,
            equilibria=self._judge.equilibria,
            nash_conv=self._judge.latest,
            nash_convs=self._judge.series,
            recording=recording.name,
        )
