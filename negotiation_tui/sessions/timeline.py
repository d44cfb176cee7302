"""The timeline of a run: the state of its training at any moment, and what-ifs.

A run is played again from the states that are kept on its way. A what-if continues a snapshot.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from negotiation_tui.game.learned import NOTHING_LEARNED, Learned
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.learner_registry import with_step
from negotiation_tui.learning.nash_conv_series import (
    EvaluatedTraining,
    NashConvSeries,
    evaluated_seldom,
    nash_conv_of,
)
from negotiation_tui.learning.players import LIVE
from negotiation_tui.learning.random_streams import of_question
from negotiation_tui.learning.rewind import (
    Change,
    NewOpener,
    NewSetting,
    RewindableTraining,
    SeatChange,
)
from negotiation_tui.learning.spec import learns
from negotiation_tui.players.resolve import (
    Resolve,
    spec_of_player,
    strategy_from_spec,
    trained_players,
)
from negotiation_tui.players.run import Run, players_of_run, training_of
from negotiation_tui.players.spec import is_program, short_name
from negotiation_tui.players.thread_state import off_path
from negotiation_tui.runtime.settings_text import text_of
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.sessions.commands import WhatIf
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import (
    Course,
    Equilibria,
    GameKey,
    Negotiation,
    PastSnapshots,
    Seating,
    Snapshot,
    Theory,
)
from negotiation_tui.solvers.beliefs import Belief, beliefs
from negotiation_tui.solvers.expected_play import Coins, expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import tables_of

if TYPE_CHECKING:
    from negotiation_tui.learning.updates import Teller


class RunTimeline(RewindableTraining):
    """The course of a run: from its last change on, while the past can be played again."""

    goal = 0  # the moment up to which a recording is played again; 0 if none is
    only_games = False  # True for a recording that is not played again
    damage = ""  # of the recording, which ends it

    def __init__(self, run: Run, players: tuple[Occupant, Occupant] | None = None) -> None:
        players = players or players_of_run(run)
        super().__init__(partial(training_of, run, players, backend=PLAIN))
        self._run = run
        for episode, change in run.changes:
            self.run_episodes(episode - self.training.episode)
            self.change(change)
        self.copies = TableCopies(self.training)  # the tables of the present

    def change(self, change: Change) -> None:
        told = [*filter(is_program, map(spec_of_player, self.training.seated))]
        if told and isinstance(change, NewSetting) and change.name == "discount_rate":
            rate = self.training.parameters.discount_rate
            raise refusal("discount_rate", change.value, f"{rate}, as {told[0]} was told")
        super().change(change)

    def go_back(self, episode: int) -> None:
        super().go_back(episode)
        self.copies, self.goal = TableCopies(self.training), min(self.goal, episode)

    @property
    def run(self) -> Run:
        return replace(self._run, changes=tuple(self.changes))

    @property
    def now(self) -> int:
        """The present moment: the number of episodes so far."""
        return self.training.episode

    @property
    def last(self) -> Negotiation | None:
        """The last negotiation that was learned from; None if none was."""
        return last_episode(self.training, self._specs_at(self.now))

    def moment_of(self, number: int) -> int:
        """Return the moment after a game: see `GameKey.number`."""
        return number

    def advance(self, training: ConcurrentTraining, episodes: int) -> None:
        with off_path():
            super().advance(training, episodes)

    def at(self, episode: int, theory: Theory, extra: Extras) -> PastSnapshots:
        """Return the states after an episode and before it; None before the first one.

        The training itself is not disturbed. Players that are `evaluated_seldom` are not evaluated.
        """
        then = self.training_at(max(0, episode - 1))
        then.nash_convs, copies = None, TableCopies(then)
        run = replace(self._run, changes=tuple(self.changes_before(episode)))
        before = self._past(copies, theory, extra, run)
        if episode == 0:
            return before, None
        teller = teller_of(then)
        with off_path():
            then.run_episodes(1)  # a change just after it is of the next negotiation
        after = self._past(copies, theory, extra, run)
        return replace(after, updates=extra("updates", teller.updates)), before

    def _past(self, copies: "TableCopies", theory: Theory, extra: Extras, run: Run) -> Snapshot:
        then = copies.training
        seating = Seating.of([*map(spec_of_player, then.seated)])
        played = last_episode(then, self._specs_at(then.episode))
        nash_conv, coins = None, None
        if not evaluated_seldom(then.scenario):
            nash_conv = extra("NashConv", nash_conv_of, then)
            coins = extra("coins", coins_of, then)
        return replace(
            self.state(copies),
            run=run,
            seating=seating,
            negotiation=played and (extra("beliefs", believed, then, played) or played),
            theory=_theory_at(theory, then, self.training, nash_conv=nash_conv, coins=coins),
            policies=pair(strategy_table(then, role) for role in Role),
        )

    def _specs_at(self, episode: int) -> tuple[str, str]:
        """Return the specs of the players of the negotiation that ended with an episode."""
        specs = [*Seating.of(self._run.players).specs]
        for at, change in self.changes:
            if isinstance(change, SeatChange) and at < episode:
                specs[change.role] = spec_of_player(change.occupant)
            if isinstance(change, NewSetting) and at < episode:
                specs = [with_step(spec, change.name, change.value) for spec in specs]
        return pair(specs)

    def state(self, copies: "TableCopies") -> Snapshot:
        """Return the state of a training, without the parts of a snapshot that others make."""
        then = copies.training
        series = (self.training.nash_convs or NashConvSeries()).up_to(then)
        total, per = self.training.parameters.total, self.training.parameters.episodes
        changes = tuple((episode, _words(change)) for episode, change in self.changes if episode)
        stops = range(0, total + 1, per)
        return Snapshot(
            scenario=self._run.scenario,
            parameters=then.parameters,
            seed=self._run.seed,
            opener=then.opener,
            negotiations=then.episode,
            finished=then.finished,
            course=Course(then.episode, total, stops, "cycle", per, changes),
            agents=pair(map(copies.of, Role)),
            statistics=then.statistics,
            learners=then.learners,
            nash_convs=series.values,
            reached=series.reached,
            run=self.run,
            settings=tuple(live_settings(then).items()),
        )


def strategy_table(training: EvaluatedTraining, role: Role) -> TabularPolicy | None:
    """Return the table of the strategy in a seat; None without one."""
    player = training.policy(role) if training.strategy(role) else None
    return player if isinstance(player, TabularPolicy) else None


@lru_cache(maxsize=8)
def equilibria(scenario: Scenario, discount_rate: float) -> Equilibria:
    """Return the equilibria of a game; none with hidden limits, which it has no induction for."""
    if scenario.hidden:
        return (), ()
    return pair(
        tuple(solve(scenario, opener, discount_rate, rule) for rule in TieBreak) for opener in Role
    )


def _theory_at(
    theory: Theory, then: ConcurrentTraining, now: ConcurrentTraining, **players: Any
) -> Theory:
    """Return the theory by γ of a past moment, with that of its `players`."""
    rate = then.parameters.discount_rate
    if rate != now.parameters.discount_rate:
        solved = equilibria(then.scenario, rate)
        theory = replace(theory, equilibria=solved, ceiling_with_waits=None)
    return replace(theory, **players)


def teller_of(training: ConcurrentTraining) -> "Teller":
    """Return the teller of the updates of the next episode."""
    from negotiation_tui.learning.updates import Teller

    return Teller(training)


def coins_of(training: EvaluatedTraining) -> Coins | None:
    """Return the coins per game of the present players; None without a table."""
    tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
    # Copies, because each keeps its probabilities: snapshots hold the tables themselves.
    return tables and expected_play(training.scenario, *map(replace, tables)).coins


def live_settings(training: ConcurrentTraining) -> dict[str, Any]:
    """Return the settings that can change now, with their values; of ε the present one."""
    values = {name: getattr(training.parameters, name) for name in LIVE}
    return {**values, "exploration_start": training.next_epsilon, **training.steps}


def _words(change: Change) -> str:
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
        case NewSetting(name, value):
            return f"{name} {text_of(value)}"


def last_episode(training: ConcurrentTraining, specs: tuple[str, str]) -> Negotiation | None:
    """Return the last negotiation that was learned from; None if none was.

    `specs` are those of its players: a seat may have changed since.
    """
    if training.last_negotiation is None:
        return None
    key, learners = GameKey(training.episode), training.last_learners
    epsilon = training.epsilon
    return Negotiation(key, training.last_negotiation, learners, epsilon, specs=specs)


class TableCopies:
    """Read-only copies of both learners' knowledge, shared between snapshots while equal."""

    def __init__(self, training: ConcurrentTraining) -> None:
        self.training = training
        self._copies: dict[Role, tuple[object, Learned]] = {}

    def of(self, role: Role) -> Learned:
        training = self.training
        key = training.episode, training.seated[role]
        made_by, before = self._copies.get(role, (None, NOTHING_LEARNED))
        if made_by == key:
            return before
        learned = training.learned(role).shared(before)  # perhaps only the other role learned
        self._copies[role] = key, learned
        return learned


