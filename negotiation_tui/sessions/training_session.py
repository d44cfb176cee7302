"""A live training: it takes commands, plays and learns, and publishes immutable snapshots."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from negotiation_tui.errors import BadInputError, Refusal
from negotiation_tui.game.learned import WithValues
from negotiation_tui.game.negotiation import (
    NO_STATE,
    IllegalActionError,
    Position,
    Transcript,
    draw_limits,
    negotiate,
    play_out,
)
from negotiation_tui.game.roles import Role, States, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import headless
from negotiation_tui.learning.algorithms.base import NeedsOpenerError, Occupant
from negotiation_tui.learning.ancestry import ancestry
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import fastest_backend, seconds_to_compile
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.hyperparameters import whole_games
from negotiation_tui.learning.nash_conv_series import NashConvSeries, evaluated_seldom
from negotiation_tui.learning.random_streams import generators, of_question
from negotiation_tui.learning.rewind import MoreCycles, NewOpener, SeatChange
from negotiation_tui.learning.seats import NeedsWholeGamesError
from negotiation_tui.players.program import told_discount
from negotiation_tui.players.resolve import player_from_spec, spec_of_player, strategy_from_spec
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.child_process import NoProgramError
from negotiation_tui.runtime.jit import BackgroundCompiler, busy_seconds
from negotiation_tui.runtime.memory import release
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.answers import AnswersOfBoth, answers_after
from negotiation_tui.sessions.human_player import HumanPlayer
from negotiation_tui.sessions.preparation import Progress
from negotiation_tui.sessions.saving import save_run
from negotiation_tui.sessions.session import interrupted
from negotiation_tui.sessions.snapshot import Negotiation, Seating, Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.facts import by_rules
from negotiation_tui.sessions.story.narrator import Narrator
from negotiation_tui.sessions.timeline import RunTimeline, believed, last_episode
from negotiation_tui.sessions.timeline_session import NashConvMonitor, TimelineSession
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

BOTH_OFFER = 3  # the turns of a negotiation with an offer by each role and an answer
DRAWS = 6  # negotiations from which the story chooses one to show, for each ply they begin at
_TIMED = 100  # episodes of a batch that tell how long the rest takes


class TrainingSession(TimelineSession):
    """A training of two agents and perhaps a person; BadInputError if the game is too large."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._seating = Seating.of(run.players)
        self._code = CompiledCode()
        self.played = 0
        self._begin(run)
        self.snapshot = self._snapshot()

    def _begin(self, run: Run) -> None:
        self._timeline = RunTimeline(run)
        self._training = training = self._timeline.training
        training.nash_convs = self._series = NashConvSeries()
        self._series.by_time = True
        self._stop = sys.maxsize  # the episode at which a run ends
        self._unsaved = 0.0
        self._monitor = NashConvMonitor(training, self._players)
        self._exhibition = Exhibition(self._timeline)
        self._narrator = Narrator(self._timeline, self._monitor.theory["equilibria"])
        self._narrator.note()
        self._tested = 0
        self._human: HumanPlayer | None = None
        self._negotiation: Negotiation | None = None
        self._believed: Negotiation | None = None  # the newest, once beliefs in it are computed
        self._shown = {}
        self._answers: AnswersOfBoth = (None, None)
        self._note(None)

    def training(self) -> Iterator[Progress]:
        """Train to the end; yield the progress about ten times per second."""
        training = self._training
        self._series.only_last = evaluated_seldom(self._timeline.run.scenario)
        for _ in headless.steps(training, self._timeline.run_episodes):
            yield Progress(training.episode, training.parameters.total)
        self._series.only_last = False
        self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self._training.episode >= min(self._stop, self._training.parameters.total)

    def idle(self) -> None:
        if self._human and self._negotiation is None:
            self._deal(self._human)
            self.snapshot = self._snapshot()
        super().idle()

    def report(self, refusal: Refusal) -> None:
        if isinstance(refusal, NoProgramError) and self._negotiation is None:
            raise refusal
        super().report(refusal)

    def _obey(self, command: do.Command) -> None:
        self._shown["past"] = None
        match command:
            case do.PlayCycle(in_steps):
                self._play_cycle(in_steps)
            case do.TakeSeat() | do.SetOpener() | do.Extend():
                self._change(command)
            case do.GoTo(moment):
                episode = min(max(0, moment), self._training.episode)
                self._shown["past"] = self._timeline.at(episode, **self._monitor.theory)
            case do.Explain(entry):
                entry = replace(entry, moment=min(max(0, entry.moment), self._training.episode))
                self._shown["ancestry"] = ancestry(self._timeline, entry)
            case do.Test():
                self._shown["tests"] = self._exhibition.test()
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
            while left and not interrupted():
                self._play(1)
                self.snapshot = replace(self._snapshot(), handled=self.snapshot.handled)
                left -= 1

    def _change(self, command: do.TakeSeat | do.SetOpener | do.Extend) -> None:
        self._series.latest = None  # it is of the players before
        if self._stop < sys.maxsize:  # perhaps nobody learns to the end of the cycle
            self._pacer = None
        match command:
            case do.TakeSeat(role, spec):
                self._take_seat(role, spec)
            case do.SetOpener(opener):
                self._timeline.change(NewOpener(opener))
            case do.Extend(cycles):
                self._timeline.change(MoreCycles(cycles))
                self._shown["caption"] = None  # it may say that the training is over
                total = self._training.parameters.cycles
                self._say(f"{plural(cycles, 'cycle')} more: {total:,} cycles in all")

    def _restart(self) -> str:
        self._begin_again()
        return f"restarted with seed {self._training.seed}"

    def _begin_again(self, scenario: Scenario | None = None) -> None:
        """Begin with the present players, perhaps in a scenario with other states."""
        changes, run = ((0, NewOpener(self._training.opener)),), self._timeline.run
        run = replace(run, players=self._seating.specs, digests=None, changes=changes)
        run = replace(run, scenario=scenario or run.scenario)
        try:
            self._begin(run)
        except NeedsWholeGamesError:  # its player took the seat later
            self._begin(replace(run, parameters=whole_games(run.parameters)))

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
        if self._training.parameters.curriculum_window and not self._training.finished:
            # An episode that begins in mid-game would be noise among the few that are shown.
            self._show(self._exhibition.by_plans(self._training.opener.role(self.played)))
        super()._publish()
        if evaluated_seldom(self._timeline.run.scenario):
            release()  # each cycle copies large tables

    def _play(self, n: int) -> None:
        """Train; if nobody learns or all cycles are done, play what is no part of the training."""
        if self._human:
            self._deal(self._human)
        elif self._training.finished or (self._training.learner(0) is None and self._has_tables):
            for _ in range(n):
                opener = self._training.opener.role(self._training.episode + self._tested)
                played = self._exhibition.negotiate(opener)
                self._tested += 1
            self.played += n
            self._show(played)
        else:
            self.played += n
            self._train(n)

    @property
    def _has_tables(self) -> bool:
        return bool(self._training.latest_learners)

    def _train(self, n: int) -> None:
        training, parameters = self._training, self._training.parameters
        self._code.apply(training)
        n, begun = min(n, parameters.total - training.episode), busy_seconds()
        played = training.seconds
        self._timeline.run_episodes(n)
        self._unsaved += busy_seconds() - begun
        self._code.begin(training, n, training.seconds - played)
        self._narrator.note()
        self._negotiation = last_episode(training, self.played)
        self._note(training.last_negotiation)

    def _note(self, transcript: Transcript | None) -> None:
        """Count the answers of players without a table."""
        scenario, specs = self._timeline.run.scenario, self._seating.strategies
        if self._human:
            specs = pair(None if role is self._human.score.role else specs[role] for role in Role)
        self._answers = answers_after(self._answers, scenario, specs, transcript)

    def _show(self, transcript: Transcript, rules: bool = False) -> None:
        episodes = self._training.parameters.episodes
        cycle, episode = divmod(max(0, self._training.episode - 1), episodes)
        person = self._human.score.role if self._human else None
        if transcript.over and not rules:
            self._note(transcript)
        self._negotiation = Negotiation(
            self.played, cycle, episode, None, 0.0, True, transcript, None, person, rules=rules
        )

    def _tell(self, fact: Fact) -> None:
        if self._human:
            return
        self._shown["caption"] = fact
        self._narrator.news = tuple(each for each in self._narrator.news if each != fact)
        if fact.sample and not self._training.finished:
            for _ in range(DRAWS):
                self._play(1)
                if self._negotiation and len(self._negotiation.transcript.turns) >= BOTH_OFFER:
                    break
            return
        self.played += 1
        opener = self._training.opener.role(self.played) if fact.opener is None else fact.opener
        scenario = self._training.scenario
        game = scenario.drawn(*fact.limits) if fact.limits else scenario
        if fact.rules:
            self._show(by_rules(game, opener), rules=True)
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
        self._human = HumanPlayer(self._timeline.run.scenario, role, opponent, rng)
        if self._seating.has_program:
            self._negotiation = None  # `idle` waits for the program, with a screen
        else:
            self._deal(self._human)

    def _deal(self, human: HumanPlayer) -> None:
        self.played += 1
        self._show(human.begin(self._training.opener.role(human.score.negotiations)))

    def _act(self, action: int) -> None:
        if self._human and self._negotiation:
            try:
                moved = self._negotiation.transcript.followed_by(action)
                if not moved.over:
                    self._show(moved)
                    self.snapshot = replace(self.snapshot, negotiation=self._negotiation)
                self._show(self._human.answered(moved))
            except IllegalActionError as error:  # no longer the person's turn
                self._say(str(error))

    def _take_seat(self, role: Role, spec: str | None) -> None:
        first = not self._has_tables
        before = self._seating
        self._seating = before.occupied(role, spec)
        try:
            player = player_from_spec(self._seating.specs[role])
            self._seat(role, told_discount(player, self._training.parameters.discount_rate))
        except BadInputError:
            self._seating = before
            raise
        self._answers = pair(None if each is role else self._answers[each] for each in Role)
        self._note(None)
        self._shown["caption"] = None
        self._code.changed(self._training)
        if first and self._has_tables and self._training.episode:
            human = self._human
            self._begin_again()  # what static strategies played was no training
            self._human = human
        if self._human:
            self._sit(self._human.score.role)

    def _seat(self, role: Role, player: Occupant) -> None:
        """Seat a player; where it needs another recipe or other states, switch to these."""
        try:
            self._timeline.change(SeatChange(role, player))
        except NeedsOpenerError:
            self._begin_again(replace(self._timeline.run.scenario, states=States.OPENER_AWARE))
            self._say(f"{player.name} must know who opened: the training begins again, with that")
        except NeedsWholeGamesError:
            self._timeline.change(SeatChange(role, player, whole_games=True))
            self._say(f"{player.name} plays whole games: no more random starts; tables are kept")

    def _state(self, **fields: Any) -> Snapshot:
        training = self._training
        if self._negotiation and self._negotiation is not self._believed:
            self._negotiation = self._believed = believed(training, self._negotiation)
        seated = training.seated
        return self._timeline.state(
            self._timeline.copies,
            self._seating,
            score=self._human.score if self._human else None,
            policies=self._monitor.policies(training.cycle, training.opener, seated),
            answers=self._answers,
            negotiation=self._negotiation,
            unsaved=self._unsaved,
            news=self._narrator.news,
            found=self._narrator.found,
            **fields,
            **vars(self._status(compiled=training.backend is not PLAIN)),
        )


