"""Concurrent Q-learning: the inner loop, schedules, evaluation, checkpoints, reports.

May import `strategies`, `solvers`, `game`, `runtime` and `errors`.
"""

from negotiation_tui.learning.backend import PLAIN, compile_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters

__all__ = ["PLAIN", "ConcurrentTraining", "Parameters", "compile_backend"]
