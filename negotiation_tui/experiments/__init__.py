"""Batches of trainings, the original's four experiments among them, and claims of the literature.

May import `players` and the layers below it.
"""
