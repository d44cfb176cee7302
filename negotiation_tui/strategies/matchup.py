"""Two strategies opposite each other: whether they can meet, and the policies they then play."""

from functools import lru_cache

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, Policy, fits, tabulable, tabulate
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.best_responder import BestResponder
from negotiation_tui.strategies.registry import built_in, words_of

Seated = Strategy | None
"""A strategy, or a learner (None)."""


def check_pair(scenario: Scenario, one: Seated, other: Seated) -> None:
    """Raise BadInputError where a strategy would have to respond to what has no policy."""
    for held, opposite in ((one, other), (other, one)):
        if not isinstance(held, BestResponder) or opposite is None:
            continue
        name = words_of(held)
        if isinstance(opposite, BestResponder):
            raise BadInputError(
                f"{name} needs somebody to respond to, and {words_of(opposite)} opposite responds"
                " too: use learned or another strategy in one seat"
            )
        if "history" in opposite.heeds:
            raise BadInputError(
                f"{name} needs a table to respond to, and {words_of(opposite)} opposite heeds the"
                " whole negotiation: use learned or a strategy such as boulware there"
            )
        if not fits(scenario):
            raise BadInputError(
                f"{name} needs a table to respond to, and scenario {scenario.name} needs more than"
                f" {MAX_ENTRIES:,} entries: use fewer prices or rounds"
            )


def table_of(scenario: Scenario, role: Role, held: Strategy) -> Policy | None:
    """What a strategy plays by itself as a table; None where there is none."""
    held = held.in_seat(scenario, role)
    if isinstance(held, BestResponder) or not tabulable(scenario, held):
        return None
    return (_table if built_in(held) else tabulate)(scenario, role, held)


@lru_cache(maxsize=2)  # one for each seat: a table may be large
def _table(scenario: Scenario, role: Role, held: Strategy) -> Policy:
    """The same again where the same sits down again; of ours, which are equal in all they do."""
    return tabulate(scenario, role, held)


def ready(
    scenario: Scenario,
    role: Role,
    held: Strategy,
    opponent: Policy | Strategy,
    discount_rate: float,
) -> Policy | Strategy:
    """A strategy ready to meet an opponent: as a table where there is one.

    Raises BadInputError as `check_pair` does.
    """
    held = held.in_seat(scenario, role)
    if not isinstance(held, BestResponder):
        return table_of(scenario, role, held) or held
    if isinstance(opponent, Strategy):
        opponent = opponent.in_seat(scenario, role.other)
        check_pair(scenario, held, opponent)
        opponent = tabulate(scenario, role.other, opponent)
    return held.responding_to(scenario, role, opponent, discount_rate)
