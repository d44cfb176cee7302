"""Exact game theory: subgame-perfect equilibrium, best response and NashConv.

May import `game`, `runtime` and `errors`.
"""
