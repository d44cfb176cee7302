"""Read-only copies of the Q-tables of a training, shared between snapshots."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.sessions.snapshot import Tables


class TableCopies:
    """The copies of both tables; a table is copied again only after it changed."""

    def __init__(self, training: ConcurrentTraining) -> None:
        self._training = training
        self._copies: dict[Role, tuple[int, NDArray[np.float64]]] = {}
        """For each role its latest copy, and the episode in which it was last compared."""

    def both(self) -> Tables:
        """Return a copy of each table, seller first; None if no learner ever took the seat."""
        return self._copy(Role.SELLER), self._copy(Role.BUYER)

    def _copy(self, role: Role) -> NDArray[np.float64] | None:
        if not self._training.has_table(role):
            return None
        episode, before = self._training.episode, self._copies.get(role)
        if before is None or before[0] != episode:
            table = self._training.q_table(role)
            table.flags.writeable = False
            if before and np.array_equal(before[1], table):  # the other role learned
                table = before[1]
            self._copies[role] = episode, table
        return self._copies[role][1]
