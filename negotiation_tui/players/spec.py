"""Specs: strings that select a player."""

LEARNED = "learned"
"""The spec of the learner; every other spec selects a strategy."""
