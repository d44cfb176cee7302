"""Q-tables: one row per state, one column per action (see `game.scenario`)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, fits, legal_rows

MOST_VALUE = 10**12  # no value is beyond ± this: prices are within ±10⁹, rewards within ±4·10⁹
MOST_COUNT = 10**18  # no count and no sum of prices is beyond ± this: 10⁹ negotiations at 10⁹


def both_shape(scenario: Scenario) -> tuple[int, int, int]:
    """Return the shape of both roles' tables as one array: rows for the role with more limits."""
    return len(Role), max(map(scenario.n_rows, Role)), scenario.n_actions


def both(scenario: Scenario, tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return both roles' tables as one array; the one with fewer limits is filled with zeros."""
    found = np.zeros(both_shape(scenario))
    for role, table in enumerate(tables):
        found[role, : len(table)] = table
    return found


def by_limit(scenario: Scenario, role: Role, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a role's tables, which stand end to end, in shape (limits, n_states, n_actions)."""
    return rows.reshape(scenario.n_tables(role), -1, scenario.n_actions)


def limit_words(scenario: Scenario, role: Role) -> list[str]:
    """Return words for each limit of a role, to follow the name of its table; empty if known."""
    limits = scenario.limits[role]
    return [f", limit {limit:,}" for limit in limits.values] if limits else [""]


def check_size(scenario: Scenario) -> None:
    """Raise BadInputError if a table of the scenario has more than MAX_ENTRIES entries."""
    if not fits(scenario):
        _, rows, actions = both_shape(scenario)
        raise BadInputError(
            f"scenario {scenario.name} is too large: expected at most {MAX_ENTRIES:,} Q-table"
            f" entries, got {rows:,} states × {actions:,} actions"
        )


def check_values(name: str, values: NDArray[Any], most: int = MOST_VALUE) -> None:
    """Raise BadInputError unless all values are finite and within ± `most`."""
    low, high = (values.min(), values.max()) if values.size else (0, 0)
    if not -most <= low <= high <= most:
        raise BadInputError(
            f"{name}: expected finite numbers from {-most:,} to {most:,}, got {low:g} to {high:g}"
        )


def untrained(scenario: Scenario, role: Role, value: float) -> NDArray[np.float64]:
    """Return a table of `value` for each legal action, 0 elsewhere, shape (n_rows, n_actions)."""
    check_size(scenario)
    table = np.zeros((scenario.n_rows(role), scenario.n_actions))
    if value:
        table[legal_rows(scenario, role)] = value
    return table


class Values(StrEnum):
    """The numbers that stand for a Q-table's values where it is shown."""

    RAW = "raw"
    NORMALIZED = "normalized"
    """Each row divided by its sum, as in the original; by that of its magnitudes if some are < 0.

    A row of zeros stays one.
    """
    RELATIVE = "relative"  # each row divided by its greatest value, if that is above 0

    def of(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        if self is Values.RAW:
            return q
        normalized = self is Values.NORMALIZED
        divisor = (abs(q).sum if normalized else q.max)(axis=-1, keepdims=True)
        with np.errstate(over="ignore"):  # far below a tiny greatest value: −∞
            shown: NDArray[np.float64] = np.divide(q, divisor, out=q.copy(), where=divisor > 0)
        return shown

    @property
    def next(self) -> "Values":
        values = list(Values)
        return values[(values.index(self) + 1) % len(values)]

    @property
    def words(self) -> str:
        return {"raw": "raw", "normalized": "sum of row = 1", "relative": "best of row = 1"}[self]
