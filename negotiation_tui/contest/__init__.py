"""Batches of runs: tournaments of strategies and leagues of learners, with standings and heat maps.

May import `players` and the layers below it.
"""
