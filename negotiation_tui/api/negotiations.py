"""Two agents, for notebooks and scripts: negotiate, train, test and solve.

The same seed gives the same numbers as the command line. A `scenario` is a Scenario, a preset, the
path of a TOML file, or a mapping; a player is a spec such as `boulware:beta=0.1` or an object. All
raise BadInputError for invalid input.
"""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import extensive_form, negotiation
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role, States, pair
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import evaluation, headless, report
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import TEST_NEGOTIATIONS, Evaluation
from negotiation_tui.learning.learner import Learner
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.learning.q_table import by_limit
from negotiation_tui.learning.random_streams import generator, generators
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.players.program import tell_lost, told_discount
from negotiation_tui.players.resolve import (
    as_player,
    players_of,
    policies_of,
    spec_of_player,
    strategy_from_spec,
)
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.runtime.records import fields, replace, sealed
from negotiation_tui.runtime.validate import integer, number, one_of, refusal
from negotiation_tui.solvers import best_response as responses
from negotiation_tui.solvers import payoffs, subgame_perfect
from negotiation_tui.solvers.best_response import BestResponse, NashConv
from negotiation_tui.solvers.subgame_perfect import Equilibrium, TieBreak
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import check_pair, ready_players, require_table
from negotiation_tui.strategies.rational import BestResponder, playing


