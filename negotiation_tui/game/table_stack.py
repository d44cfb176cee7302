"""Tables end to end: of the limits of a role, or of the agents of a market.

Tables of one stack have one shape, so that the n-th begins at row n · rows of a table.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy


class Shape(NamedTuple):
    """The shape that all tables of a stack share."""

    opener_aware: bool
    stride: int
    width: int
    weighted: bool

    @classmethod
    def of(cls, policies: Sequence[TabularPolicy]) -> "Shape":
        """Return the smallest shape that holds all these tables."""
        return cls(
            any(policy.opener_aware for policy in policies),
            max(policy.stride for policy in policies),
            max(policy.actions.shape[1] for policy in policies),
            any(policy.weights is not None for policy in policies),
        )

    def rows(self, scenario: Scenario) -> int:
        """The number of rows of one table."""
        blocks = 2 if self.opener_aware else 1
        return (scenario.n_prices * scenario.rounds * blocks + 2) * self.stride


class Rows(NamedTuple):
    """One table in the shape of a stack."""

    actions: NDArray[np.int32]
    n_actions: NDArray[np.int32]
    cumulative: NDArray[np.float64]
    """Shape (rows, width); a single UNIFORM if the shape has no weights."""
    chances: NDArray[np.float64]
    """Likewise: the probability of each action."""


def shaped(policy: TabularPolicy, shape: Shape) -> Rows:
    """Return a table in a shape."""
    cumulative, chances = np.array([UNIFORM]), np.zeros(1)
    if shape.weighted:
        # A policy without weights has a single entry, for which each of its rows gets as many.
        cumulative = np.resize(policy.cumulative, policy.actions.shape)
        cumulative = _shared(policy, cumulative, shape, shape.width)
        chances = _shared(policy, policy.chances(), shape, shape.width)
    return Rows(
        _shared(policy, policy.actions, shape, shape.width),
        _shared(policy, policy.n_actions, shape, 1)[:, 0],
        cumulative,
        chances,
    )


def stacked(scenario: Scenario, policies: Sequence[TabularPolicy]) -> TabularPolicy:
    """Return the policy with one table per limit, from tables of the same kind of memory."""
    if len(policies) == 1:
        return policies[0]
    shape = Shape.of(policies)
    rows = [shaped(policy, shape) for policy in policies]
    first = policies[0]
    return TabularPolicy(
        scenario,
        np.concatenate([each.actions for each in rows]),
        np.concatenate([each.n_actions for each in rows]),
        first.remembers_own_offer,
        shape.opener_aware,
        first.history,
        np.concatenate([each.chances for each in rows]) if shape.weighted else None,
        len(policies),
    )


def _shared(policy: TabularPolicy, table: NDArray[Any], shape: Shape, columns: int) -> NDArray[Any]:
    """Return a policy's table with these numbers of rows per state and of columns."""
    rows = table.reshape(-1, policy.stride, table.size // len(policy.n_actions))
    if shape.opener_aware and not policy.opener_aware:
        rows = np.concatenate([rows[:-1], rows[1:]])
    more = shape.stride - policy.stride  # numbers that this policy's memory does not have
    padded = np.pad(rows, ((0, 0), (0, more), (0, columns - rows.shape[2])))
    return padded.reshape(-1, columns)
