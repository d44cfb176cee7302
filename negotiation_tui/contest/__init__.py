"""Contests: entrants, a job for each run, standings and a heat map; strategies or learners.

May import `players` and the layers below it.
"""
