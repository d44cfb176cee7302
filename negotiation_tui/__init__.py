"""Watch two agents learn to haggle: the rules, the learners and the strategies.

import negotiation_tui as nt
nt.negotiate("legacy", "midpoint", "midpoint").outcome.price     # 65
trained = nt.train("original", seed=7)
trained.test().totals.mean_price

docs/python.md has more. What does the work, `nt.train` and so on, is loaded when first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

from negotiation_tui._version import __version__
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Outcome, Position, Transcript, Turn
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Policy
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import STRATEGIES, strategy

if TYPE_CHECKING:
    from negotiation_tui import figures
    from negotiation_tui.api import (
        Market,
        Tournament,
        Trained,
        best_response_to,
        load,
        load_market,
        nash_conv,
        negotiate,
        run_market,
        run_roster,
        run_tournament,
        solve,
        test,
        train,
    )


__all__ = [
    "STRATEGIES",
    "BadInputError",
    "Market",
    "Opener",
    "Outcome",
    "Policy",
    "Position",
    "PriceRange",
    "Role",
    "Scenario",
    "States",
    "Strategy",
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

if not TYPE_CHECKING:  # which would take it for any name at all

    def __getattr__(name: str) -> Any:
        """What is offered but not loaded yet (PEP 562)."""
        if name == "figures":
            return importlib.import_module(f"{__name__}.figures")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(f"{__name__}.api"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
