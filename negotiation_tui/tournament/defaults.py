"""Defaults of a tournament."""

NEGOTIATIONS = 200
"""Negotiations per pairing."""
RECIPE = "reverse-curriculum"
"""The recipe that trains the entrant `learned`; it converges."""
