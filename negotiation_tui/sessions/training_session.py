"""A live training: it takes commands, plays and learns, and publishes immutable snapshots."""

import time
from dataclasses import replace
from functools import partial

from negotiation_tui.game.negotiation import IllegalActionError, Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import headless
from negotiation_tui.learning.ancestry import Ancestry, ancestry
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvSeries, judged_seldom
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.rewind import MoreCycles, NewOpener, NewSeat, RewindableTraining
from negotiation_tui.players.resolve import occupant_from_spec
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions import snapshot as parts
from negotiation_tui.sessions.compiled_code import CompiledCode
from negotiation_tui.sessions.greedy_play import GreedyPlay
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.sessions.judge import Judge
from negotiation_tui.sessions.limits_held import Believed
from negotiation_tui.sessions.look_back import last_episode, look_back, time_line
from negotiation_tui.sessions.paced_session import PacedSession
from negotiation_tui.sessions.save_files import save_run
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.static_tables import StaticTables
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.narrator import Narrator
from negotiation_tui.sessions.table_copies import TableCopies
from negotiation_tui.sessions.what_if import what_if


class TrainingSession(PacedSession[Snapshot]):
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
        self._first_setup = parts.TrainingSetup(scenario, parameters, seed)
        self._seats = parts.Seats(opener=scenario.opener if opener is None else opener)
        for role in Role:
            self._seats = self._seats.occupied(role, strategies[role])
        self._new_training = partial(
            ConcurrentTraining, scenario, parameters, seed, train_both, train_agent
        )
        self._code = CompiledCode()
        self._number = 0
        self._begin()
        self.snapshot = self._snapshot()

    def _begin(self) -> None:
        self._setup = self._first_setup
        seats = [occupant_from_spec(spec) for spec in self._seats.specs]
        self._course = RewindableTraining(partial(self._new_training, *seats))
        self._course.change(NewOpener(self._seats.opener))
        self._training = self._course.training
        self._training.nash_convs = self._nash_convs = NashConvSeries()
        self._unsaved = 0.0
        self._past: parts.Past | None = None
        self._ancestry: Ancestry | None = None
        self._judge = Judge(self._training, self._players, self._nash_convs)
        self._greedy_play = GreedyPlay(self._setup.scenario, self._training)
        self._table_copies = TableCopies(self._training)
        self._static_tables = StaticTables(self._training)
        self._believed = Believed(self._training)
        self._narrator = Narrator(self._training, self._judge.equilibria, self._table_copies)
        self._narrator.note()
        self._caption: Fact | None = None
        self._tested = 0
        self._tests: tuple[Evaluation, ...] = ()
        self._human: HumanPlayer | None = None
        self._negotiation: Negotiation | None = None
        self._what_if: Negotiation | None = None

    @property
    def negotiations(self) -> int:
        """Number of negotiations played so far."""
        return self._number

    def train(self) -> None:
        """Train to the end now, with a bar on stderr if that takes long."""
        self._nash_convs.only_last = judged_seldom(self._setup.scenario)
        headless.train(self._training, run=self._course.run_episodes)
        self._nash_convs.only_last = False
        self.snapshot = self._snapshot()

    def idle(self) -> None:
        """Publish NashConv of the present players, if that was put off."""
        if self._judge.judge():
            self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self._training.finished

    def _obey(self, command: do.Command) -> None:
        self._past = None
        match command:
            case do.PlayCycle():
                episodes = self._setup.parameters.episodes
                self._play(episodes - self._training.episode % episodes)
            case do.TakeSeat() | do.SetOpener() | do.Extend():
                self._change(command)
            case do.GoTo() | do.Explain() | do.WhatIf():
                self._look(command)
            case do.Test():
                self._tests = self._greedy_play.test()
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

    def _look(self, command: do.GoTo | do.Explain | do.WhatIf) -> None:
        """Look back, at reasons, or at another course, and leave the training as it is."""
        match command:
            case do.GoTo(moment):
                episode = min(max(0, moment), self._training.episode)
                self._past = look_back(self._course, episode, self._setup, self.snapshot)
            case do.Explain(entry):
                until = min(max(0, entry.moment), self._training.episode)
                where = entry.role, entry.state, entry.action, entry.limit
                self._ancestry = ancestry(self._course, until, *where)
            case do.WhatIf(then, negotiation, turns, action):
                self._what_if = what_if(then, negotiation, turns, action)

    def _change(self, command: do.TakeSeat | do.SetOpener | do.Extend) -> None:
        """Make a change in the training that is remembered."""
        self._nash_convs.latest = None  # it is of the players before
        match command:
            case do.TakeSeat(role, spec):
                self._take_seat(role, spec)
            case do.SetOpener(opener):
                self._course.change(NewOpener(opener))
                self._seats = replace(self._seats, opener=opener)
            case do.Extend(cycles):
                self._course.change(MoreCycles(cycles))
                self._setup = replace(self._setup, parameters=self._training.parameters)
                self._caption = None  # it may say that the training is over
                total = self._setup.parameters.cycles
                self._say(f"{plural(cycles, 'cycle')} more: {total:,} cycles in all")

    def _restart(self) -> str:
        self._begin()
        return f"restarted with seed {self._setup.seed}"

    def _run(self, per_second: float | None) -> None:
        if self._human is None:  # training waits for a person
            super()._run(per_second)

    def _players(self) -> object:
        training = self._training
        return training.episode, training.opener, training.occupants.seated

    def _limit(self) -> int:
        left = self._setup.parameters.total - self._training.episode
        return min(left, self._nash_convs.episodes_until_judged(self._training))

    def _publish(self) -> None:
        self._judge.judge()
        if self._setup.parameters.curriculum_window and not self._training.finished:
            # An episode that begins in mid-game would be noise among the few that are shown.
            self._show(self._greedy_play.by_plans(self._seats.opener.role(self._number)))
        super()._publish()

    def _play(self, n: int) -> None:
        """Train; if nobody learns or all cycles are done, play what is no part of the training."""
        if self._human:
            self._deal(self._human)
        elif self._training.finished or self._only_static:
            for _ in range(n):
                opener = self._seats.opener.role(self._training.episode + self._tested)
                played = self._greedy_play.negotiate(opener)
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
        return bool(self._training.occupants.learners)

    def _train(self, n: int) -> None:
        training, parameters = self._training, self._setup.parameters
        self._code.apply(training)
        n, begun = min(n, parameters.total - training.episode), time.thread_time()
        self._course.run_episodes(n)
        seconds = time.thread_time() - begun
        self._unsaved += seconds
        self._code.begin(training, n, seconds)
        self._narrator.note()
        self._negotiation = last_episode(training, self._number)

    def _show(self, transcript: Transcript) -> None:
        """Show a negotiation that is no part of the training."""
        cycle, episode = divmod(max(0, self._training.episode - 1), self._setup.parameters.episodes)
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
        opener = self._seats.opener.role(self._number) if fact.opener is None else fact.opener
        self._show(self._greedy_play.by_plans(opener, fact.begun))

    def _sit(self, role: Role | None) -> None:
        """Let a person take a seat, or leave (None); training waits until then."""
        self._pacer = self._human = None
        if role is None:
            return
        opponent, rng = self._training.policy(role.other), generators(self._setup.seed).table
        self._human = HumanPlayer(self._setup.scenario, role, opponent, rng)
        self._deal(self._human)

    def _deal(self, human: HumanPlayer) -> None:
        """Begin a negotiation with the person."""
        self._number += 1
        self._show(human.begin(self._seats.opener.role(human.score.negotiations)))

    def _act(self, action: int) -> None:
        if self._human and self._negotiation:
            try:
                self._show(self._human.act(self._negotiation.transcript, action))
            except IllegalActionError as error:  # no longer the person's turn
                self._say(str(error))

    def _take_seat(self, role: Role, spec: str | None) -> None:
        first = not self._has_tables
        seats = self._seats.occupied(role, spec)
        self._course.change(NewSeat(role, occupant_from_spec(seats.specs[role])))
        self._seats, self._caption = seats, None
        self._code.changed(self._training)
        if first and self._has_tables and self._training.episode:
            human = self._human
            self._begin()  # what static strategies played was no training
            self._human = human
        if self._human:
            self._sit(self._human.score.role)

    def _snapshot(self) -> Snapshot:
        training, score = self._training, self._human.score if self._human else None
        players = training.occupants.seated
        policies = self._static_tables.both(training.cycle, training.opener, players)
        return Snapshot.of(
            self._setup,
            replace(self._seats, score=score, policies=policies),
            parts.Progress(
                training.episode,
                training.finished,
                self._believed.of(self._negotiation),
                self._what_if,
                time_line(self._course, training.episode),
                self._past,
                self._ancestry,
                self._unsaved,
            ),
            self._table_copies.learned(self._tests),
            self._judge.theory(self._nash_convs.values, self._nash_convs.reached),
            parts.Story(self._narrator.news, self._narrator.found, self._caption),
            self._status(compiled=self._code.used_by(training)),
        )
