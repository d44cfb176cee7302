"""Prepare two players to negotiate with each other: check the pair and tabulate each player."""

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, TabularPolicy, fits
from negotiation_tui.solvers.subgame_perfect import DISCOUNT
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.registry import spec_of


def check_pair(scenario: Scenario, one: ReadyPlayer | None, other: ReadyPlayer | None) -> None:
    """Raise BadInputError if a best response would face a strategy without a table.

    A learner (None) and a tabular policy have one.
    """
    pair = [None if isinstance(player, TabularPolicy) else player for player in (one, other)]
    for player, opponent in (pair, reversed(pair)):
        if player is None or opponent is None or not player.needs_opponent:
            continue
        name = spec_of(player)
        if opponent.needs_opponent:
            raise BadInputError(
                f"{name}: expected an opponent with a table, got {spec_of(opponent)}, which"
                " responds too; choose learned or another strategy for one role"
            )
        if "history" in opponent.depends_on:
            raise BadInputError(
                f"{name}: expected an opponent with a table, got {spec_of(opponent)}, which depends"
                " on the whole history; choose learned or a strategy such as boulware"
            )
        if not fits(scenario):
            raise BadInputError(
                f"{name}: expected an opponent's table of at most {MAX_ENTRIES:,} entries, got a"
                f" larger one in scenario {scenario.name}; use fewer prices or rounds"
            )


def ready_players(
    scenario: Scenario, seller: ReadyPlayer, buyer: ReadyPlayer, discount_rate: float = DISCOUNT
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """Return both players ready to negotiate, seller first: as tables if they have one.

    A best response discounts by `discount_rate`. Raises BadInputError as `check_pair` does.
    """
    one, other = seller.in_seat(scenario, Role.SELLER), buyer.in_seat(scenario, Role.BUYER)
    check_pair(scenario, one, other)
    return (
        one.ready(scenario, Role.SELLER, other, discount_rate),
        other.ready(scenario, Role.BUYER, one, discount_rate),
    )


def tables_of(
    scenario: Scenario, seller: ReadyPlayer, buyer: ReadyPlayer
) -> tuple[TabularPolicy, TabularPolicy] | None:
    """Return the tables of both players, seller first; None if either has none."""
    one = seller.tabulated(scenario, Role.SELLER)
    other = one and buyer.tabulated(scenario, Role.BUYER)
    return (one, other) if one and other else None


def require_table(role: Role, player: ReadyPlayer) -> TabularPolicy:
    """Return a ready player that is a table. Raise BadInputError if it is not."""
    if isinstance(player, TabularPolicy):
        return player
    raise BadInputError(
        f"{role}: expected a player with a table, got {spec_of(player)}, which depends on the whole"
        " history; choose another one"
    )
