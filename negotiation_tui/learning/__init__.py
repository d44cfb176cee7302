"""Concurrent Q-learning: the inner loop, schedules, evaluation, checkpoints, reports.

May import `strategies`, `solvers`, `game`, `runtime` and `errors`.
"""