def strategy_of(spec: str, resolve: Resolve) -> Strategy | None:
    return None if learns(spec) or spec == PERSON else resolve(spec)


def players_at(then: Snapshot, resolve: Resolve) -> tuple[ReadyPlayer, ReadyPlayer]:
    strategies = [strategy_of(spec, resolve) for spec in then.seating.specs]
    return trained_players(then.game, strategies, then.agents, then.parameters.discount_rate)


def what_if(asked: WhatIf, resolve: Resolve = strategy_from_spec) -> Negotiation:
    """Return the negotiation with another action, in which the players of that time play on.

    Equal arguments give equal results. Raises IllegalActionError for an action against the rules,
    and BadInputError if a strategy cannot be loaded.
    """
    then, negotiation, turns = asked.then, asked.negotiation, asked.turns
    rng = of_question(then.seed, sum(negotiation.key), turns, asked.action)
    players = players_at(then, resolve)
    transcript = negotiation.transcript.first(turns).followed_by(asked.action)
    with off_path():
        while (position := transcript.position) is not None:
            transcript = transcript.followed_by(players[position.role].act(position, rng))
    beliefs_so_far = pair(each and each[: turns + 1] for each in negotiation.beliefs)
    negotiation = replace(negotiation, transcript=transcript, what_if=turns, beliefs=beliefs_so_far)
    return _with_beliefs(negotiation, players.__getitem__)


