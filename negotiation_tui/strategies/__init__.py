"""Static strategies: they do not learn, and answer each position by a fixed rule.

To add one, write a small file beside this one with its source, and list it here.
"""

from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.midpoint import Midpoint

STRATEGIES: dict[str, Strategy] = {strategy.name: strategy for strategy in (Midpoint(),)}

__all__ = ["STRATEGIES", "Midpoint", "Strategy"]
