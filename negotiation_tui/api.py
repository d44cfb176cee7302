"""The names that `import negotiation_tui as nt` offers beyond the rules (docs/python.md).

None of them is that of a module of the package, or it would depend on what was imported before
which of both `nt.market` is.
"""

from negotiation_tui.many_agents import load_market, run_market, run_roster, run_tournament
from negotiation_tui.market.outcome import Market
from negotiation_tui.tournament_result import Tournament
from negotiation_tui.trained import Trained
from negotiation_tui.two_agents import (
    best_response_to,
    load,
    nash_conv,
    negotiate,
    solve,
    test,
    train,
)

__all__ = [
    "Market",
    "Tournament",
    "Trained",
    "best_response_to",
    "load",
    "load_market",
    "nash_conv",
    "negotiate",
    "run_market",
    "run_roster",
    "run_tournament",
    "solve",
    "test",
    "train",
]
