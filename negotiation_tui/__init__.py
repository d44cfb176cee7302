"""Watch two agents learn to haggle: scenarios, learners, strategies and solvers.

import negotiation_tui as nt
nt.negotiate("legacy", "midpoint", "midpoint").outcome.price     # 65
trained = nt.train("original", seed=7)
trained.test().totals.mean_price

See docs/python.md. Each name is loaded on first use, so that the import is quick.
"""

from typing import TYPE_CHECKING

from negotiation_tui._version import __version__
from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.lazy import on_first_use

if TYPE_CHECKING:
    from negotiation_tui.api import figures
    from negotiation_tui.api.markets import Market, load_market, run_market, run_roster
    from negotiation_tui.api.negotiations import (
        best_response_to,
        load,
        nash_conv,
        negotiate,
        solve,
        test,
        train,
    )
    from negotiation_tui.api.tournaments import Tournament, run_tournament
    from negotiation_tui.api.trained import Trained
    from negotiation_tui.game.negotiation import Outcome, Position, Transcript, Turn
    from negotiation_tui.game.roles import Opener, PriceRange, Role, States
    from negotiation_tui.game.scenario import Scenario
    from negotiation_tui.game.tabular_policy import TabularPolicy
    from negotiation_tui.strategies.base import Strategy
    from negotiation_tui.strategies.registry import STRATEGIES, strategy

__all__ = [
    "STRATEGIES",
    "BadInputError",
    "Market",
    "Opener",
    "Outcome",
    "Position",
    "PriceRange",
    "Role",
    "Scenario",
    "States",
    "Strategy",
    "TabularPolicy",
    "Tournament",
    "Trained",
    "Transcript",
    "Turn",
    "__version__",
    "best_response_to",
    "figures",
    "load",
    "load_market",
    "nash_conv",
    "negotiate",
    "run_market",
    "run_roster",
    "run_tournament",
    "solve",
    "strategy",
    "test",
    "train",
]

_MODULES = {
    "Market": "api.markets",
    "Opener": "game.roles",
    "Outcome": "game.negotiation",
    "Position": "game.negotiation",
    "PriceRange": "game.roles",
    "Role": "game.roles",
    "STRATEGIES": "strategies.registry",
    "Scenario": "game.scenario",
    "States": "game.roles",
    "Strategy": "strategies.base",
    "TabularPolicy": "game.tabular_policy",
    "Tournament": "api.tournaments",
    "Trained": "api.trained",
    "Transcript": "game.negotiation",
    "Turn": "game.negotiation",
    "best_response_to": "api.negotiations",
    "figures": "api.figures",
    "load": "api.negotiations",
    "load_market": "api.markets",
    "nash_conv": "api.negotiations",
    "negotiate": "api.negotiations",
    "run_market": "api.markets",
    "run_roster": "api.markets",
    "run_tournament": "api.tournaments",
    "solve": "api.negotiations",
    "strategy": "strategies.registry",
    "test": "api.negotiations",
    "train": "api.negotiations",
}
"""The module that defines each name."""

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = on_first_use(__name__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
