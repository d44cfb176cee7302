"""Who sits in a seat: from the words that name it to a player."""

from negotiation_tui.policy import Policy, tabulable, tabulate
from negotiation_tui.roles import Role
from negotiation_tui.scenario import Scenario
from negotiation_tui.strategies import Strategy, strategy

LEARNED = "learned"


def occupant(words: str) -> Strategy | None:
    """The strategy that these words describe, None for the learner (`learned`).

    Raises BadInputError, naming what is wrong.
    """
    return None if words == LEARNED else strategy(words)


def players(
    scenario: Scenario, seller: Strategy, buyer: Strategy
) -> tuple[Policy | Strategy, Policy | Strategy]:
    """Two strategies ready to meet, seller first: as a table where there is one."""
    one, other = (
        tabulate(scenario, role, held) if tabulable(scenario, held) else held
        for role, held in ((Role.SELLER, seller), (Role.BUYER, buyer))
    )
    return one, other
