"""Learners in their seats, one file per kind."""
