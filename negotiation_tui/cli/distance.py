"""The distance of two players from equilibrium, for the report of `solve`."""

from typing import NamedTuple, cast

from negotiation_tui.examination.elicit import AskedProgram
from negotiation_tui.game.learned import WithPolicy
from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.players.resolve import policies_of
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import ready_players, require_table
from negotiation_tui.strategies.registry import spec_of


class Distance(NamedTuple):
    """The distance of two players from equilibrium, with examples of best responses.

    `examples` are by role and opener; none if the gains are bounds: their moves take long.
    """

    nash_conv: NashConv
    players: tuple[str, ...]  # a description of each, seller first
    examples: tuple[tuple[Transcript, ...], ...]


def distance_of(
    scenario: Scenario,
    rate: float,
    tables: TrainedTables | None,
    instead: tuple[Strategy | None, Strategy | None],
) -> Distance:
    """Judge saved tables, some of them replaced by strategies, or two strategies."""
    if tables is not None:
        seller, buyer = policies_of(tables, *instead)
    else:
        strategies = cast("tuple[Strategy, Strategy]", instead)
        seller, buyer = map(require_table, Role, ready_players(scenario, *strategies, rate))
    result = nash_conv(scenario, seller, buyer, rate)
    of_seller, of_buyer = result.responses
    pairs = ((of_seller, buyer), (seller, of_buyer)) if result.exact else ()
    # In the examples both roles are keener on a deal than with most of their limits.
    sellers, buyers = map(scenario.n_tables, Role)
    game = scenario.drawn(sellers // 4, buyers - 1 - buyers // 4)
    examples = tuple(
        tuple(negotiate(game, one, other, opener) for opener in Role) for one, other in pairs
    )
    players = tuple(_player(tables, role, instead[role]) for role in Role)
    return Distance(result, players, examples)


def _player(tables: TrainedTables | None, role: Role, instead: Strategy | None) -> str:
    spec = spec_of(instead) if instead is not None else tables and tables.strategies[role]
    if spec is not None:
        asked = isinstance(instead, AskedProgram)
        return f"{spec}, {'asked for its whole table' if asked else 'a static strategy'}"
    assert tables is not None
    if isinstance(tables.agents[role], WithPolicy):
        return "its policy"
    return "its table" if tables.rows(role).any() else "at random: its table was never trained"
