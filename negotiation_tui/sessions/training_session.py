"""The trainer: takes commands, plays and learns, publishes immutable snapshots.

It does its work when it is asked to; `SessionThread` asks it in a thread of its own.
"""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError, Transcript, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Policy
from negotiation_tui.learning import headless
from negotiation_tui.learning.backend import compile_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import TestResult, both_tests
from negotiation_tui.learning.hyperparameters import Parameters, epsilons
from negotiation_tui.learning.nash_conv_series import Judge
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.players.resolve import LEARNED, occupant
from negotiation_tui.runtime.jit import Compiling
from negotiation_tui.sessions.commands import (
    Act,
    AtTable,
    Command,
    Halt,
    Play,
    PlayCycle,
    Playing,
    Restart,
    Run,
    Save,
    SetOpener,
    Sit,
    TakeSeat,
    Test,
    WhatIf,
)
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.sessions.pacer import Pacer
from negotiation_tui.sessions.save_files import keep
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.what_if import what_if
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES


class TrainingSession:
    """One training, its seats, and what is said about them; does nothing unless called.

    Raises BadInputError where the scenario is too large for a learner in a seat.
    """

    def __init__(
        self,
        scenario: Scenario,
        parameters: Parameters,
        seed: int,
        strategies: tuple[str | None, str | None] = (None, None),
        opener: Opener | None = None,
        train_both: bool = True,
        train_agent: Role | str = Role.SELLER,
    ) -> None:
        self._scenario, self._parameters, self._seed = scenario, parameters, seed
        self._train_both, self._train_agent = train_both, train_agent
        self._strategies = strategies
        self._opener = scenario.opener if opener is None else opener
        self._compiling = Compiling(compile_backend)
        self._pacer: Pacer | None = None
        self._number = self._handled = 0
        self._notice, self._notices = "", 0
        self._given: tuple[str, ...] = ()
        self._tests: tuple[TestResult, ...] = ()
        self._human: HumanPlayer | None = None
        self._what_if: Negotiation | None = None
        self._begin()
        self.snapshot = self._snapshot()

    @property
    def negotiations(self) -> int:
        """How many were played in training."""
        return self._training.episode

    @property
    def running(self) -> bool:
        """Whether `work` has something to do."""
        return self._pacer is not None and not self._training.finished

    def handle(self, command: Command) -> None:
        """Carry out one command and publish what came of it."""
        match command:
            case Play() | PlayCycle() | Run() | Halt():
                self._handle_playing(command)
            case TakeSeat(role, name):
                self._take_seat(role, name)
            case SetOpener(opener):
                self._opener = self._training.opener = opener
            case Test():
                self._tests = self._test()
            case Sit() | Act() | WhatIf():
                self._handle_at_table(command)
            case Save(shown):
                self._say(keep(self._training, shown))
            case Restart():
                self._pacer = None
                self._begin()
                self._say(f"started anew from seed {self._seed}")
        self._handled += 1
        self.snapshot = self._snapshot()

    def train(self) -> None:
        """Train to the end now, with a bar on stderr where that takes long."""
        headless.train(self._training)
        self.snapshot = self._snapshot()

    def idle(self) -> None:
        """Judge the seats as they are now, and publish what came of it."""
        before = self._judge.latest
        self._judge.look(self._training, busy=self.running)
        if self._judge.latest is not before:
            self.snapshot = self._snapshot()

    def step(self) -> float:
        """Play one batch of a run, publish when it is time; returns the seconds to rest."""
        if self._pacer is None or self._training.finished:
            return 0.0
        compiled = self._compiling.done
        if compiled and self._training.backend is not compiled:
            self._training.use(compiled)
        batch = min(self._pacer.due(), self._until_look())
        if batch:
            self._play(batch)
            self._pacer.played(batch)
            if self._until_look(0) == 0:
                self._judge.look(self._training, busy=True)
        if self._pacer.time_to_publish() or self._training.finished:
            self._judge.look(self._training, busy=True)
            self.snapshot = self._snapshot()
            self._pacer.published()
        return 0.0 if batch else 1 / 240

    def close(self) -> None:
        """It holds nothing."""

    def _until_look(self, played: int = 1) -> int:
        """Episodes until the judge should look, or the training ends, from the next one on."""
        parameters, episode = self._parameters, self._training.episode
        stride = self._judge.stride(parameters.cycles) * parameters.episodes
        return min(parameters.total, (episode + played + stride - 1) // stride * stride) - episode

    def _begin(self) -> None:
        self._judge = Judge(self._scenario, self._parameters.discount_rate)
        seller, buyer = (occupant(name or LEARNED) for name in self._strategies)
        self._training = ConcurrentTraining(
            self._scenario,
            self._parameters,
            self._seed,
            self._train_both,
            self._train_agent,
            seller,
            buyer,
        )
        self._training.opener = self._opener
        self._test_rng = generators(self._seed).test
        self._negotiation: Negotiation | None = None
        self._tests = ()
        self._tables: dict[Role, tuple[int, NDArray[np.float64]]] = {}
        self._players: tuple[Policy | Strategy, ...] = ()
        self._human = self._what_if = None

    def _play(self, negotiations: int) -> None:
        """Train; once all cycles are done, play test negotiations with what was learned."""
        training = self._training
        if self._human:
            self._deal(self._human)
            return
        if training.finished:
            self._play_tests(negotiations)
            return
        training.run_episodes(min(negotiations, self._parameters.total - training.episode))
        self._number += negotiations
        last = training.episode - 1
        cycle, episode = divmod(last, self._parameters.episodes)
        trainee = training.trainee(cycle)
        epsilon = float(epsilons(self._parameters, last, last + 1)[0]) if trainee is not None else 0
        assert training.last_negotiation is not None
        self._negotiation = Negotiation(
            self._number, cycle, episode, trainee, epsilon, False, training.last_negotiation
        )

    def _play_tests(self, negotiations: int) -> None:
        if not self._players:
            self._players = tuple(self._training.policy(role) for role in Role)
        seller, buyer = self._players
        for _ in range(negotiations):
            opener = self._opener.role(self._number)
            played = negotiate(self._scenario, seller, buyer, opener, self._test_rng)
            self._number += 1
        cycle, episode = divmod(self._training.episode - 1, self._parameters.episodes)
        self._negotiation = Negotiation(self._number, cycle, episode, None, 0.0, True, played)

    def _handle_playing(self, command: Playing) -> None:
        match command:
            case Play(negotiations):
                self._play(negotiations)
            case PlayCycle():
                episodes = self._parameters.episodes
                self._play(episodes - self._training.episode % episodes)
            case Run(per_second) if not self._human:
                self._pacer = Pacer(per_second)
                self._compiling.begin()  # from the first run on it is worth its while
            case _:
                self._pacer = None

    def _handle_at_table(self, command: AtTable) -> None:
        match command:
            case Sit(role):
                self._sit(role)
            case Act(action):
                self._act(action)
            case WhatIf(then, negotiation, turns, action):
                self._what_if = what_if(then, negotiation, turns, action)

    def _sit(self, role: Role | None) -> None:
        """A person comes or goes; training waits meanwhile."""
        self._pacer = self._human = None
        if role is None:
            return
        opponent = self._training.policy(role.other)
        self._human = HumanPlayer(self._scenario, role, opponent, generators(self._seed).table)
        self._deal(self._human)

    def _deal(self, human: HumanPlayer) -> None:
        """Begin a negotiation with the person at the table."""
        opener = self._opener.role(human.score.negotiations)
        self._number += 1
        self._at_table(human.begin(opener))

    def _act(self, action: int) -> None:
        if self._human and self._negotiation:
            try:
                played = self._human.act(self._negotiation.transcript, action)
            except IllegalActionError as error:  # it was not the person's turn any more
                self._say(str(error))
            else:
                self._at_table(played)

    def _at_table(self, transcript: Transcript) -> None:
        cycle, episode = divmod(max(0, self._training.episode - 1), self._parameters.episodes)
        self._negotiation = Negotiation(self._number, cycle, episode, None, 0.0, True, transcript)

    def _say(self, notice: str) -> None:
        self._notice, self._notices = notice, self._notices + 1

    def _take_seat(self, role: Role, name: str | None) -> None:
        try:
            self._training.seat(role, occupant(name or LEARNED))
        except BadInputError as error:
            self._say(str(error))
            return
        seller, buyer = self._strategies
        self._strategies = (name, buyer) if role is Role.SELLER else (seller, name)
        self._players = ()
        if self._human:
            self._sit(self._human.score.role)

    def _test(self) -> tuple[TestResult, ...]:
        seller, buyer = (self._training.policy(role) for role in Role)
        left_over = self._training.statistics.left_over
        return both_tests(self._scenario, seller, buyer, self._test_rng, left_over)

    def _table(self, role: Role) -> NDArray[np.float64] | None:
        """A sealed copy of a learner's table, made anew only when it has learned since."""
        if not self._training.has_table(role):
            return None
        episode = self._training.episode
        if role not in self._tables or self._tables[role][0] != episode:
            table = self._training.q_table(role)
            table.flags.writeable = False
            before = self._tables.get(role)
            if before and np.array_equal(before[1], table):  # it was the other that learned
                table = before[1]
            self._tables[role] = episode, table
        return self._tables[role][1]

    def _snapshot(self) -> Snapshot:
        training = self._training
        for words in filter(None, self._strategies):
            if words.partition(":")[0] not in STRATEGIES and words not in self._given:
                self._given = (*self._given, words)
        return Snapshot(
            scenario=self._scenario,
            parameters=self._parameters,
            seed=self._seed,
            opener=self._opener,
            strategies=self._strategies,
            given=self._given,
            negotiations=training.episode,
            finished=training.finished,
            negotiation=self._negotiation,
            q_tables=(self._table(Role.SELLER), self._table(Role.BUYER)),
            statistics=training.statistics,
            per_second=self._pacer.per_second if self._pacer and self.running else None,
            compiled=training.backend is self._compiling.done,
            tests=self._tests,
            notice=self._notice,
            notices=self._notices,
            handled=self._handled,
            equilibria=self._judge.equilibria,
            nash_conv=self._judge.latest,
            nash_convs=self._judge.series,
            score=self._human.score if self._human else None,
            what_if=self._what_if,
        )
