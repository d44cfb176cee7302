"""Watch two agents learn to haggle: the rules, the learners and the strategies.

import negotiation_tui as nt
game = nt.Scenario.legacy()
midpoint = nt.STRATEGIES["midpoint"]
nt.negotiate(game, midpoint, midpoint).outcome.price     # 65
"""

from negotiation_tui.errors import BadInputError
from negotiation_tui.negotiation import Outcome, Transcript, Turn, negotiate
from negotiation_tui.roles import Opener, PriceRange, Role
from negotiation_tui.scenario import Scenario
from negotiation_tui.strategies import STRATEGIES

__version__ = "0.1.0"

__all__ = [
    "STRATEGIES",
    "BadInputError",
    "Opener",
    "Outcome",
    "PriceRange",
    "Role",
    "Scenario",
    "Transcript",
    "Turn",
    "__version__",
    "negotiate",
]
