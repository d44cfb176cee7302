"""Examine a player: ask for its whole policy, and judge that exactly.

May import `players` and the layers below it.
"""
