"""A round robin of learners: each against each and against itself, judged exactly.

May import `contest`, `players` and the layers below.
"""
