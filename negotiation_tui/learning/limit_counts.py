"""Counts of negotiations with hidden limits: those of the kernel, and the limits of the deals."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import kernel
from negotiation_tui.learning.schedules import Schedule

LIMITS = kernel.N_STATISTICS
"""The first of two columns: the sums of the limits of sellers, and of buyers, who made a deal."""

Ints = NDArray[np.int64]


def n_columns(scenario: Scenario) -> int:
    """Return the number of counts per cycle."""
    return kernel.N_STATISTICS + (len(Role) if scenario.hidden else 0)


def with_limits(scenario: Scenario, counts: Ints, pairs: NDArray[np.int32]) -> Ints:
    """Return counts of negotiations, one per row, with the columns of their limits.

    `pairs` holds the indices of both limits, shape (negotiations, 2). The rounds of breakdowns,
    which the kernel counts here, are left out.
    """
    deals = counts[:, kernel.AGREEMENTS : kernel.AGREEMENTS + 2].sum(axis=1)
    found = np.concatenate([counts, np.zeros((len(counts), len(Role)), np.int64)], axis=1)
    found[:, kernel.ROUNDS] *= deals
    for role in Role:
        limits = np.array([view.limit(role) for view in scenario.views[role]], np.int64)
        found[:, LIMITS + role] = limits[pairs[:, role]] * deals
    return found


def counts_of_cycles(scenario: Scenario, schedule: Schedule, counts: Ints) -> Ints:
    """Return the counts of a schedule's cycles from those of its episodes, one per row."""
    assert schedule.limits is not None
    cycles = np.arange(schedule.start, schedule.stop) // schedule.episodes
    return np.asarray(
        np.add.reduceat(
            with_limits(scenario, counts, schedule.limits),
            np.flatnonzero(np.diff(cycles, prepend=-1)),
        )
    )
