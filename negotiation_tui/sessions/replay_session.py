"""A session that plays a recording back."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned import Learned, WithPolicy, WithValues, learned_of
from negotiation_tui.game.learned_table import LearnedTable
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.learning.spec import learns
from negotiation_tui.learning.statistics import CycleStatistics, n_columns
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.answers import answers_after
from negotiation_tui.sessions.saving import save_screen
from negotiation_tui.sessions.snapshot import Course, Seating, Snapshot
from negotiation_tui.sessions.timeline import players_at, strategy_of
from negotiation_tui.sessions.timeline_session import NashConvMonitor, TimelineSession
from negotiation_tui.sessions.transcripts import Changes, Recording, TranscriptLine
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

V = TypeVar("V")


class ReplaySession(TimelineSession):
    """The recorded negotiations from a line on; only what-ifs add new play.

    It is evaluated as an `EvaluatedTraining`.
    """

    nash_convs: NashConvSeries | None = None
    _resolve = staticmethod(resolve_trusted)

    def __init__(self, recording: Recording, line: int = 0) -> None:
        damage, self._lines = recording.damage, recording.entries
        super().__init__(f"{damage}: only the lines before it are played" if damage else "")
        self._both = _learners_of(self._lines)
        ends = (
            n
            for n, (line, following) in enumerate(pairwise(self._lines), 1)
            if following.from_scratch or following.negotiation.cycle != line.negotiation.cycle
        )
        stops = (0, *ends, len(self._lines)) if self._lines else (0,)
        self._course = Course(end=len(self._lines), stops=stops, unit="line")
        first = self._lines[0] if self._lines else None
        rules = first or recording
        self._first = Snapshot(
            scenario=rules.scenario,
            parameters=rules.parameters,
            seed=recording.seed,
            recording=recording.name,
            opener=first.opener if first else rules.scenario.opener,
            statistics=CycleStatistics(np.zeros((0, n_columns(rules.scenario)), np.int64)),
            seating=Seating.of(first.negotiation.specs) if first else Seating(),
        )
        self._line, self._then, self.scenario = 0, self._first, self._first.game
        """`_line` is the number of lines played, `_then` the state after them."""
        self._go_to(line)
        self._monitor = NashConvMonitor(
            self, lambda: (self._line, self.scenario.opener), self._extra
        )
        self.snapshot = self._snapshot()

    def _go_to(self, line: int) -> None:
        line = max(0, min(line, len(self._lines)))
        at, then = (0, self._first) if line < self._line else (self._line, self._then)
        for each in self._lines[at:line]:
            then = self._after(self._first if each.from_scratch else then, each)
        self._line, self._then = line, then
        self.parameters, self.episode = then.parameters, then.negotiations
        self.played = self.episode
        self.scenario = self.scenario if self.scenario == then.game else then.game

    @property
    def _finished(self) -> bool:
        return self._line == len(self._lines)

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat, or raise BadInputError; None for all others."""
        return strategy_of(self._then.seating.specs[role], resolve_trusted)

    def policy(self, role: Role) -> ReadyPlayer:
        return players_at(self._then, resolve_trusted)[role]

    def _obey(self, command: do.Command) -> None:
        match command:
            case do.Play() | do.PlayOn() | do.Halt() | do.Restart():
                super()._obey(command)
            case do.PlayCycle():
                self._go_to(self._course.after(self._line) or self._course.end)
            case do.GoTo(moment):
                self._go_to(moment)
            case do.WhatIf():
                try:
                    super()._obey(command)
                except BadInputError as error:
                    self._say(f"no what-if here: {error}")
            case do.Save(screen=screen, moment=moment) if screen:
                line = self._line if moment is None else moment
                saved = save_screen(self.scenario.name, f"line{line}", screen)
                self._say(f"{saved}; replay {self._first.recording} --at {line} opens this moment")
            case _:
                self._say("this is a recording: only what-ifs can be played")

    def _restart(self) -> str:
        self._go_to(0)
        return "back at the beginning of the recording"

    def _play(self, n: int) -> None:
        self._go_to(self._line + n)

    def _snapshot(self) -> Snapshot:
        cycle, then = self.episode // self.parameters.episodes, self._then
        return replace(
            then,
            finished=self._finished,
            course=replace(self._course, now=self._line),
            policies=self._monitor.policies(cycle, self.scenario.opener, then.seating.specs),
            theory=self._monitor.theory,
            replies=self._replies,
            status=self._status(),
        )

    def _after(self, before: Snapshot, line: TranscriptLine) -> Snapshot:
        played, counted, seating = line.negotiation, before.statistics, before.seating
        alone = None if played.learner is None else (played.learner, played.learner)
        both = alone and self._both if all(map(learns, played.specs)) else alone
        learners, roles = before.learners, None if played.together else both
        if not played.test and (not learners or learners[-1][1] != roles):
            cycle = before.negotiations // before.parameters.episodes
            learners = (*learners, (cycle, roles))
        counts = counted.counts if line.period == counted.period else counted.counts[:0]
        more = max((row + 1 for row, *_ in line.counts), default=0) - len(counts)
        counts = np.pad(counts, ((0, more), (0, 0))) if more > 0 else counts.copy()
        for row, *numbers in line.counts:
            counts[row] = numbers
        counts.flags.writeable = False
        reached = _noted([(each.cycle, each) for each in before.reached], line.reached)
        same = [seating.specs[role] == played.specs[role] for role in Role]
        answers = pair(before.answers[role] if same[role] else None for role in Role)
        seating = seating if all(same) else Seating.of(played.specs)
        count = line.scenario, seating.strategies, played.transcript
        return replace(
            before,
            scenario=line.scenario,
            parameters=line.parameters,
            opener=line.opener,
            seating=seating,
            answers=self._extra("answers", answers_after, answers, *count) or answers,
            negotiations=line.negotiations,
            negotiation=played,
            agents=pair(_learned_after(before.agents[role], role, line) for role in Role),
            statistics=CycleStatistics(counts, line.period, line.latest),
            learners=learners,
            nash_convs=_noted(before.nash_convs, line.nash_convs),
            reached=tuple(each for _, each in reached) if line.reached else before.reached,
        )


