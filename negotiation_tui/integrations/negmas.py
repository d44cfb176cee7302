"""NegMAS: our scenarios as mechanisms, and our players as negotiators in a `SAOMechanism`."""

from functools import partial
from typing import Any

import numpy as np

from negotiation_tui.api.negotiations import SeatLike, player_in
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.random_streams import generator
from negotiation_tui.players.negmas_player import protocol
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import spec_of


def mechanism(scenario: ScenarioLike) -> Any:
    """Return an empty `SAOMechanism`: its issue is the price, its steps are the rounds.

    Add the opener first.
    """
    return protocol().mechanism(Scenario.of(scenario))


def utility(scenario: ScenarioLike, role: Role | str, limit: int | None = None) -> Any:
    """Return a role's reward, with its own `limit` if hidden, as a utility function of NegMAS."""
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

    `player` is anything that `negotiation_tui.test` takes. The negotiator that is added to the
    mechanism first opens, whatever the scenario says. `rng` is a generator or a seed, `limit` the
    role's own if it has hidden ones. `named` goes to NegMAS, such as `name` and `id`. Raises
    BadInputError if the player must know its opponent, when the negotiator is added to a mechanism
    with other prices or steps, and when it must answer among more than two negotiators.
    """
    role, game = Role.of(role), Scenario.of(scenario)
    view = game.views[role][game.find_limit(role, limit)]
    kind = protocol().OurNegotiator
    ready = player_in(game, role, player)
    if isinstance(ready, Strategy) and ready.needs_opponent:
        use = "use another strategy, or what its `ready` returns"
        why = "needs to know its opponent, which NegMAS does not tell"
        raise BadInputError(f"{spec_of(ready)} {why}; {use}")
    act = partial((ready.tabulated(game, role) or ready).act, rng=generator(rng))
    return kind(act, role, view, **{"name": str(role), **named})
