"""A round robin: every strategy as seller against every strategy as buyer; standings and report.

May import `players` and the layers below it.
"""
