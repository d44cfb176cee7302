"""Prepare two players to negotiate with each other: check the pair and tabulate each player."""

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, TabularPolicy, fits
from negotiation_tui.strategies.base import ReadyPlayer
from negotiation_tui.strategies.registry import spec_of


def check_pair(scenario: Scenario, one: ReadyPlayer | None, other: ReadyPlayer | None) -> None:
    """Raise BadInputError if a best response would face a strategy without a table."""
    pair = [None if isinstance(player, TabularPolicy) else player for player in (one, other)]
    for player, opponent in (pair, reversed(pair)):
        if player is None or opponent is None or not player.needs_opponent:
            continue
        expected, got = "an opponent with a table", f"{spec_of(opponent)}, which"
        if opponent.needs_opponent:
            hint = "responds too; choose learned or another strategy for one role"
        elif "history" in opponent.depends_on:
            hint = "depends on the whole history; choose learned or a strategy such as boulware"
        elif not fits(scenario):
            expected = f"an opponent's table of at most {MAX_ENTRIES:,} entries"
            got = f"a larger one in scenario {scenario.name};"
            hint = "use fewer prices or rounds"
        else:
            continue
        raise BadInputError(f"{spec_of(player)}: expected {expected}, got {got} {hint}")


def ready_players(
    scenario: Scenario, seller: ReadyPlayer, buyer: ReadyPlayer, discount_rate: float | None = None
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """Return both players as tables if they have one; raises BadInputError as `check_pair` does."""
    one, other = seller.in_seat(scenario, Role.SELLER), buyer.in_seat(scenario, Role.BUYER)
    check_pair(scenario, one, other)
    rate = scenario.discount(discount_rate)
    return (
        one.ready(scenario, Role.SELLER, other, rate),
        other.ready(scenario, Role.BUYER, one, rate),
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
