"""Timelines: the state of a training at any moment, from a run or from a recording.

A run is played again from the states that are kept on its way. A recording holds the changes from
line to line. Past and replay are snapshots of a timeline, and a what-if continues one.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned_table import LearnedTable, SparseTable
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.nash_conv_series import NashConvSeries, evaluated_seldom, nash_conv_of
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.learning.rewind import MoreCycles, NewOpener, RewindableTraining, SeatChange
from negotiation_tui.learning.spec import learns
from negotiation_tui.learning.statistics import CycleStatistics, n_columns
from negotiation_tui.players.program import off_path, short_name
from negotiation_tui.players.resolve import (
    resolve_trusted,
    spec_of_player,
    strategy_from_spec,
    trained_players,
)
from negotiation_tui.players.run import Run, players_of_run, training_of
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.answers import answers_after
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Beliefs, Course, Negotiation, Seating, Snapshot
from negotiation_tui.sessions.story.facts import fixed_rule
from negotiation_tui.sessions.transcripts import Changes, Recording, TranscriptLine
from negotiation_tui.solvers.beliefs import Belief, beliefs
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Resolve = Callable[[str], Strategy | None]
V = TypeVar("V")


class RunTimeline(RewindableTraining):
    """The course of a run: from its last change on, while the past can be played again."""

    def __init__(self, run: Run) -> None:
        super().__init__(partial(training_of, run, players_of_run(run), backend=PLAIN))
        self._run = run
        for episode, change in run.changes:
            self.run_episodes(episode - self.training.episode)
            self.change(change)
        self.copies = TableCopies(self.training)  # the tables of the present

    @property
    def run(self) -> Run:
        return replace(self._run, changes=tuple(self.changes))

    def advance(self, training: ConcurrentTraining, episodes: int) -> None:
        with off_path():
            super().advance(training, episodes)

    def present(self, seating: Seating, **fields: Any) -> Snapshot:
        """Return the present state; `fields` are all that the training does not know."""
        return self._state(self.training, seating, self.copies, **fields)

    def at(self, episode: int, **fields: Any) -> tuple[Snapshot, Snapshot | None]:
        """Return the states after an episode and before it; None before the first one.

        The training itself is not disturbed. Players that are `evaluated_seldom` are not evaluated.
        """
        then = self.training_at(max(0, episode - 1))
        then.nash_convs, copies = None, TableCopies(then)
        before = self._past(then, copies, **fields)
        if episode == 0:
            return before, None
        self.advance(then, 1)
        return self._past(then, copies, **fields), before

    def _past(self, then: ConcurrentTraining, copies: "TableCopies", **fields: Any) -> Snapshot:
        seating = Seating.of([*map(spec_of_player, then.players.seated)])
        negotiation = last_episode(then, then.episode)
        fields["negotiation"] = negotiation and believed(then, negotiation)
        fields["nash_conv"] = None if evaluated_seldom(then.scenario) else nash_conv_of(then)
        return self._state(then, seating, copies, **fields)

    def _state(
        self, then: ConcurrentTraining, seating: Seating, copies: "TableCopies", **fields: Any
    ) -> Snapshot:
        series = (self.training.nash_convs or NashConvSeries()).up_to(then)
        seller, buyer = map(copies.of, Role)
        total, per = self.training.parameters.total, self.training.parameters.episodes
        changes = tuple((episode, _words(change)) for episode, change in self.changes if episode)
        stops = range(0, total + 1, per)
        return Snapshot(
            scenario=self._run.scenario,
            parameters=then.parameters,
            seed=self._run.seed,
            **vars(seating),
            opener=then.opener,
            negotiations=then.episode,
            finished=then.finished,
            course=Course(then.episode, total, stops, "cycle", per, changes),
            q_tables=(seller[0], buyer[0]),
            learned_policies=(seller[1], buyer[1]),
            statistics=then.statistics,
            learners=then.learners,
            nash_convs=series.values,
            reached=series.reached,
            **fields,
        )


def _words(change: SeatChange | NewOpener | MoreCycles) -> str:
    match change:
        case SeatChange(role, occupant) if occupant == Q_LEARNING:
            return f"the {role} plays its learned table"
        case SeatChange(role, Algorithm(name=name)):
            return f"the {role} learns by {name}"
        case SeatChange(role, occupant, whole):
            name = short_name(spec_of_player(occupant))
            return f"the {role} plays {name}" + ", in whole games" * whole
        case NewOpener(opener):
            return f"openers: {opener}"
        case MoreCycles(cycles):
            return f"{plural(cycles, 'cycle')} more"


def last_episode(training: ConcurrentTraining, number: int) -> Negotiation | None:
    """Return the last negotiation that was learned from, with its number; None if none was."""
    if training.last_negotiation is None:
        return None
    cycle, episode = divmod(training.episode - 1, training.parameters.episodes)
    in_turn = training.learners[-1][1]  # a seat may have changed since
    together = in_turn is None and training.together
    learner = training.learner(cycle) if together else in_turn and in_turn[cycle % 2]
    talk, epsilon = training.last_negotiation, training.epsilon
    return Negotiation(number, cycle, episode, learner, epsilon, False, talk, together=together)


class TableCopies:
    """Read-only values and policies of both learners, shared between snapshots while equal.

    Values are None if there are none, the policy if it is greedy by the values.
    """

    def __init__(self, training: ConcurrentTraining) -> None:
        self._training = training
        self._copies: dict[Role, tuple[object, LearnedTable | None, TabularPolicy | None]] = {}

    def of(self, role: Role) -> tuple[LearnedTable | None, TabularPolicy | None]:
        training = self._training
        key = training.episode, training.players.seated[role]
        kept, *_ = before = self._copies.get(role, (None, None, None))
        if kept == key:
            return before[1:]
        values, policy = training.players.known(role)
        if isinstance(values, np.ndarray):
            values.flags.writeable = False
        pairs = zip(_arrays(*before[1:]), _arrays(values, policy), strict=True)
        if all(one is other or np.array_equal(one, other) for one, other in pairs):
            _, values, policy = before  # the other role learned
        self._copies[role] = key, values, policy
        return values, policy


def _arrays(values: LearnedTable | None, policy: TabularPolicy | None) -> list[Any]:
    table = (values.used, values.entries) if isinstance(values, SparseTable) else (values, None)
    return [*table, *(getattr(policy, name, None) for name in ("n_actions", "actions", "weights"))]


class RecordedTimeline:
    """The course of a recording, at a line; it can be evaluated as an `EvaluatedTraining`."""

    def __init__(self, recording: Recording) -> None:
        self._lines, scenario = recording.entries, recording.scenario
        self._both = _learners_of(recording.entries)
        ends = (
            n
            for n, (line, following) in enumerate(pairwise(self._lines), 1)
            if following.from_scratch or following.negotiation.cycle != line.negotiation.cycle
        )
        stops = (0, *ends, len(self._lines)) if self._lines else (0,)
        self.course = Course(end=len(self._lines), stops=stops, unit="line")
        none = CycleStatistics(np.zeros((0, n_columns(scenario)), np.int64))
        first = Snapshot(
            scenario=scenario,
            parameters=recording.parameters,
            seed=recording.seed,
            recording=recording.name,
            opener=scenario.opener,
            statistics=none,
        )
        self._first = _seated(first, self._lines[0]) if self._lines else first
        self.line, self._then, self.scenario = 0, self._first, self._first.game
        """`line` is the number of lines played."""
        self.go_to(0)

    def go_to(self, line: int) -> None:
        line = max(0, min(line, len(self._lines)))
        if line < self.line:
            self.line, self._then = 0, self._first
        for each in self._lines[self.line : line]:
            self._then = self._after(self._first if each.from_scratch else self._then, each)
        self.line, then = line, self._then
        self.specs, self.parameters, self.episode = then.specs, then.parameters, then.negotiations
        self.scenario = self.scenario if self.scenario == then.game else then.game

    def present(self, **fields: Any) -> Snapshot:
        """Return the state after the line; `fields` are all that the recording does not hold."""
        course = replace(self.course, now=self.line)
        return replace(self._then, finished=self.finished, course=course, **fields)

    @property
    def finished(self) -> bool:
        return self.line == len(self._lines)

    @property
    def cycle(self) -> int:
        return self.episode // self.parameters.episodes

    def strategy(self, role: Role) -> Strategy | None:
        """Return the static strategy in a seat, or raise BadInputError; None for all others."""
        return _strategy(self.specs[role], resolve_trusted)

    def policy(self, role: Role) -> ReadyPlayer:
        return _players(self._then, resolve_trusted)[role]

    def _after(self, before: Snapshot, line: TranscriptLine) -> Snapshot:
        played, counted, now = line.negotiation, before.statistics, _seated(before, line)
        alone = None if played.learner is None else (played.learner, played.learner)
        both = alone and self._both if all(map(learns, line.specs)) else alone
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
        table_after = partial(_table_after, now.scenario)
        reached = _noted([(each.cycle, each) for each in before.reached], line.reached)
        same = [before.specs[role] == now.specs[role] for role in Role]
        answers = pair(before.answers[role] if same[role] else None for role in Role)
        return _changed(
            now,
            answers=answers_after(answers, now.scenario, now.strategies, played.transcript),
            negotiations=line.negotiations,
            negotiation=played,
            q_tables=pair(map(table_after, Role, before.q_tables, line.learned)),
            learned_policies=pair(_policy_after(now, role, line) for role in Role),
            statistics=CycleStatistics(counts, line.period, line.latest),
            learners=learners,
            nash_convs=_noted(before.nash_convs, line.nash_convs),
            reached=tuple(each for _, each in reached) if line.reached else before.reached,
        )


def _changed(before: Snapshot, **fields: Any) -> Snapshot:
    """Return a snapshot with other fields, much faster than `replace`: there are many lines."""
    after = object.__new__(Snapshot)
    vars(after).update(vars(before), **fields)
    return after


def _seated(before: Snapshot, line: TranscriptLine) -> Snapshot:
    """Return a state with the players and the rules of a line."""
    seats = before if line.specs == before.specs else Seating.of(line.specs)
    specs, algorithms, scenario = seats.specs, seats.algorithms, before.scenario
    if scenario.states is not line.states:
        scenario = replace(scenario, states=line.states)
    rules = {"scenario": scenario, "opener": line.opener, "parameters": line.parameters}
    return _changed(before, specs=specs, algorithms=algorithms, **rules)


def _policy_after(before: Snapshot, role: Role, line: TranscriptLine) -> TabularPolicy | None:
    changes, policy = line.policies[role], before.learned_policies[role]
    if policy and changes == () and not line.learned[role]:
        return policy
    old = policy.probabilities if policy else None
    table = _table_after(before.scenario, role, old, changes)
    try:
        return (
            None if table is None else TabularPolicy.of_probabilities(before.game, role, table[:])
        )
    except BadInputError:  # no learner wrote these
        return None


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
    known: Sequence[tuple[int, V]], changes: Sequence[tuple[int, V | None]]
) -> tuple[tuple[int, V], ...]:
    """Return values by number of cycles after some of them changed, and None are gone."""
    if not changes:
        return tuple(known)
    changed = sorted({**dict(known), **dict(changes)}.items())
    return tuple((done, value) for done, value in changed if value is not None)


def _learners_of(lines: Sequence[TranscriptLine]) -> tuple[Role, Role] | None:
    """Return the learners of even and odd cycles while both seats learn, as far as lines show."""
    seen = {
        line.negotiation.cycle % 2: line.negotiation.learner
        for line in lines
        if all(map(learns, line.specs)) and line.negotiation.learner is not None
    }
    if not seen:
        return None
    other = next(iter(seen.values())).other  # in the cycles of which no line is known
    return seen.get(0, other), seen.get(1, other)


def _strategy(spec: str, resolve: Resolve) -> Strategy | None:
    return None if learns(spec) or spec == PERSON else resolve(spec)


def _players(then: Snapshot, resolve: Resolve) -> tuple[ReadyPlayer, ReadyPlayer]:
    strategies = [_strategy(spec, resolve) for spec in then.specs]
    rate = then.parameters.discount_rate
    return trained_players(then.game, strategies, then.q_tables, rate, then.learned_policies)


def what_if(
    then: Snapshot,
    negotiation: Negotiation,
    turns: int,
    action: int,
    resolve: Resolve = strategy_from_spec,
) -> Negotiation:
    """Return the negotiation with another action after `turns` turns.

    `then` is the snapshot of that time, whose players play on. Equal arguments give equal results.
    Raises IllegalActionError for an action against the rules, and BadInputError if a strategy
    cannot be loaded.
    """
    rng = of_question(then.seed, negotiation.number, turns, action)
    players = _players(then, resolve)
    transcript = negotiation.transcript.first(turns).followed_by(action)
    with off_path():
        while (position := transcript.position) is not None:
            transcript = transcript.followed_by(players[position.role].act(position, rng))
    asked = replace(negotiation, transcript=transcript, what_if=turns)
    seller, buyer = (held and held[: turns + 1] for held in negotiation.beliefs)
    return _with_beliefs(asked, players.__getitem__, before=(seller, buyer))


def believed(training: ConcurrentTraining, negotiation: Negotiation) -> Negotiation:
    """Return the newest negotiation of a training with the beliefs about both limits.

    A learner in an episode explores from its tables as they are after it, opposite frozen tables.
    """
    players = training.players
    learning = [role for role in Role if negotiation.learned_from(role)]

    def player(role: Role) -> object:
        rule = fixed_rule(training.scenario) if negotiation.rules else None
        strategy = rule or training.strategy(role)
        if strategy is not None:
            responds = strategy.needs_opponent  # by its own beliefs, without a table
            return None if responds else strategy.remembering(training.scenario, role)
        present = negotiation.test or role in learning
        return players.policy(role) if present else players.kept(role)

    def explores(role: Role) -> bool:
        learner = players.learning.get(role)
        algorithm = learner and learner.algorithm
        return not (isinstance(algorithm, TabularAlgorithm) and algorithm.explores_itself)

    return _with_beliefs(negotiation, player, [*filter(explores, learning)])


def _with_beliefs(
    negotiation: Negotiation,
    player: Callable[[Role], object],
    exploring: Collection[Role] = (),
    before: Beliefs = (None, None),
) -> Negotiation:
    """Return a negotiation with the beliefs that follow from each player's table and exploring."""
    transcript, lottery = negotiation.transcript, negotiation.transcript.scenario.lottery

    def about(role: Role) -> tuple[Belief, ...] | None:
        if lottery is None or not lottery.limits[role] or role is negotiation.person:
            return None
        policy, epsilon = player(role), negotiation.epsilon if role in exploring else 0.0
        if not isinstance(policy, TabularPolicy):
            return None
        return beliefs(policy, transcript, role, epsilon, before[role] or ())

    return replace(negotiation, beliefs=(about(Role.SELLER), about(Role.BUYER)))