def believed(
    training: ConcurrentTraining, negotiation: Negotiation, rule: Strategy | None = None
) -> Negotiation:
    """Return the newest negotiation of a training with the beliefs about both limits.

    A learner in an episode explores from its tables as they are after it, opposite frozen tables.
    A `rule` played in both seats, if there is one.
    """
    learning = negotiation.learners

    def player(role: Role) -> object:
        strategy = rule or training.strategy(role)
        if strategy is not None:
            responds = strategy.needs_opponent  # by its own beliefs, without a table
            return None if responds else strategy.remembering(training.scenario, role)
        present = negotiation.test or role in learning
        return training.policy(role) if present else training.kept(role)

    def explores(role: Role) -> bool:
        learner = training.learning.get(role)
        algorithm = learner and learner.algorithm
        return not (isinstance(algorithm, TabularAlgorithm) and algorithm.explores_itself)

    return _with_beliefs(negotiation, player, [*filter(explores, learning)])


def _with_beliefs(
    negotiation: Negotiation, player: Callable[[Role], object], exploring: Collection[Role] = ()
) -> Negotiation:
    """Add the beliefs that follow from each player's table, and from exploring, to those held."""
    transcript, lottery = negotiation.transcript, negotiation.transcript.scenario.lottery

    def about(role: Role) -> tuple[Belief, ...] | None:
        if lottery is None or not lottery.limits[role] or role is negotiation.person:
            return None
        policy, epsilon = player(role), negotiation.epsilon if role in exploring else 0.0
        if not isinstance(policy, TabularPolicy):
            return None
        return beliefs(policy, transcript, role, epsilon, negotiation.beliefs[role] or ())

    return replace(negotiation, beliefs=pair(map(about, Role)))
