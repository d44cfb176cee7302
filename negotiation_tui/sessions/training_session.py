"""A live training: it takes commands, plays and learns, and publishes immutable snapshots."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from negotiation_tui.errors import BadInputError, Refusal
from negotiation_tui.game.negotiation import IllegalActionError, Spoken, Transcript
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import NeedsOpenerError, Occupant
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.hyperparameters import whole_games
from negotiation_tui.learning.nash_conv_series import NashConvSeries, evaluated_seldom, nash_conv_of
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.rewind import Change, NewOpener, NewSetting, SeatChange
from negotiation_tui.learning.seats import NeedsWholeGamesError
from negotiation_tui.players.resolve import player_from_spec, spec_of_player, strategy_from_spec
from negotiation_tui.players.run import Run
from negotiation_tui.players.spec import MOST_SAID
from negotiation_tui.players.thread_state import awaited
from negotiation_tui.runtime.child_process import NoProgramError
from negotiation_tui.runtime.jit import busy_seconds
from negotiation_tui.runtime.settings_text import in_short
from negotiation_tui.runtime.text import cleaned, plural
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.answers import AnswersOfBoth, answers_after
from negotiation_tui.sessions.compiled_code import CompiledCode
from negotiation_tui.sessions.exhibition import BOTH_OFFER, CANDIDATES, Exhibition
from negotiation_tui.sessions.human_player import PERSON, HumanPlayer
from negotiation_tui.sessions.nash_conv_monitor import NashConvMonitor
from negotiation_tui.sessions.paced_session import PacedSession, Pacer
from negotiation_tui.sessions.preparation import TrainingProgress
from negotiation_tui.sessions.session import interrupted
from negotiation_tui.sessions.snapshot import (
    GameKey,
    Negotiation,
    PastSnapshots,
    Replies,
    Seating,
    Snapshot,
)
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.facts import by_rules, fixed_rule
from negotiation_tui.sessions.story.narrator import Narrator
from negotiation_tui.sessions.timeline import (
    RunTimeline,
    believed,
    live_settings,
    players_at,
    teller_of,
    what_if,
)
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import spec_of

if TYPE_CHECKING:
    from negotiation_tui.learning.updates import Update
    from negotiation_tui.sessions.transcripts import Recording

_SHORT = 0.005  # seconds; an evaluation that takes longer is put off until no command waits
_ONLY_SHOWN = do.GoTo, do.Halt, do.Save  # the commands for a recording that is not played again
_OF_PRESENT = do.TakeSeats, do.SetOpener, do.Extend, do.Set, do.Sit


class TrainingSession(PacedSession[Snapshot]):
    """A training of two agents and perhaps a person; BadInputError if the game is too large.

    With a recording it is the training of the recording, which is played again; if that is not
    possible, only the games of the recording are shown.
    """

    def __init__(self, run: Run, recording: "Recording | None" = None) -> None:
        super().__init__()
        self._recording = recording
        self._seating = Seating.of(run.players)
        self._name = ""  # of the person who plays
        self._code = CompiledCode()
        self._line = self.played = 0
        if recording is None:
            self._set_up(RunTimeline(run))
        else:
            self._open(recording)
        self.snapshot = self._snapshot()

    def _open(self, recording: "Recording") -> None:
        from negotiation_tui.sessions.recorded import ReplayedRun

        try:
            self._set_up(ReplayedRun(recording))
            for _, change in self._timeline.changes:
                self._changed(change)
            if recording.notices:
                self._say("; ".join(recording.notices))
            if self._behind:
                self._train(1)
        except BadInputError as error:
            if not recording.name:
                raise
            self._show_games(recording, str(error))

    def _show_games(self, recording: "Recording", reason: str) -> None:
        from negotiation_tui.sessions.recorded import RecordedGames

        timeline = RecordedGames(recording)
        self._line += 1
        self._set_up(timeline)
        self._pacer, self._stop = None, 0  # nothing is played
        self._seating = self._timeline.state(timeline.copies).seating
        why = f"{recording.name} cannot be played again, so only its games are shown ({reason})"
        self._say("; ".join(filter(None, (why, timeline.damage, *recording.notices))))

    def _set_up(self, timeline: RunTimeline) -> None:
        self._timeline = timeline
        self._wish: int | None = None  # the moment that `GoTo` asks for
        self._training = training = self._timeline.training
        training.nash_convs = self._series = training.nash_convs or NashConvSeries()
        self._series.by_time = True
        self._series.nash_conv_of = partial(self._extra, "NashConv", nash_conv_of)
        self._stop = sys.maxsize  # the episode at which a run ends
        self._unsaved = 0.0
        self._monitor = NashConvMonitor(training, self._players, self._extra)
        self._exhibition = Exhibition(self._timeline)
        self._narrator = Narrator(self._timeline)
        self._extra("captions", self._narrator.note)
        last = self._negotiation = timeline.last
        self._since = last.key.extra if last else 0  # number of games since the last episode
        self._rule: Strategy | None = None  # plays in both seats while the story opens
        self._human: HumanPlayer | None = None
        self._updates: tuple[Update, ...] | None = None  # of the negotiation, if it was slow
        self._replies = Replies()
        self._answers: AnswersOfBoth = (None, None)
        self._note(None)

    def training(self) -> Iterator[TrainingProgress]:
        """Train to the end; yield the progress about ten times per second."""
        from negotiation_tui.learning import headless

        training = self._training
        self._series.only_last = evaluated_seldom(self._timeline.run.scenario)
        for left in headless.steps(training, self._timeline.run_episodes):
            yield TrainingProgress(training.episode, training.parameters.total, left)
        self._series.only_last = False
        self._publish()

    def tell_lost(self) -> None:
        """Print a line per program that lost a question, as `program.tell_lost` does."""
        from negotiation_tui.players.program import tell_lost

        tell_lost(map(self._training.strategy, Role))

    @property
    def timeline(self) -> RunTimeline:
        return self._timeline

    @property
    def running(self) -> bool:
        return self._behind or super().running

    @property
    def _behind(self) -> bool:
        """True on the way to the end of a recording."""
        return self._timeline.now < self._timeline.goal

    @property
    def _finished(self) -> bool:
        return self._training.episode >= min(self._stop, self._training.parameters.total)

    def idle(self) -> None:
        """Deal to a person who waits; publish NashConv of the present players, if put off."""
        deals = self._human and self._negotiation is None
        if self._human and deals:
            self._deal(self._human)
        if self._monitor.evaluate() or deals:
            self._publish()

    def step(self) -> float:
        rest = super().step()
        if self.snapshot.thinking:
            self._publish_sample()
        return rest

    def _step(self) -> float:
        if self._behind and self._pacer is None:
            self._pacer, self._stop = Pacer(None), self._timeline.goal
        return super()._step()

    def meanwhile(self, command: do.Command | None) -> bool:
        """Publish who is awaited; carry out a command if it changes no more than the pace."""
        now, thinking, obeyed = self.snapshot, awaited(), False
        if now.status.handled == self._handled and isinstance(command, do.Halt | do.PlayOn):
            self._handled, obeyed = self._handled + 1, True
            self._obey(command)
        if obeyed or thinking != now.thinking:
            status = replace(now.status, handled=now.status.handled + obeyed)
            self.snapshot = replace(now, thinking=thinking, status=status)
        return obeyed

    def report(self, refusal: Refusal) -> None:
        if isinstance(refusal, NoProgramError) and self._negotiation is None:
            raise refusal
        super().report(refusal)

    def _obey(self, command: do.Command) -> None:  # noqa: C901, PLR0912 - a case per command
        self._check(command)
        self._replies = replace(self._replies, past=None)
        match command:
            case do.PlayCycle(in_steps):
                self._play_cycle(in_steps)
            case do.TakeSeats() | do.SetOpener() | do.Extend():
                self._change(command)
            case do.Set(name, value, moment):
                self._set(NewSetting(name, value), moment)
            case do.GoTo(moment):
                self._wish = max(0, moment)
            case do.Explain(entry):
                from negotiation_tui.learning.ancestry import ancestry

                entry = replace(entry, moment=min(max(0, entry.moment), self._training.episode))
                found = self._extra("explanation", ancestry, self._timeline, entry)
                self._replies = replace(self._replies, ancestry=found)
            case do.Test(then):
                tested = replace(then or self._snapshot(), replies=Replies())
                asked = players_at(tested, self._resolve), tested.statistics
                tests = self._extra("test", self._exhibition.test, *asked) or ()
                self._replies = replace(self._replies, tests=tests, tested=tested)
            case do.Sit(role, name):
                self._name = name or self._name
                self._sit(role)
            case do.Act(action, said):
                self._act(Spoken(action, cleaned(said, MOST_SAID)))
            case do.Tell(fact):
                self._tell(fact)
            case do.WhatIf():
                self._replies = replace(self._replies, what_if=what_if(command, self._resolve))
            case do.Save():
                from negotiation_tui.sessions.saving import save_run, save_screen

                here = command.here or self.snapshot
                if self._recording and self._timeline.only_games:
                    self._say(save_screen(self._recording.name, here, command.screen))
                    return
                self._say(save_run(self._timeline.run, self._training, command, here))
                self._unsaved = 0.0
            case _:
                super()._obey(command)

    def _check(self, command: do.Command) -> None:
        """Raise BadInputError for a command that the recording does not allow."""
        if self._timeline.only_games and not isinstance(command, _ONLY_SHOWN):
            raise BadInputError(
                "this recording cannot be played again, so only its games are shown"
            )
        if self._behind and isinstance(command, _OF_PRESENT):
            share = self._timeline.now / self._timeline.goal
            raise BadInputError(f"replaying the training: {share:.0%}")

    def _answer(self) -> None:
        """Reply with the moment that was asked for, as soon as the recording has got there."""
        if self._wish is None or (self._behind and self._wish > self._timeline.now):
            return
        moment, self._wish = min(self._wish, self._timeline.now), None
        self._replies = replace(self._replies, past=self._past(moment))

    def _past(self, episode: int) -> PastSnapshots:
        def told(then: Snapshot) -> Snapshot:
            cycle = then.negotiations // then.parameters.episodes
            return replace(then, line=self._line, story=self._narrator.story.up_to(cycle))

        then, before = self._timeline.at(episode, self._monitor.theory, self._extra)
        return told(then), before and told(before)

    def _resolve(self, spec: str) -> Strategy | None:  # a program that sits need not start again
        seated = (self._training.strategy(role) for role in Role)
        mine = (each for each in seated if each and spec_of_player(each) == spec)
        return next(mine, None) or strategy_from_spec(spec)

    def _play_cycle(self, in_steps: bool) -> None:
        episodes = self._training.parameters.episodes
        left = episodes - self._training.episode % episodes
        if in_steps:
            self._run(None)
            self._stop = self._training.episode + left
        elif not self._seating.has_program:
            self._play(left)
        else:
            status = self.snapshot.status  # the command is not carried out yet
            while left and not interrupted():
                self._play(1)
                self._publish()
                self.snapshot = replace(self.snapshot, status=status)
                left -= 1

    def _change(self, command: do.TakeSeats | do.SetOpener | do.Extend) -> None:
        self._series.latest = None  # it is of the players before
        if self._stop < sys.maxsize:  # perhaps nobody learns to the end of the cycle
            self._pacer = None
        match command:
            case do.TakeSeats(seats, opener):
                for role, spec in seats:
                    if self._seating.occupied(role, spec).specs != self._seating.specs:
                        self._take_seat(role, spec)
                self._replies = replace(self._replies, tests=(), tested=None)  # of those before
                if opener is not None and not self._human:
                    self._show(self._exhibition.negotiate(opener))
            case do.SetOpener(opener):
                self._timeline.change(NewOpener(opener))
                if not self._human:
                    self._show(self._exhibition.negotiate(opener.role(self.played)))
            case do.Extend(cycles):
                total = self._training.parameters.cycles + cycles
                self._timeline.change(NewSetting("cycles", total))
                self._say(f"{plural(cycles, 'cycle')} more: {total:,} cycles in all")
        if not isinstance(command, do.SetOpener):  # the caption may be of other players, or say
            self._narrator.forget(isinstance(command, do.TakeSeats))  # that the training is over

    def _set(self, change: NewSetting, moment: int | None) -> None:
        from negotiation_tui.sessions.saving import opening_command

        timeline, left = self._timeline, ""
        if moment is not None and moment < timeline.now:
            change.apply(timeline.training_at(max(0, moment - 1)))  # may be refused
            with suppress(BadInputError):
                left = f"; left: {opening_command(self.snapshot)}"
            timeline.go_back(moment)
            self._line, self._pacer, self.played = self._line + 1, None, moment
            unsaved, story = self._unsaved, self._narrator.story
            seated = map(spec_of_player, timeline.training.seated)
            self._seating = Seating.of([*seated])
            self._set_up(timeline)
            self._unsaved = unsaved
            self._narrator.story = story.up_to(self._training.cycle)
        before = live_settings(self._training)
        timeline.change(change)
        self._changed(change)
        cycle, game = divmod(timeline.now, self._training.parameters.episodes)
        values = f"{in_short(change.value)} (was {in_short(before[change.name])})"
        self._say(f"{change.name} {values} from game {game + 1:,} of cycle {cycle + 1:,} on{left}")

    def _noted_setting(self, change: NewSetting) -> None:
        for role in self._training.learning:
            spec = spec_of_player(self._training.seated[role])
            self._seating = self._seating.occupied(role, spec)
        if change.name == "discount_rate":  # theory counts by it
            self._monitor = NashConvMonitor(self._training, self._players, self._extra)

    def _changed(self, change: Change) -> None:
        """Note a change that a recording brought."""
        self._series.latest = None
        if isinstance(change, NewSetting):
            self._noted_setting(change)
        if isinstance(change, SeatChange):
            self._seating = self._seating.occupied(change.role, spec_of_player(change.occupant))
            self._noted_seat(change.role)
        self._narrator.forget(isinstance(change, SeatChange))

    def _restart(self) -> str:
        self._start_over()
        return f"restarted with seed {self._training.seed}"

    def _start_over(self, scenario: Scenario | None = None) -> None:
        """Set up a run of the present players, perhaps in a scenario with other states."""
        changes, run = ((0, NewOpener(self._training.opener)),), self._timeline.run
        run = replace(run, players=self._seating.specs, digests=None, changes=changes)
        run = replace(run, scenario=scenario or run.scenario)
        self._line += 1
        try:
            self._set_up(RunTimeline(run))
        except NeedsWholeGamesError:  # its player took the seat later
            self._set_up(RunTimeline(replace(run, parameters=whole_games(run.parameters))))

    def _run(self, per_second: float | None) -> None:
        self._stop = sys.maxsize
        if self._human is None:  # training waits for a person
            super()._run(per_second)

    def _players(self) -> object:
        training, learners = self._training, self._training.latest_learners.values()
        return training.episode, training.opener, training.seated, *learners

    def _limit(self) -> int:
        if self._seating.has_program:
            return 1
        left = min(self._stop, self._training.parameters.total) - self._training.episode
        return min(left, self._series.episodes_until_evaluated(self._training))

    def _publish(self) -> None:
        played = self._negotiation
        if played and played is not self.snapshot.negotiation:
            asked = self._training, played, self._rule
            self._negotiation = self._extra("beliefs", believed, *asked) or played
        if self._monitor.seconds < _SHORT:
            self._monitor.evaluate()
        self._answer()
        super()._publish()

    def _publish_sample(self) -> None:
        if self._training.parameters.curriculum_window and not self._training.finished:
            # An episode that begins in mid-game would be noise among the few that are shown.
            self._show(self._exhibition.by_plans(self._training.opener.role(self.played)))
        self._monitor.evaluate()
        super()._publish_sample()

    def _play(self, n: int) -> None:
        """Train; if nobody learns or all cycles are done, play what is no part of the training."""
        if self._human:
            self._deal(self._human)
        elif self._behind:
            self._train(n)
        elif self._training.finished or (self._training.learner(0) is None and self._has_tables):
            for _ in range(n):
                opener = self._training.opener.role(self._training.episode + self._since)
                self._show(self._exhibition.negotiate(opener))
        else:
            self.played += n
            self._train(n)

    @property
    def _has_tables(self) -> bool:
        return bool(self._training.latest_learners)

    def _train(self, n: int) -> None:
        training, timeline, again = self._training, self._timeline, self._behind
        before = len(timeline.changes)
        self._code.apply(training)
        n, begun = min(n, training.parameters.total - training.episode), busy_seconds()
        played = training.seconds
        slow = n == 1 and not self.running
        teller = self._extra("updates", teller_of, training) if slow else None
        try:
            timeline.run_episodes(n)
        except BadInputError as error:
            if not (self._recording and self._recording.name and self._behind):
                raise
            self._show_games(self._recording, str(error))
            return
        self._unsaved += 0.0 if again else busy_seconds() - begun
        self._code.compile_if_it_pays(training, n, training.seconds - played)
        self._extra("captions", self._narrator.note)
        self._since, self._rule = 0, None
        self._negotiation = timeline.last
        self._updates = self._extra("updates", teller.updates) if teller else None
        self._note(training.last_negotiation)
        for _, change in timeline.changes[before:]:
            self._changed(change)
        if again and timeline.damage:
            self._say(timeline.damage)

    def _note(self, transcript: Transcript | None) -> None:
        """Count the answers of players without a table."""
        scenario, specs = self._timeline.run.scenario, self._seating.strategies
        if self._human:
            specs = pair(None if role is self._human.score.role else specs[role] for role in Role)
        count = self._answers, scenario, specs, transcript
        self._answers = self._extra("answers", answers_after, *count) or self._answers

    def _show(
        self, transcript: Transcript, rule: Strategy | None = None, goes_on: bool = False
    ) -> None:
        """Put a game on the bar from which nobody learns, or more of it if it `goes_on`."""
        if not goes_on:
            self.played, self._since = self.played + 1, self._since + 1
        self._rule, self._updates = rule, None
        person = self._human.score.role if self._human else None
        if transcript.over and not rule:
            self._note(transcript)
        specs = pair(PERSON if r is person else self._seating.specs[r] for r in Role)
        if rule:
            specs = (spec_of(rule),) * 2
        key = GameKey(self._training.episode, self._since)
        self._negotiation = Negotiation(key, transcript, person=person, specs=specs)

    def _tell(self, fact: Fact) -> None:
        if self._human:
            return
        if fact.sample and not self._training.finished:
            for _ in range(CANDIDATES):
                self._play(1)
                if self._negotiation and len(self._negotiation.transcript.turns) >= BOTH_OFFER:
                    break
            if self._negotiation:
                self._narrator.tell(fact, self._negotiation.key)
            return
        self._narrator.tell(fact, GameKey(self._training.episode, self._since + 1))
        opener = self._training.opener.role(self.played + 1)
        opener = opener if fact.opener is None else fact.opener
        scenario = self._training.scenario
        game = scenario.drawn(*fact.limits) if fact.limits else scenario
        if fact.rules:
            self._show(by_rules(game, opener), fixed_rule(game))
        else:
            begins = [fact.begun]
            if fact.opener is None and not fact.begun:  # it is about no opening: any ply may do
                begins = [*range(max(1, 2 * scenario.rounds - 2))]
            self._show(self._exhibition.most_learned(opener, begins, game))

    def _sit(self, role: Role | None) -> None:
        self._pacer = self._human = None
        if role is None:
            return
        opponent, rng = self._training.policy(role.other), generators(self._training.seed).table
        seat = self._timeline.run.scenario, role, opponent, rng
        names = self._name, self._seating.specs[role.other]
        self._human = HumanPlayer(*seat, *names, self._extra)
        if self._seating.has_program:
            self._negotiation = None  # `idle` waits for the program, with a screen
            self._since += 1
        else:
            self._deal(self._human)

    def _deal(self, human: HumanPlayer) -> None:
        self._show(human.new_negotiation(self._training.opener.role(human.score.negotiations)))

    def _act(self, action: int) -> None:
        if self._human and self._negotiation:
            try:
                moved = self._negotiation.transcript.followed_by(action)
                if not moved.over:
                    self._show(moved, goes_on=True)
                    self.snapshot = replace(self.snapshot, negotiation=self._negotiation)
                self._show(self._human.answered(moved), goes_on=True)
            except IllegalActionError as error:  # no longer the person's turn
                self._say(str(error))

    def _take_seat(self, role: Role, spec: str | None) -> None:
        first = not self._has_tables
        before = self._seating
        self._seating = before.occupied(role, spec)
        try:
            from negotiation_tui.players.program import told_discount

            player = player_from_spec(self._seating.specs[role])
            self._seat(role, told_discount(player, self._training.parameters.discount_rate))
        except BadInputError:
            self._seating = before
            raise
        self._noted_seat(role)
        if first and self._has_tables and self._training.episode:
            human = self._human
            self._start_over()  # what static strategies played was no training
            self._human = human
        if self._human:
            self._sit(self._human.score.role)

    def _noted_seat(self, role: Role) -> None:
        self._answers = pair(None if each is role else self._answers[each] for each in Role)
        self._note(None)
        self._code.changed(self._training)

    def _seat(self, role: Role, player: Occupant) -> None:
        """Seat a player; where it needs another recipe or other states, switch to these."""
        before = self._training.parameters
        try:
            self._timeline.change(SeatChange(role, player))
        except NeedsOpenerError:
            self._start_over(self._timeline.run.scenario.with_opener)
            self._say(f"{player.name} must know who opened, so the training begins again")
        else:
            if before != self._training.parameters:
                self._say(f"{player.name} plays whole games, so random starts end; tables are kept")

    def _snapshot(self) -> Snapshot:
        training, timeline, monitor = self._training, self._timeline, self._monitor
        now = replace(
            timeline.state(timeline.copies),
            line=self._line,
            extra=self._since,
            seating=self._seating,
            negotiation=self._negotiation,
            updates=self._updates,
            score=self._human.score if self._human else None,
            answers=self._answers,
            unsaved=self._unsaved,
            replies=self._replies,
            status=self._status(compiled=training.backend is not PLAIN),
            policies=monitor.policies(training.cycle, training.opener, training.seated),
            theory=monitor.theory,
            story=self._narrator.story,
        )
        return now.by_rules((spec_of(self._rule),) * 2) if self._rule else now
