"""Spec strings: the words that name a player."""

LEARNED = "learned"
"""Names the learner; every other spec names a strategy."""
