"""A recorded training, line by line: its tables, players and counts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.nash_conv_series import NashConvs, Reached
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.learning.statistics import CycleStatistics, Learners, n_columns
from negotiation_tui.players.resolve import resolve_trusted, trained_players
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.sessions.transcript_reader import Changes, Recording, TranscriptLine
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Table = NDArray[np.float64]
V = TypeVar("V")


class ReplayedTraining:
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
        self.specs = self._lines[0].specs if self._lines else (LEARNED, LEARNED)
        self.parameters = self._lines[0].parameters if self._lines else self.parameters
        self._forget()

    def _forget(self) -> None:
        """Drop the tables and the counts."""
        self.tables: list[Table | None] = [None, None]
        self.policies: list[TabularPolicy | None] = [None, None]
        self._counts = np.zeros((0, n_columns(self.scenario)), np.int64)
        self._period = 1
        self._latest: NDArray[np.int64] | None = None
        self.learners: Learners = ()
        self._nash_convs: dict[int, float] = {}
        self._reached: dict[int, Reached] = {}

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
    def reached(self) -> tuple[Reached, ...]:
        """With hidden limits: what was reached after these cycles."""
        return tuple(self._reached[cycle] for cycle in sorted(self._reached))

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
        self.episode, self.opener, self.specs = line.negotiations, line.opener, line.specs
        self.parameters = line.parameters
        if self.scenario.opener is not line.opener:
            self.scenario = replace(self.scenario, opener=line.opener)
        for role in Role:
            self.tables[role] = self._table_after(role, self.tables[role], line.learned[role])
            self.policies[role] = self._policy_after(role, line)
        last = max((row[0] for row in line.counts), default=-1)
        if last >= len(self._counts):
            more = np.zeros((last + 1 - len(self._counts), self._counts.shape[1]), np.int64)
            self._counts = np.concatenate([self._counts, more])
        for cycle, *counts in line.counts:
            self._counts[cycle] = counts
        _note(self._nash_convs, line.nash_convs)
        _note(self._reached, line.reached)

    def _policy_after(self, role: Role, line: TranscriptLine) -> TabularPolicy | None:
        changes, before = line.policies[role], self.policies[role]
        if before and changes == () and not line.learned[role]:
            return before
        table = self._table_after(role, None if before is None else before.probabilities, changes)
        if table is None:
            return None
        try:
            return TabularPolicy.of_probabilities(self.scenario, role, table)
        except BadInputError:  # no learner wrote these
            return None

    def _table_after(self, role: Role, before: Table | None, changes: Changes) -> Table | None:
        if changes is None or (before is not None and not changes):
            return None if changes is None else before
        table = untrained(self.scenario, role, 0.0) if before is None else before.copy()
        for state, action, value in changes:
            table[state, action] = value
        table.flags.writeable = False
        return table

    def _note_learners(self, line: TranscriptLine) -> None:
        learner = line.negotiation.learner
        alone = None if learner is None else (learner, learner)
        roles = self._both if alone and all(map(learns, line.specs)) else alone
        if line.negotiation.together:
            roles = None
        if not line.negotiation.test and (not self.learners or self.learners[-1][1] != roles):
            self.learners = (*self.learners, (self.cycle, roles))

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat; None for a learner or a person.

        Raises BadInputError if the strategy may not be loaded or cannot be.
        """
        spec = self.specs[role]
        return None if learns(spec) or spec == PERSON else resolve_trusted(spec)

    def policy(self, role: Role) -> ReadyPlayer:
        """Return the player in a seat."""
        strategies = [self.strategy(each) for each in Role]
        rate = self.parameters.discount_rate
        players = trained_players(
            self.scenario, strategies, self.tables, rate, (self.policies[0], self.policies[1])
        )
        return players[role]


def _note(known: dict[int, V], changes: Sequence[tuple[int, V | None]]) -> None:
    """Note changed values by number of cycles; None for a value that is gone."""
    for done, value in changes:
        known.pop(done, None)
        if value is not None:
            known[done] = value


def _learners_of(lines: Sequence[TranscriptLine]) -> tuple[Role, Role] | None:
    """Return the learners of even and odd cycles while both seats learn, as far as lines show.

    Two learners take turns, unless one is seen to learn in both kinds of cycles.
    """
    seen = {
        line.negotiation.cycle % 2: line.negotiation.learner
        for line in lines
        if all(map(learns, line.specs)) and line.negotiation.learner is not None
    }
    even, odd = seen.get(0), seen.get(1)
    even = odd.other if even is None and odd is not None else even
    odd = even.other if odd is None and even is not None else odd
    return None if even is None or odd is None else (even, odd)
