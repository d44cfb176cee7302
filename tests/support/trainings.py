"""Compare two trainings."""

import numpy as np

from negotiation_tui.learning.concurrent import ConcurrentTraining


def same_training(one: ConcurrentTraining, other: ConcurrentTraining) -> bool:
    """True if both trainings have the same tables, statistics and last negotiation, to the bit."""
    return (
        np.array_equal(one.q_tables, other.q_tables)
        and np.array_equal(one.statistics.counts, other.statistics.counts)
        and one.last_negotiation == other.last_negotiation
    )
