"""Batches of trainings: sweeps over settings and seeds, and the original's four experiments.

May import `players` and the layers below it.
"""
