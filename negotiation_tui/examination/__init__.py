"""Examine a player: ask for its whole policy, and judge that exactly. Above `players`."""
