"""A live training: it takes commands, plays and learns, and publishes immutable snapshots."""

import time
from dataclasses import replace
from functools import partial
from typing import Any

from negotiation_tui.game.negotiation import IllegalActionError, Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import headless
from negotiation_tui.learning.ancestry import Ancestry, ancestry
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.learning.compiling import (
    compiled_for,
    seconds_for_learners,
    seconds_to_compile,
)
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvSeries, evaluated_seldom
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.rewind import MoreCycles, NewOpener, SeatChange
from negotiation_tui.players.resolve import player_from_spec
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.jit import BackgroundCompiler
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.exhibition import Exhibition
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.sessions.saving import save_run
from negotiation_tui.sessions.snapshot import Negotiation, Past, Seating, Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.narrator import Narrator
from negotiation_tui.sessions.timeline import RunTimeline, believed, last_episode
from negotiation_tui.sessions.timeline_session import NashConvMonitor, TimelineSession

_TIMED = 100
"""Episodes of a batch that tell how long the rest takes."""


class TrainingSession(TimelineSession):
    """A training of two agents, and the person who may take a seat.

    Raises BadInputError if the scenario is too large for a learner.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameters,
        seed: int,
        strategies: Specs = (None, None),
        opener: Opener | None = None,
        train_both: bool = True,
        train_agent: Role | str = Role.SELLER,
    ) -> None:
        super().__init__()
        self._seating = Seating.of(strategies)
        self._code = CompiledCode()
        self._number = 0
        specs, train_agent = self._seating.specs, Role.of(train_agent)
        first = NewOpener(scenario.opener if opener is None else opener)
        run = Run(scenario, parameters, seed, specs, train_both, train_agent)
        self._begin(replace(run, changes=((0, first),)))
        self.snapshot = self._snapshot()

    def _begin(self, run: Run) -> None:
        self._timeline = RunTimeline(run)
        self._training = training = self._timeline.training
        training.nash_convs = self._series = NashConvSeries()
        self._unsaved = 0.0
        self._past: Past | None = None
        self._ancestry: Ancestry | None = None
        self._monitor = NashConvMonitor(training, self._players, self._series)
        self._exhibition = Exhibition(run.scenario, training)
        self._narrator = Narrator(training, self._monitor.equilibria, self._timeline.copies)
        self._narrator.note()
        self._caption: Fact | None = None
        self._tested = 0
        self._tests: tuple[Evaluation, ...] = ()
        self._human: HumanPlayer | None = None
        self._negotiation: Negotiation | None = None
        self._believed: Negotiation | None = None
        """The newest negotiation, once the beliefs in it are computed."""
        self._what_if = None

    @property
    def negotiations(self) -> int:
        return self._number

    def train(self) -> None:
        """Train to the end now, with a bar on stderr if that takes long."""
        self._series.only_last = evaluated_seldom(self._timeline.run.scenario)
        headless.train(self._training, run=self._timeline.run_episodes)
        self._series.only_last = False
        self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self._training.finished

    def _obey(self, command: do.Command) -> None:
        self._past = None
        match command:
            case do.PlayCycle():
                episodes = self._training.parameters.episodes
                self._play(episodes - self._training.episode % episodes)
            case do.TakeSeat() | do.SetOpener() | do.Extend():
                self._change(command)
            case do.GoTo() | do.Explain():
                self._look(command)
            case do.Test():
                self._tests = self._exhibition.test()
            case do.Sit(role):
                self._sit(role)
            case do.Act(action):
                self._act(action)
            case do.Tell(fact):
                self._tell(fact)
            case do.Save():
                self._say(save_run(self._training, command))
                self._unsaved = 0.0
            case _:
                super()._obey(command)

    def _look(self, command: do.GoTo | do.Explain) -> None:
        """Look back, or at reasons, and leave the training as it is."""
        match command:
            case do.GoTo(moment):
                episode = min(max(0, moment), self._training.episode)
                shown = self.snapshot
                self._past = self._timeline.at(
                    episode, equilibria=shown.equilibria, ceiling=shown.ceiling
                )
            case do.Explain(entry):
                until = min(max(0, entry.moment), self._training.episode)
                where = entry.role, entry.state, entry.action, entry.limit
                self._ancestry = ancestry(self._timeline, until, *where)

    def _change(self, command: do.TakeSeat | do.SetOpener | do.Extend) -> None:
        self._series.latest = None  # it is of the players before
        match command:
            case do.TakeSeat(role, spec):
                self._take_seat(role, spec)
            case do.SetOpener(opener):
                self._timeline.change(NewOpener(opener))
            case do.Extend(cycles):
                self._timeline.change(MoreCycles(cycles))
                self._caption = None  # it may say that the training is over
                total = self._training.parameters.cycles
                self._say(f"{plural(cycles, 'cycle')} more: {total:,} cycles in all")

    def _restart(self) -> str:
        self._begin_again()
        return f"restarted with seed {self._training.seed}"

    def _begin_again(self) -> None:
        changes = ((0, NewOpener(self._training.opener)),)
        self._begin(replace(self._timeline.run, players=self._seating.specs, changes=changes))

    def _run(self, per_second: float | None) -> None:
        if self._human is None:  # training waits for a person
            super()._run(per_second)

    def _players(self) -> object:
        training = self._training
        return training.episode, training.opener, training.players.seated

    def _limit(self) -> int:
        left = self._training.parameters.total - self._training.episode
        return min(left, self._series.episodes_until_evaluated(self._training))

    def _publish(self) -> None:
        if self._training.parameters.curriculum_window and not self._training.finished:
            # An episode that begins in mid-game would be noise among the few that are shown.
            self._show(self._exhibition.by_plans(self._training.opener.role(self._number)))
        super()._publish()

    def _play(self, n: int) -> None:
        """Train; if nobody learns or all cycles are done, play what is no part of the training."""
        if self._human:
            self._deal(self._human)
        elif self._training.finished or self._only_static:
            for _ in range(n):
                opener = self._training.opener.role(self._training.episode + self._tested)
                played = self._exhibition.negotiate(opener)
                self._tested += 1
            self._number += n
            self._show(played)
        else:
            self._number += n
            self._train(n)

    @property
    def _only_static(self) -> bool:
        """True if both seats are static although there is something learned."""
        return self._training.learner(0) is None and self._has_tables

    @property
    def _has_tables(self) -> bool:
        return bool(self._training.players.learners)

    def _train(self, n: int) -> None:
        training, parameters = self._training, self._training.parameters
        self._code.apply(training)
        n, begun = min(n, parameters.total - training.episode), time.thread_time()
        self._timeline.run_episodes(n)
        seconds = time.thread_time() - begun
        self._unsaved += seconds
        self._code.begin(training, n, seconds)
        self._narrator.note()
        self._negotiation = last_episode(training, self._number)

    def _show(self, transcript: Transcript) -> None:
        """Show a negotiation that is no part of the training."""
        episodes = self._training.parameters.episodes
        cycle, episode = divmod(max(0, self._training.episode - 1), episodes)
        person = self._human.score.role if self._human else None
        self._negotiation = Negotiation(
            self._number, cycle, episode, None, 0.0, True, transcript, person=person
        )

    def _tell(self, fact: Fact) -> None:
        """Play a negotiation that shows a fact; none while a person plays."""
        if self._human:
            return
        self._caption = fact
        self._narrator.news = tuple(each for each in self._narrator.news if each != fact)
        if fact.sample and not self._training.finished:
            self._play(1)
            return
        self._number += 1
        opener = self._training.opener.role(self._number) if fact.opener is None else fact.opener
        self._show(self._exhibition.by_plans(opener, fact.begun))

    def _sit(self, role: Role | None) -> None:
        """Let a person take a seat, or leave (None); training waits until then."""
        self._pacer = self._human = None
        if role is None:
            return
        opponent, rng = self._training.policy(role.other), generators(self._training.seed).table
        self._human = HumanPlayer(self._timeline.run.scenario, role, opponent, rng)
        self._deal(self._human)

    def _deal(self, human: HumanPlayer) -> None:
        self._number += 1
        self._show(human.begin(self._training.opener.role(human.score.negotiations)))

    def _act(self, action: int) -> None:
        if self._human and self._negotiation:
            try:
                self._show(self._human.act(self._negotiation.transcript, action))
            except IllegalActionError as error:  # no longer the person's turn
                self._say(str(error))

    def _take_seat(self, role: Role, spec: str | None) -> None:
        first = not self._has_tables
        seating = self._seating.occupied(role, spec)
        self._timeline.change(SeatChange(role, player_from_spec(seating.specs[role])))
        self._seating, self._caption = seating, None
        self._code.changed(self._training)
        if first and self._has_tables and self._training.episode:
            human = self._human
            self._begin_again()  # what static strategies played was no training
            self._human = human
        if self._human:
            self._sit(self._human.score.role)

    def _state(self, **fields: Any) -> Snapshot:
        training = self._training
        if self._negotiation and self._negotiation is not self._believed:
            self._negotiation = self._believed = believed(training, self._negotiation)
        seated = training.players.seated
        return self._timeline.present(
            self._seating,
            score=self._human.score if self._human else None,
            policies=self._monitor.policies(training.cycle, training.opener, seated),
            negotiation=self._negotiation,
            past=self._past,
            ancestry=self._ancestry,
            unsaved=self._unsaved,
            tests=self._tests,
            news=self._narrator.news,
            found=self._narrator.found,
            caption=self._caption,
            **fields,
            **vars(self._status(compiled=self._code.used_by(training))),
        )


class CompiledCode:
    """Code for the occupants of both seats; it is used from the moment that it is ready."""

    def __init__(self) -> None:
        self._compiler: BackgroundCompiler[Backend] | None = None

    def used_by(self, training: ConcurrentTraining) -> bool:
        return self._compiler is not None and training.backend is self._compiler.done

    def apply(self, training: ConcurrentTraining) -> None:
        ready = self._compiler and self._compiler.done
        if ready and training.backend is not ready:
            training.use(ready)

    def begin(self, training: ConcurrentTraining, n: int, seconds: float) -> None:
        """Begin to compile, unless the work ahead ends before; the last `n` episodes took so long.

        Both loops share this process, so the compiler takes twice as long.
        """
        ahead = seconds / n * (training.parameters.total - training.episode)
        if self._compiler is None and n >= _TIMED:
            needed = training.players.seated, training.scenario.hidden
            if ahead > 2 * (seconds_to_compile() + seconds_for_learners(*needed)):
                self._compiler = BackgroundCompiler(partial(compiled_for, *needed))
                self._compiler.begin()

    def changed(self, training: ConcurrentTraining) -> None:
        """Go on with the plain loop if somebody took a seat whose code is not ready."""
        ready = self._compiler and self._compiler.done
        if ready and seconds_for_learners(training.players.seated, training.scenario.hidden):
            training.use(PLAIN)
            self._compiler = None