def _learned_after(before: Learned, role: Role, line: TranscriptLine) -> Learned:
    changed, played, game = line.learned[role], line.policies[role], line.scenario
    old, policy = (before.values if isinstance(before, WithValues) else None), None
    values = _table_after(game, role, old, changed)
    if isinstance(before, WithPolicy) and played == () and not changed:
        policy = before.policy
    else:
        chances = before.policy.probabilities if isinstance(before, WithPolicy) else None
        table = _table_after(game, role, chances, played)
        with suppress(BadInputError):  # no learner wrote these
            if table is not None:
                policy = TabularPolicy.of_probabilities(
                    replace(game, opener=line.opener), role, table[:]
                )
    return learned_of(values, policy).shared(before)


def _table_after(
    scenario: Scenario, role: Role, before: LearnedTable | None, changes: Changes
) -> LearnedTable | None:
    if changes is None or (before is not None and not changes):
        return None if changes is None else before
    table = untrained(scenario, role, 0.0) if before is None else np.array(before[:])
    for state, action, value in changes:
        table[state, action] = value
    table.flags.writeable = False
    return table


def _noted(
    before: Sequence[tuple[int, V]], changes: Sequence[tuple[int, V | None]]
) -> tuple[tuple[int, V], ...]:
    """Return values by number of cycles after some of them changed, and None are gone."""
    if not changes:
        return tuple(before)
    changed = sorted({**dict(before), **dict(changes)}.items())
    return tuple((done, value) for done, value in changed if value is not None)


def _learners_of(lines: Sequence[TranscriptLine]) -> tuple[Role, Role] | None:
    """Return the learners of even and odd cycles while both seats learn, as far as lines show."""
    seen = {
        line.negotiation.cycle % 2: line.negotiation.learner
        for line in lines
        if all(map(learns, line.negotiation.specs)) and line.negotiation.learner is not None
    }
    if not seen:
        return None
    other = next(iter(seen.values())).other  # in the cycles of which no line is known
    return seen.get(0, other), seen.get(1, other)
