"""A round robin of strategies, each as seller against each as buyer; standings and report.

May import `players` and the layers below it.
"""
