"""Concurrent Q-learning: the inner loop, schedules, evaluation, checkpoints, reports.

May import `strategies`, `solvers`, `game`, `runtime` and `errors`.
"""

from typing import TYPE_CHECKING

from negotiation_tui.runtime.lazy import on_first_use

if TYPE_CHECKING:
    from negotiation_tui.learning.backend import PLAIN, compile_backend
    from negotiation_tui.learning.concurrent import ConcurrentTraining
    from negotiation_tui.learning.hyperparameters import Parameters

__all__ = ["PLAIN", "ConcurrentTraining", "Parameters", "compile_backend"]

if not TYPE_CHECKING:  # `Parameters` alone needs no numpy
    __getattr__ = on_first_use(
        __name__,
        {
            "PLAIN": "backend",
            "ConcurrentTraining": "concurrent",
            "Parameters": "hyperparameters",
            "compile_backend": "backend",
        },
    )
