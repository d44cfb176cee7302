"""Counts of hidden limits: two sums per cycle, beside the counts of `learning.kernel`.

Part of the inner loop: Python runs it or numba compiles it.
"""

from typing import Any

LIMITS = 6
"""The first of two columns: the sums of the limits of sellers, and of buyers, who made a deal."""


def note_limits(setup: Any, pair: Any, counts: Any) -> None:
    """Add the limits of a pair that made a deal; a market keeps those of its agents itself."""
    if setup.market == 0:
        for role in range(2):
            counts[LIMITS + role] += setup.seats[role].limits[pair[role]]
