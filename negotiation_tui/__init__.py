"""Watch two agents learn to haggle: scenarios, learners, strategies and solvers.

    import negotiation_tui as nt
    nt.negotiate("legacy", "midpoint", "midpoint").outcome.price     # 65
    trained = nt.train("original", seed=7)
    trained.test().totals.mean_price

docs/python.md has more examples. Each name is loaded on first use.
"""

# Nothing is imported here, so that the program soon reaches the line that handles Ctrl-C.
TYPE_CHECKING = False  # type checkers know the name; its own module takes long to load
if TYPE_CHECKING:
    from negotiation_tui._version import __version__
    from negotiation_tui.api import figures
    from negotiation_tui.api.contests import League, Tournament, run_league, run_tournament
    from negotiation_tui.api.experiments import endings, reproduce, run_sweep
    from negotiation_tui.api.markets import Market, load_market, run_market, run_roster
    from negotiation_tui.api.negotiations import (
        Trained,
        best_response_to,
        ceiling,
        efg,
        first_best,
        load,
        nash_conv,
        negotiate,
        solve,
        test,
        train,
    )
    from negotiation_tui.errors import BadInputError
    from negotiation_tui.examination.examine import Examination, examine
    from negotiation_tui.game.negotiation import Outcome, Position, Transcript, Turn
    from negotiation_tui.game.roles import Opener, PriceRange, Role, States
    from negotiation_tui.game.scenario import Scenario
    from negotiation_tui.game.tabular_policy import TabularPolicy
    from negotiation_tui.learning.learner import Learner, Transition, features
    from negotiation_tui.learning.learner_registry import LEARNERS, learner
    from negotiation_tui.players.checks.check import check
    from negotiation_tui.strategies.base import Strategy
    from negotiation_tui.strategies.registry import STRATEGIES, strategy

__all__ = ["LEARNERS", "STRATEGIES", "BadInputError", "Examination", "League", "Learner", "Market"]
__all__ += ["Opener", "Outcome", "Position", "PriceRange", "Role", "Scenario", "States", "Strategy"]
__all__ += ["TabularPolicy", "Tournament", "Trained", "Transcript", "Transition", "Turn"]
__all__ += ["__version__", "best_response_to", "ceiling", "check", "efg", "endings", "examine"]
__all__ += ["features", "figures"]
__all__ += ["first_best", "learner", "load", "load_market", "nash_conv", "negotiate", "reproduce"]
__all__ += ["run_league", "run_market", "run_roster", "run_sweep", "run_tournament", "solve"]
__all__ += ["strategy", "test", "train"]

_NAMES = {
    "_version": "__version__",
    "api.contests": "League Tournament run_league run_tournament",
    "api.experiments": "endings reproduce run_sweep",
    "api.figures": "figures",
    "api.markets": "Market load_market run_market run_roster",
    "api.negotiations": "Trained best_response_to ceiling efg first_best load nash_conv"
    " negotiate solve test train",
    "errors": "BadInputError",
    "examination.examine": "Examination examine",
    "players.checks.check": "check",
    "game.negotiation": "Outcome Position Transcript Turn",
    "game.roles": "Opener PriceRange Role States",
    "game.scenario": "Scenario",
    "game.tabular_policy": "TabularPolicy",
    "learning.learner": "Learner Transition features",
    "learning.learner_registry": "LEARNERS learner",
    "strategies.base": "Strategy",
    "strategies.registry": "STRATEGIES strategy",
}
"""The names that each module defines."""
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

if not TYPE_CHECKING:  # otherwise type checkers would accept any name

    def __getattr__(name: str) -> object:
        """Import a name on its first use (PEP 562)."""
        import importlib

        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = importlib.import_module(f"{__name__}.{_MODULES[name]}")
        globals()[name] = value = module if name == "figures" else getattr(module, name)
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