class CompiledCode:
    """Code for the occupants of both seats; it is used from the moment that it is ready."""

    def __init__(self) -> None:
        self._compiler: BackgroundCompiler[Backend] | None = None

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
            needed = training.seated, training.scenario.hidden
            if ahead > 2 * seconds_to_compile(*needed):
                self._compiler = BackgroundCompiler(partial(fastest_backend, *needed))
                self._compiler.begin()

    def changed(self, training: ConcurrentTraining) -> None:
        """Go on with the plain loop if somebody took a seat whose code is not ready."""
        ready = self._compiler and self._compiler.done
        if ready and seconds_to_compile(training.seated, training.scenario.hidden):
            training.use(PLAIN)
            self._compiler = None


class Exhibition:
    """Negotiations and tests between the present players, without learning or exploring."""

    def __init__(self, timeline: RunTimeline) -> None:
        self._scenario, self._training = timeline.run.scenario, timeline.training
        self._copies, self._rng = timeline.copies, generators(timeline.run.seed).test

    @property
    def _players(self) -> tuple[ReadyPlayer, ReadyPlayer]:
        return pair(map(self._training.policy, Role))

    def negotiate(self, opener: Role) -> Transcript:
        return negotiate(self._scenario, *self._players, opener, self._rng)

    def most_learned(self, opener: Role, begins: Sequence[int], game: Scenario) -> Transcript:
        """Play some negotiations by the plans, from each ply; return the one that shows most.

        That is one from the opening on whose moves all have a value above 0 in the Q-tables; else
        one with offers by both roles, and the most such moves.
        """
        known, states = [self._copies.of(role) for role in Role], game.n_states

        def shows(play: Transcript) -> tuple[bool, bool, float]:
            moves = [turn for turn in play.turns if turn.state != NO_STATE]
            rows = [play.scenario.limit_index(turn.role) * states + turn.state for turn in moves]
            worth = [
                isinstance(agent := known[turn.role], WithValues)
                and agent.values[row, turn.action] > 0
                for turn, row in zip(moves, rows, strict=True)
            ]
            share = sum(worth) / max(1, len(worth))
            return share == 1 and not play.first_ply, len(play.turns) >= BOTH_OFFER, share

        plays = (self.by_plans(opener, b, game, draw) for b in begins for draw in range(DRAWS))
        return max(plays, key=shows)

    def by_plans(
        self, opener: Role, begun: int = 0, game: Scenario | None = None, draw: int = 0
    ) -> Transcript:
        """Play one negotiation by the plans, perhaps from a random offer at the ply `begun`.

        `game` is the game to play if limits were drawn already; each `draw` is another negotiation.
        """
        scenario = game or self._scenario
        players = self._players
        rng = of_question(self._training.seed, self._training.episode, opener, *[draw] * bool(draw))
        if not begun:
            return negotiate(scenario, *players, opener, rng)

        def choose(position: Position) -> int:
            if position.standing_offer is None:
                return int(rng.choice(position.scenario.offers(position.role)))
            return int(players[position.role].act(position, rng))

        return play_out(draw_limits(scenario, rng), opener, choose, first_ply=begun)

    def test(self) -> tuple[Evaluation, ...]:
        left_over = self._training.statistics.left_over
        return evaluate_both(self._scenario, *self._players, self._rng, left_over)
