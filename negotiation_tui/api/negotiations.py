"""Two agents, for notebooks and scripts: they meet, they train, and how good they are exactly.

Everything asks the modules that do the work, as the command line does: the same seed gives the
same numbers. A scenario is one or what describes it; a seat is the words of the command line,
such as `boulware:beta=0.1`, or whoever is to sit there.
"""

from os import PathLike
from typing import Any

import numpy as np

from negotiation_tui.api.trained import Trained
from negotiation_tui.errors import BadInputError
from negotiation_tui.game import negotiation
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import evaluation, headless
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvMonitor
from negotiation_tui.learning.random_streams import generator, generators
from negotiation_tui.learning.recipes import recipe as recipe_of
from negotiation_tui.players.resolve import seated
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.validate import integer, number, one_of
from negotiation_tui.solvers import best_response as responses
from negotiation_tui.solvers import subgame_perfect
from negotiation_tui.solvers.best_response import BestResponse, NashConv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, Equilibrium, TieBreak
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.best_responder import BestResponder
from negotiation_tui.strategies.matchup import check_pair, ready_players, require_table

SeatLike = str | Strategy | TabularPolicy | BestResponse | Trained
"""Whoever plays: words, a strategy, a policy, or a training whose seat is taken."""


def negotiate(
    scenario: ScenarioLike,
    seller: SeatLike | negotiation.Player,
    buyer: SeatLike | negotiation.Player,
    opener: Opener | Role | str | None = None,
    rng: np.random.Generator | int = 0,
) -> Transcript:
    """One negotiation; the opener is the scenario's where none is given.

    Anything with a method `act(position, rng)` can play. `rng` is where draws come from, or a seed.
    """
    game = Scenario.of(scenario)
    one, other = (
        seat
        if hasattr(seat, "act") and not isinstance(seat, SeatLike)
        else player_in(game, role, seat)
        for role, seat in ((Role.SELLER, seller), (Role.BUYER, buyer))
    )
    if (
        isinstance(one, ReadyPlayer)
        and isinstance(other, ReadyPlayer)
        and (one.needs_opponent or other.needs_opponent)
    ):
        one, other = ready_players(game, one, other)
    return negotiation.negotiate(game, one, other, opener, generator(rng))


def train(
    scenario: ScenarioLike = "original",
    *,
    seed: int = 0,
    recipe: str = "published",
    seller: Strategy | str = LEARNED,
    buyer: Strategy | str = LEARNED,
    train_both: bool = True,
    train_agent: Role | str = Role.SELLER,
    eval_every: int | None = None,
    **parameters: Any,
) -> Trained:
    """Train whoever is `learned`, as `negotiation-tui train` does.

    `parameters` are those of the recipe to change: `cycles=100`, `learning_rate=0.2` and whatever
    else `Parameters` holds. NashConv is taken after `eval_every` so many cycles, into `looks`.
    """
    game = Scenario.of(scenario)
    given = {**recipe_of(recipe)(game).to_dict(), **parameters}
    one, other = (seated(seller), seated(buyer))
    training = ConcurrentTraining(
        game,
        Parameters.from_dict(given),
        integer("seed", seed, 0),
        train_both,
        train_agent,
        one,
        other,
    )
    if eval_every is None:
        headless.train(training)
        return Trained.after(training)
    every = integer("eval_every", eval_every, 1)
    judge = NashConvMonitor(game, training.parameters.discount_rate)
    headless.train(training, None, lambda: judge.evaluate(training, busy=False), every)
    return Trained.after(training, np.array(judge.series, np.float64).reshape(-1, 2))


def load(path: str | PathLike[str]) -> Trained:
    """Tables that `Trained.save`, `train --save` or the key `w` wrote."""
    return Trained.load(path)


def test(
    scenario: ScenarioLike,
    seller: SeatLike,
    buyer: SeatLike,
    negotiations: int = evaluation.NEGOTIATIONS,
    seed: int = 0,
) -> Evaluation:
    """Let two meet by the rules; nobody learns."""
    game = Scenario.of(scenario)
    rng = generators(integer("seed", seed, 0)).test
    return evaluation.evaluate(game, *_players(game, seller, buyer), rng, negotiations)


test.__test__ = False  # type: ignore[attr-defined]


def solve(
    scenario: ScenarioLike = "original",
    opener: Role | str | None = None,
    discount_rate: float = DISCOUNT,
    tie_break: TieBreak | str = TieBreak.ACCEPT,
) -> Equilibrium:
    """The subgame-perfect equilibrium when one role opens, the scenario's own if none is given."""
    game = Scenario.of(scenario)
    first = game.opener.role() if opener is None else Role.of(opener)
    number("discount_rate", discount_rate, 0, 1)
    tie = TieBreak(one_of("tie_break", tie_break, tuple(TieBreak)))
    return subgame_perfect.solve(game, first, discount_rate, tie)


def nash_conv(
    scenario: ScenarioLike, seller: SeatLike, buyer: SeatLike, discount_rate: float = DISCOUNT
) -> NashConv:
    """What each would gain by its best response to the other; see `Trained.nash_conv` too."""
    game = Scenario.of(scenario)
    number("discount_rate", discount_rate, 0, 1)
    one, other = map(require_table, Role, _players(game, seller, buyer, discount_rate))
    return responses.nash_conv(game, one, other, discount_rate)


def best_response_to(
    opponent: SeatLike,
    role: Role | str,
    scenario: ScenarioLike = "original",
    discount_rate: float = DISCOUNT,
) -> BestResponse:
    """The best that a role can do against an opponent in the other seat, exactly."""
    game, own = Scenario.of(scenario), Role.of(role)
    number("discount_rate", discount_rate, 0, 1)
    held = player_in(game, own.other, opponent).in_seat(game, own.other)
    check_pair(game, BestResponder(), held)
    table = require_table(own.other, held.tabulated(game, own.other) or held)
    return responses.best_response(game, own, table, discount_rate)


def player_in(scenario: Scenario, role: Role, seat: SeatLike) -> ReadyPlayer:
    """Who sits in a seat where nothing is learned; BadInputError for what cannot."""
    if not isinstance(seat, SeatLike):
        raise BadInputError(f"{role}: {seat!r} cannot sit here, use words, a strategy or a policy")
    if isinstance(seat, str | Strategy):
        held = seated(seat)
        if held is None:
            raise BadInputError(f"{role}: nothing was learned yet, use what `train` gives")
        return held
    if isinstance(seat, BestResponse):
        seat = seat.policy
    player = seat.players[role] if isinstance(seat, Trained) else seat
    if isinstance(player, TabularPolicy) and _rules(player.scenario) != _rules(scenario):
        raise BadInputError(
            f"{role}: {seat!r} was made for other prices, rounds or ranges than those of scenario"
            f" {scenario.name}, use one for that"
        )
    return player


def _players(
    scenario: Scenario, seller: SeatLike, buyer: SeatLike, discount_rate: float = DISCOUNT
) -> tuple[ReadyPlayer, ReadyPlayer]:
    one, other = player_in(scenario, Role.SELLER, seller), player_in(scenario, Role.BUYER, buyer)
    return ready_players(scenario, one, other, discount_rate)


def _rules(scenario: Scenario) -> tuple[object, ...]:
    """What decides about the legal actions."""
    return scenario.prices, scenario.rounds, scenario.seller, scenario.buyer