@sealed(frozen=True, eq=False, slots=True)
class Trained(TrainedTables):
    """Trained tables, with methods to test and judge them.

    `q_tables` has shape (2, n_states, n_actions), seller first: values of actions, or the
    probabilities of a learner that has no values. With hidden limits all tables of a role stand
    end to end there, see `q_table`. `statistics` has entries per cycle. `learners` are the specs of
    the learners, seller first, None for a static strategy; `learned` is all that each has learned
    besides, as arrays by name.
    """

    seats: tuple[Strategy | None, Strategy | None] = (None, None)
    """The strategy objects that play, seller first; None for a learner or a saved strategy."""

    @classmethod
    def after(cls, training: ConcurrentTraining) -> Self:
        """Copy the tables of a training and its NashConv."""
        seats = training.strategy(Role.SELLER), training.strategy(Role.BUYER)
        return replace(cls.of(training), seats=seats)

    @property
    def evaluations(self) -> NDArray[np.float64]:
        """Finished cycles and their NashConv, shape (n, 2), where it can be computed exactly."""
        return np.array(self.nash_convs, np.float64).reshape(-1, 2)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Load saved tables. Raises BadInputError if the file is missing or has other contents."""
        tables = load_tables(path)
        return cls(**{each.name: getattr(tables, each.name) for each in fields(tables)})

    def save(self, path: str | PathLike[str]) -> None:
        """Save tables and statistics as `.npz`. Raises BadInputError if that is not possible."""
        save_tables(path, self)

    @property
    def players(self) -> tuple[ReadyPlayer, ReadyPlayer]:
        """Both players, seller first: the policy of a learner, or a strategy."""
        return players_of(self, *self.seats)

    @property
    def policies(self) -> tuple[TabularPolicy, TabularPolicy]:
        """Both players as tables, seller first. Raises BadInputError if one has no table."""
        return policies_of(self, *self.seats)

    def q_table(self, role: Role | str) -> NDArray[np.float64]:
        """Return a role's part of `q_tables`, shape (limits, n_states, n_actions)."""
        return by_limit(self.scenario, Role.of(role), self.rows(Role.of(role)))

    def probabilities(self, role: Role | str) -> NDArray[np.float64]:
        """Return how often a learner plays each action, shape (limits, n_states, n_actions).

        Rows sum to 1; that of the final state is zeros. Raises BadInputError for a role that a
        static strategy plays.
        """
        role = Role.of(role)
        if self.strategies[role] is not None:
            raise refusal(str(role), self.strategies[role], "a role that learned")
        policy = self.agents[role].policy_in(self.scenario, role)
        return by_limit(self.scenario, role, policy.probabilities)

    def test(
        self,
        negotiations: int = TEST_NEGOTIATIONS,
        seed: int | None = None,
        as_published: bool = False,
        seller: Strategy | str = LEARNED,
        buyer: Strategy | str = LEARNED,
    ) -> Evaluation:
        """Play `negotiations` without learning and return their statistics.

        `seller` and `buyer` replace a player by a strategy. With `as_published` the mistakes of the
        original's test are repeated. `seed` None means the seed of the training.
        """
        rng = generators(self.seed if seed is None else integer("seed", seed, 0)).test
        one, other = self.seats
        for seat in (seller, buyer):
            if isinstance(seat, str) and seat.startswith(PREFIX):
                raise BadInputError(f"{seat}: expected a strategy, got a learner; train it first")
        instead = strategy_from_spec(seller) or one, strategy_from_spec(buyer) or other
        if as_published:
            policies, left_over = policies_of(self, *instead), self.statistics.left_over
            return evaluation.evaluate_as_published(
                self.scenario, *policies, rng, negotiations, left_over
            )
        return _tested(self.scenario, *players_of(self, *instead), rng, negotiations)

    def nash_conv(self, discount_rate: float | None = None) -> NashConv:
        """Compute the gain of each role's best response to the other; their sum is NashConv.

        `discount_rate` None means that of the training. Both players must have a table.
        """
        rate = self.parameters.discount_rate if discount_rate is None else discount_rate
        return responses.nash_conv(
            self.scenario, *self.policies, number("discount_rate", rate, 0, 1)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `train --json` prints it with its NashConv."""
        return report.training_dict(self)

    def __repr__(self) -> str:
        return f"<Trained: {report.training_line(self)}>"


SeatLike = str | Strategy | TabularPolicy | BestResponse | Trained
"""A player: a spec, a strategy, a policy, or a training, which plays its own player of the role."""


def negotiate(
    scenario: ScenarioLike,
    seller: SeatLike | negotiation.Player,
    buyer: SeatLike | negotiation.Player,
    opener: Opener | Role | str | None = None,
    rng: np.random.Generator | int = 0,
    limits: Sequence[int | None] = (None, None),
) -> Transcript:
    """Play one negotiation and return its transcript.

    An object with a method `act(position, rng)` can play too. `opener` None means the scenario's.
    `rng` is a generator or a seed. `limits` are the hidden limits of seller and buyer; None is
    drawn. Raises BadInputError for a player or a limit that the role cannot have.
    """
    game = Scenario.of(scenario)
    one, other = (
        seat
        if hasattr(seat, "act") and not isinstance(seat, SeatLike)
        else player_in(game.origin, role, seat)
        for role, seat in ((Role.SELLER, seller), (Role.BUYER, buyer))
    )
    if (
        isinstance(one, ReadyPlayer)
        and isinstance(other, ReadyPlayer)
        and (one.needs_opponent or other.needs_opponent)
    ):
        one, other = ready_players(game.origin, one, other)
    numbers = generator(rng)
    if not isinstance(limits, Sequence) or len(limits) != len(Role):
        raise refusal("limits", limits, "a pair, that of the seller first")
    indices = list(negotiation.draw_limits(game, numbers).indices)
    for role, limit in zip(Role, limits, strict=True):
        if limit is not None:
            indices[role] = game.find_limit(role, limit)
    return negotiation.negotiate(game.drawn(*indices), one, other, opener, numbers)


def train(
    scenario: ScenarioLike = "original",
    *,
    seed: int = 0,
    recipe: str | None = None,
    states: States | str | None = None,
    seller: Occupant | type[Learner] | str = LEARNED,
    buyer: Occupant | type[Learner] | str = LEARNED,
    learner: Algorithm | type[Learner] | str = LEARNED,
    train_both: bool = True,
    train_agent: Role | str = Role.SELLER,
    eval_every: int | None = None,
    **parameters: Any,
) -> Trained:
    """Train each player that is `learned`, as `negotiation-tui train` does.

    `learner` says how they learn: a name of `LEARNERS` with settings, such as
    `wolf-phc:delta_win=0.02`, a learner, or a class of your own. A seat may have its own:
    `learned:sarsa`. A `recipe` or `states` that are not named are those that suit the learners.
    `parameters` such as `cycles=100` change those of the recipe; `Parameters` lists all.
    `eval_every=n` records NashConv every `n` cycles in `Trained.evaluations`.
    """
    game = Scenario.of(scenario)
    seats = pair(as_player(each, learner) for each in (seller, buyer))
    specs = pair(map(spec_of_player, seats))
    who = {"train_both": train_both, "train_agent": train_agent}
    asked = {"states": states, "recipe": recipe, **who, **parameters}
    run = Run.of_options(game, integer("seed", seed, 0), specs, **asked)
    players = pair(told_discount(each, run.parameters.discount_rate) for each in seats)
    training = training_of(run, players)
    if eval_every is not None:
        every = integer("eval_every", eval_every, 1)
        training.nash_convs = NashConvSeries(lambda cycle: (cycle // every + 1) * every)
    headless.train(training)
    tell_lost(map(training.strategy, Role))
    return Trained.after(training)


def load(path: str | PathLike[str]) -> Trained:
    """Load tables that `Trained.save`, `train --save` or the key `w` saved."""
    return Trained.load(path)


def test(
    scenario: ScenarioLike,
    seller: SeatLike,
    buyer: SeatLike,
    negotiations: int = TEST_NEGOTIATIONS,
    seed: int = 0,
) -> Evaluation:
    """Play `negotiations` without learning and return their statistics.

    Raises BadInputError for a program that never answered, as `train` and `Trained.test` do.
    """
    game = Scenario.of(scenario)
    rng = generators(integer("seed", seed, 0)).test
    return _tested(game, *_players(game, seller, buyer), rng, negotiations)


def _tested(
    scenario: Scenario,
    seller: ReadyPlayer,
    buyer: ReadyPlayer,
    rng: np.random.Generator,
    negotiations: int,
) -> Evaluation:
    result = evaluation.evaluate(scenario, seller, buyer, rng, negotiations)
    tell_lost((seller, buyer))
    return result


test.__test__ = False  # type: ignore[attr-defined]


def solve(
    scenario: ScenarioLike = "original",
    opener: Role | str | None = None,
    discount_rate: float | None = None,
    tie_break: TieBreak | str = TieBreak.ACCEPT,
) -> Equilibrium:
    """Compute the subgame-perfect equilibrium of the negotiations that `opener` opens.

    `opener` None means the scenario's. `discount_rate` applies between a role's own decisions; None
    means 0.99, or 1 with time costs.
    `tie_break` says if an indifferent player accepts or rejects. With hidden limits see `ceiling`.
    """
    game = Scenario.of(scenario)
    first = game.opener.role() if opener is None else Role.of(opener)
    rate = number("discount_rate", game.discount(discount_rate), 0, 1)
    tie = TieBreak(one_of("tie_break", tie_break, tuple(TieBreak)))
    return subgame_perfect.solve(game, first, rate, tie)


def efg(scenario: ScenarioLike = "original", opener: Role | str | None = None) -> str:
    """Return the game that `opener` opens as a tree in the format of Gambit and OpenSpiel.

    `opener` None means the scenario's. Payoffs are rewards, with time costs and without learners'
    discount. Raises BadInputError above ten million nodes.
    """
    game = Scenario.of(scenario)
    first = game.opener.role() if opener is None else Role.of(opener)
    extensive_form.check_tree(game, first)
    return "".join(extensive_form.tree_lines(game, first))


def first_best(scenario: ScenarioLike) -> float:
    """Return the expected sum of both rewards if every pair of limits trades that can.

    Nothing is discounted. Without hidden limits it is 1, or 0 if no price is worth it to both.
    """
    return payoffs.first_best(Scenario.of(scenario))


def ceiling(scenario: ScenarioLike, discount_rate: float = 1.0) -> float:
    """Return the most of `first_best` that a rule of trade reaches on three conditions.

    No limit gains by pretending (incentive compatibility), none loses (individual rationality), and
    no money comes from outside. A linear program over all such rules (Myerson and Satterthwaite
    1983). The surplus is undiscounted. With a `discount_rate` γ below 1 a deal in round n counts
    γⁿ⁻¹ times to both, so rules may also make a limit wait, and reach more. If `delta` differs by
    role, waiting moves value from one to the other: then rules choose offer and price of each deal,
    of prices that both accept, and nobody pays without a deal. Needs scipy, the extra `theory`.
    """
    number("discount_rate", discount_rate, 0, 1)
    return payoffs.ceiling(Scenario.of(scenario), discount_rate)


def nash_conv(
    scenario: ScenarioLike, seller: SeatLike, buyer: SeatLike, discount_rate: float | None = None
) -> NashConv:
    """Compute the gain of each role's best response to the other; their sum is NashConv.

    With hidden limits these are means over the limits. Both players must have a table.
    """
    game = Scenario.of(scenario)
    rate = number("discount_rate", game.discount(discount_rate), 0, 1)
    one, other = map(require_table, Role, _players(game, seller, buyer, rate))
    return responses.nash_conv(game, one, other, rate)


def best_response_to(
    opponent: SeatLike,
    role: Role | str,
    scenario: ScenarioLike = "original",
    discount_rate: float | None = None,
) -> BestResponse:
    """Compute a role's exact best response to an opponent, which must have a table."""
    game, role = Scenario.of(scenario), Role.of(role)
    rate = number("discount_rate", game.discount(discount_rate), 0, 1)
    player = player_in(game, role.other, opponent).in_seat(game, role.other)
    check_pair(game, BestResponder(), player)
    table = require_table(role.other, player.tabulated(game, role.other) or player)
    return responses.best_response(game, role, table, rate)


def player_in(scenario: Scenario, role: Role, seat: SeatLike) -> ReadyPlayer:
    """Return the player of a role; BadInputError for `learned` or another scenario's policy."""
    if not isinstance(seat, SeatLike):
        raise refusal(str(role), seat, "a spec, a strategy, a policy or a training")
    if isinstance(seat, str | Strategy):
        strategy = strategy_from_spec(seat)
        if strategy is None:
            raise BadInputError(f"{role}: nothing was learned yet; pass what `train` returned")
        return strategy
    if isinstance(seat, BestResponse):
        seat = playing(seat)
    player = seat.players[role] if isinstance(seat, Trained) else seat
    if isinstance(player, TabularPolicy) and _rules(player.scenario) != _rules(scenario):
        expected = f"a policy for the prices, rounds and ranges of scenario {scenario.name}"
        raise BadInputError(f"{role}: expected {expected}, got {seat!r}")
    return player


def _players(
    scenario: Scenario, seller: SeatLike, buyer: SeatLike, discount_rate: float | None = None
) -> tuple[ReadyPlayer, ReadyPlayer]:
    one, other = player_in(scenario, Role.SELLER, seller), player_in(scenario, Role.BUYER, buyer)
    return ready_players(scenario, one, other, discount_rate)


def _rules(scenario: Scenario) -> tuple[object, ...]:
    limits = (each and each.values for each in scenario.limits)
    return scenario.prices, scenario.rounds, scenario.seller, scenario.buyer, *limits
