"""Live runs: they take commands and publish immutable snapshots, on a background thread.

May import `market`, `experiments` and the layers below. No curses, no argparse.
"""
