"""NegMAS: our scenarios as mechanisms, and our players as negotiators in a `SAOMechanism`."""

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
    """Return an empty `negmas.sao.SAOMechanism` with a scenario's rules; add the opener first.

    Its one issue, `price`, has the prices of the grid; its steps are the rounds. Raises
    BadInputError if NegMAS is not installed.
    """
    return protocol().mechanism(Scenario.of(scenario))


def utility(scenario: ScenarioLike, role: Role | str, limit: int | None = None) -> Any:
    """Return a role's reward as a utility function for NegMAS's own negotiators.

    `limit` is the role's own if it has hidden limits. Raises BadInputError for another one, and
    if NegMAS is not installed.
    """
    game, role = Scenario.of(scenario), Role.of(role)
    return protocol().utility(game.views[role][game.find_limit(role, limit)], role)


def negotiator(
    player: SeatLike,
    role: Role | str,
    scenario: ScenarioLike,
    rng: np.random.Generator | int = 0,
    limit: int | None = None,
    **named: Any,
) -> Any:
    """Return a `negmas.sao.SAONegotiator` that plays a role of a scenario as one of our players.

    `player` is anything that `negotiation_tui.test` takes: a spec as for `--seller`, a strategy, a
    policy or a training. The negotiator that is added to the mechanism first opens, whatever the
    scenario says. `rng` is a generator or a seed. `limit` is the role's own if it has hidden ones.
    `named` goes to NegMAS, such as `name` and `id`.
    Raises BadInputError if NegMAS is not installed, if the player must know its opponent, and when
    the negotiator is added to a mechanism with other prices or steps.
    """
    role, game = Role.of(role), Scenario.of(scenario)
    view = game.views[role][game.find_limit(role, limit)]
    protocol()  # raises BadInputError if NegMAS is missing
    from negotiation_tui.integrations.negmas_adapter import OurNegotiator

    act = partial(_action, _ready_alone(player, role, game), generator(rng))
    return OurNegotiator(act, role, view, **{"name": str(role), **named})


def _action(player: ReadyPlayer, rng: np.random.Generator, position: Position) -> int:
    return int(player.act(position, rng))


def _ready_alone(player: SeatLike, role: Role, scenario: Scenario) -> ReadyPlayer:
    """Return a player for an unknown opponent, as a table if possible.

    Raises BadInputError for `learned` and for a best response.
    """
    ready = player_in(scenario, role, player)
    if isinstance(ready, Strategy) and ready.needs_opponent:
        raise BadInputError(
            f"{spec_of(ready)} needs to know its opponent, which NegMAS does not tell;"
            " use another strategy, or what its `ready` returns"
        )
    return ready.tabulated(scenario, role) or ready
