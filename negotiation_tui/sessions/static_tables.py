"""The tables of the static strategies in the seats, shared between snapshots."""

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.checkpoint import Policies
from negotiation_tui.learning.nash_conv_series import JudgedTraining


class StaticTables:
    """The tables of both seats; they are looked up again only after `both` gets another key."""

    def __init__(self, training: JudgedTraining) -> None:
        self._training = training
        self._key: object = None
        self._tables: Policies = (None, None)

    def both(self, *key: object) -> Policies:
        """Return the table of each strategy, seller first; None for a learner or without a table.

        The key must change with the players, with the opener, and with the cycle, because a best
        responder follows its opponent from cycle to cycle.
        """
        if key != self._key:
            self._tables, self._key = (self._table(Role.SELLER), self._table(Role.BUYER)), key
        return self._tables

    def _table(self, role: Role) -> TabularPolicy | None:
        try:
            strategy = self._training.strategy(role)
            player = None if strategy is None else self._training.policy(role)
        except BadInputError:  # a strategy of a recording may not be loaded, or cannot be
            return None
        return player if isinstance(player, TabularPolicy) else None
