"""Q-tables: states are rows, actions are columns (see `scenario`)."""

from collections.abc import MutableSequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, fits, legal_table


def zeros(scenario: Scenario) -> NDArray[np.float64]:
    """An untrained table, shape (n_states, n_actions).

    Raises BadInputError where it would have more than MAX_ENTRIES entries.
    """
    if not fits(scenario):
        raise BadInputError(
            f"scenario {scenario.name}: a Q-table of {scenario.n_states:,} states ×"
            f" {scenario.n_actions:,} actions is too large, use at most {MAX_ENTRIES:,} entries"
        )
    return np.zeros((scenario.n_states, scenario.n_actions))


def untrained(scenario: Scenario, role: Role, value: float) -> NDArray[np.float64]:
    """A table in which every legal action of a role has this value; else as `zeros`."""
    table = zeros(scenario)
    if value:
        legal, number = legal_table(scenario, role)
        states, nth = np.nonzero(np.arange(scenario.n_actions) < number[:, None])
        table[states, legal[states, nth]] = value
    return table


def bellman_update(
    q: NDArray[np.float64] | MutableSequence[Any],
    state: int,
    action: int,
    reward: float,
    next_state: int,
    learning_rate: float,
    discount_rate: float,
) -> float:
    """One step of Q-learning (Watkins 1989), in place; returns the new value.

        Q[s,a] ← (1 − α)·Q[s,a] + α·(r + γ·max Q[s′,·])

    in the original's order of operations. The inner loop in `kernel` does the same arithmetic.
    """
    value = q[state][action] * (1 - learning_rate) + learning_rate * (
        reward + discount_rate * max(q[next_state])
    )
    q[state][action] = value
    return float(value)


def normalized(q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The table with each row divided by its greatest value, so that 1 is the best action.

    Rows without a positive value stay as they are.
    """
    top = q.max(axis=-1, keepdims=True)
    scaled: NDArray[np.float64] = np.divide(q, top, out=q.copy(), where=top > 0)
    return scaled
