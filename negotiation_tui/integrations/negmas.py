"""One of ours as a NegMAS negotiator: strategies, saved tables and policies in a `SAOMechanism`."""

from functools import partial
from typing import Any

import numpy as np

from negotiation_tui.api.negotiations import SeatLike, player_in
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.random_streams import generator
from negotiation_tui.players.negmas_player import protocol
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.registry import spec_of


def mechanism(scenario: ScenarioLike) -> Any:
    """An empty `negmas.sao.SAOMechanism` of a scenario's negotiation; add the opener first.

    Its one issue, `price`, has the prices of the grid, and its steps are the rounds. Raises
    BadInputError where NegMAS is not installed.
    """
    return protocol().mechanism(Scenario.of(scenario))


def utility(scenario: ScenarioLike, role: Role | str) -> Any:
    """A role's reward as a utility function of NegMAS, for a negotiator of its own.

    Raises BadInputError where NegMAS is not installed.
    """
    return protocol().utility(Scenario.of(scenario), Role.of(role))


def negotiator(
    player: SeatLike,
    role: Role | str,
    scenario: ScenarioLike,
    rng: np.random.Generator | int = 0,
    **named: Any,
) -> Any:
    """A `negmas.sao.SAONegotiator` that plays as one of ours in a role of a scenario.

    The player is whoever can sit in `negotiation_tui.test`: words as for `--seller`, a file among
    them, a strategy, a policy, a training. Whoever is added to the mechanism first opens, whatever
    the scenario says. `rng` is where draws come from, or a seed. `named` goes to NegMAS, such as
    `name` and `id`. Raises BadInputError where NegMAS is not installed, for a player that cannot
    play alone, and when it is added to a mechanism whose prices or steps are not those of the
    scenario.
    """
    role, game = Role.of(role), Scenario.of(scenario)
    protocol()  # says in a line where NegMAS is missing
    from negotiation_tui.integrations.negmas_adapter import OurNegotiator

    held = _ready_alone(player, role, game)
    act = partial(_action, held, generator(rng))
    return OurNegotiator(act, role, game, **{"name": str(role), **named})


def _action(player: ReadyPlayer, rng: np.random.Generator, position: Position) -> int:
    return int(player.act(position, rng))


def _ready_alone(player: SeatLike, role: Role, scenario: Scenario) -> ReadyPlayer:
    """A player ready to meet it knows not whom: as a table where there is one.

    Raises BadInputError for the learner and for a best response.
    """
    held = player_in(scenario, role, player)
    if isinstance(held, Strategy) and held.needs_opponent:
        raise BadInputError(
            f"{spec_of(held)} needs to know who sits opposite, and NegMAS does not say: use"
            " another strategy, or what ready gives"
        )
    return held.tabulated(scenario, role) or held
