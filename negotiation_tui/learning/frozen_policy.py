"""A learner's frozen policy: the log of rows that its policy has changed, and their copies.

Part of the inner loop: Python runs it or numba compiles it.
"""

from typing import Any


def log_change(changed: Any, row: int) -> None:
    """Log a changed row. `changed[0]` counts the rows that follow; a full log holds none."""
    n = changed[0] = min(changed[0] + 1, len(changed))
    if n < len(changed):
        changed[n] = row


def freeze(changed: Any, actions: Any, n_actions: Any, frozen: Any, n_frozen: Any) -> None:
    """Copy the changed rows of a policy to its frozen form, all rows if the log is full."""
    width = len(actions) // len(n_actions)
    logged = changed[0] < len(changed)
    for k in range(changed[0] if logged else len(n_actions)):
        row = changed[k + 1] if logged else k
        n = n_frozen[row] = n_actions[row]
        for at in range(row * width, row * width + n):
            frozen[at] = actions[at]
    changed[0] = 0
