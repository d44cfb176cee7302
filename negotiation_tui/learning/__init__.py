"""Concurrent Q-learning: two agents that train in turns against a frozen copy of each other."""

from negotiation_tui.learning.backend import PLAIN, Backend, compile_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.q_table import bellman_update, normalized
from negotiation_tui.learning.schedule import Parameters
from negotiation_tui.learning.statistics import CycleStatistics, Totals

__all__ = [
    "PLAIN",
    "Backend",
    "ConcurrentTraining",
    "CycleStatistics",
    "Parameters",
    "Totals",
    "bellman_update",
    "compile_backend",
    "normalized",
]
