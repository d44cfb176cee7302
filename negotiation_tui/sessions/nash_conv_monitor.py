"""NashConv of the present players of a training, for its session."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.tabular_policy import Policies
from negotiation_tui.learning.nash_conv_series import (
    EvaluatedTraining,
    evaluated_seldom,
    nash_conv_of,
)
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.sessions.snapshot import Theory
from negotiation_tui.sessions.story.facts import fixed_rule
from negotiation_tui.sessions.timeline import coins_of, equilibria, strategy_table
from negotiation_tui.solvers.best_response import BestResponse, NashConv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.payoffs import ceiling_shares
from negotiation_tui.strategies.matchup import tables_of


class NashConvMonitor:
    """The tables and NashConv of a training's present players, computed after they changed.

    `players` returns a value that differs if they learned or changed, or if the opener changed.
    NashConv is that of the training's series if it is of the present players; for learners that
    are `evaluated_seldom` it is no other.
    """

    def __init__(
        self, training: EvaluatedTraining, players: Callable[[], object], extra: Extras
    ) -> None:
        self._training, self._players, self._extra = training, players, extra
        rate = training.parameters.discount_rate
        self._theory = Theory(equilibria(training.scenario, rate))  # with the latest NashConv
        self._evaluated: object = None
        self.seconds = np.inf  # that the last evaluation took
        self._key: object = None
        self._policies: Policies = (None, None)

    @property
    def theory(self) -> Theory:
        """The theory, with NashConv of the present players if they are evaluated."""
        if self._evaluated == self._players():
            return self._theory
        return replace(self._theory, nash_conv=None, coins=None)

    def evaluate(self) -> bool:
        """Evaluate the present players; return False if that was done before."""
        players, training, theory = self._players(), self._training, self._theory
        if players == self._evaluated:
            return False
        if self._evaluated is None:
            scenario, rate = training.scenario, training.parameters.discount_rate
            ceilings = self._extra("ceiling", ceiling_shares, scenario, rate) or (None, None)
            tables = tables_of(scenario, *[fixed_rule(scenario)] * 2)
            rules = tables and expected_play(scenario, *tables).coins
            theory = Theory(theory.equilibria, *ceilings, rules=rules)
            theory = replace(theory, rule_tables=tables or (None, None))
        latest = training.nash_convs and training.nash_convs.latest
        result: NashConv | None = None
        coins = None
        if latest and latest[0] == training.episode:
            result, coins = latest[1], self._extra("coins", coins_of, training)
        else:
            start = time.perf_counter()
            learns = any(training.strategy(role) is None for role in Role)
            if not (learns and evaluated_seldom(training.scenario)):
                result = self._extra("NashConv", nash_conv_of, training)
                coins = self._extra("coins", coins_of, training)
            self.seconds = time.perf_counter() - start
        if result and theory.nash_conv:
            seller, buyer = map(_shared, result.responses, theory.nash_conv.responses)
            result = replace(result, responses=(seller, buyer))
        self._theory = replace(theory, nash_conv=result, coins=coins)
        self._evaluated = players
        return True

    def policies(self, *key: object) -> Policies:
        """Return the table of each strategy, seller first; None for a learner or without a table.

        The key must change with players, opener and cycle, in which a best responder adapts.
        """
        if key != self._key:
            policies = (strategy_table(self._training, role) for role in Role)
            self._policies, self._key = pair(policies), key
        return self._policies


def _shared(new: BestResponse, earlier: BestResponse) -> BestResponse:
    """Return `earlier` if both are equal, so that snapshots share its arrays; otherwise `new`."""
    values, before = new.offer_values, earlier.offer_values
    if values is None or before is None or not np.array_equal(values, before):
        return new
    return earlier
