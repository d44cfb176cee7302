"""Draws from a row of a policy: one number decides. Python runs this or numba compiles it.

Cumulative weights are a flat row of floats, one row of a policy after the other. A row whose
actions are all equally likely has `UNIFORM` in place of its first one.
"""

from typing import Any

UNIFORM = 2.0


def drawn(cumulative: Any, first: int, n: int, u: float) -> int:
    """Return the column, from 0 to n - 1, that a uniform number u in [0, 1) draws from a row.

    The row begins at `cumulative[first]` and has n columns. The column is ⌊u·n⌋ if all are equally
    likely, otherwise the first with a cumulative weight above u.
    """
    if cumulative[first] == UNIFORM:
        return int(u * n)
    k = 0
    while k < n - 1 and cumulative[first + k] <= u:
        k += 1
    return k


def scaled_probability(cumulative: Any, first: int, n: int, k: int) -> float:
    """Return the probability of column k of such a row, times n: exactly 1 if all are equal."""
    if cumulative[first] == UNIFORM:
        return 1.0
    before = cumulative[first + k - 1] if k > 0 else 0.0
    return float(n * (cumulative[first + k] - before))
