"""One call per task for notebooks: negotiations, trainings, markets, tournaments, figures.

May import `tui` for its colours, and all layers below. Empty, so that one task loads no other.
"""
