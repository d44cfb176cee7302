"""Read-only copies of the tables of learners, shared between snapshots."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.checkpoint import Policies
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.sessions.snapshot import Learned, Tables


class _Copy(NamedTuple):
    """The tables of a learner, and a value that differs when they may have changed."""

    key: object = None
    values: NDArray[np.float64] | None = None
    policy: TabularPolicy | None = None


class TableCopies:
    """The values and policies of both learners; they are copied again only after they changed.

    Both are None if no learner ever took the seat. Values are None if a learner has none, the
    policy if it is greedy by the values. Other values come with another policy.
    """

    def __init__(self, training: ConcurrentTraining) -> None:
        self._training = training
        self._copies = dict.fromkeys(Role, _Copy())

    @property
    def values(self) -> Tables:
        """The values of each learner, seller first."""
        return self._copy(Role.SELLER).values, self._copy(Role.BUYER).values

    @property
    def policies(self) -> Policies:
        """The policy of each learner, seller first."""
        return self._copy(Role.SELLER).policy, self._copy(Role.BUYER).policy

    def learned(self, tests: tuple[Evaluation, ...] = ()) -> Learned:
        """Return all that was learned by now, with the results of the last tests."""
        training = self._training
        return Learned(self.values, self.policies, training.statistics, training.learners, tests)

    def _copy(self, role: Role) -> _Copy:
        training, before = self._training, self._copies[role]
        key = training.episode, training.occupants.seated[role]
        if before.key != key:
            values, policy = training.occupants.known(role)
            if values is not None:
                values.flags.writeable = False
            if _same(before, values, policy):  # the other role learned
                values, policy = before.values, before.policy
            self._copies[role] = _Copy(key, values, policy)
        return self._copies[role]


def _same(before: _Copy, values: NDArray[np.float64] | None, policy: TabularPolicy | None) -> bool:
    """True if a copy holds equal values and an equal policy."""
    return _equal(before.values, values) and all(
        _equal(getattr(before.policy, name, None), getattr(policy, name, None))
        for name in ("n_actions", "actions", "weights")
    )


def _equal(one: NDArray[np.float64] | None, other: NDArray[np.float64] | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))
