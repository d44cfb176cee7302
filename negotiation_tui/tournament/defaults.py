"""Defaults of a tournament."""

NEGOTIATIONS = 200
"""Negotiations per pairing."""
RECIPE = "reverse-curriculum"
"""The recipe that `learned` is trained by; it converges."""
