"""The judge of a session: the equilibria, and NashConv of the players as they are now."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.nash_conv_series import (
    JudgedTraining,
    NashConvs,
    NashConvSeries,
    Reached,
    judged_seldom,
    nash_conv_of,
)
from negotiation_tui.sessions.snapshot import Equilibria, Theory
from negotiation_tui.solvers.best_response import BestResponse, NashConv
from negotiation_tui.solvers.payoffs import ceiling_share
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

SHORT = 0.005
"""Seconds; a judgement that takes longer is put off until no command waits."""


class Judge:
    """NashConv of a training's present players, computed again only after they changed.

    `players` returns a value that differs if another negotiation was learned from, or if another
    player or another opener was chosen. NashConv is that of the `series`, if it is of the present
    players; where learners are `judged_seldom`, it is no other.
    """

    def __init__(
        self,
        training: JudgedTraining,
        players: Callable[[], object],
        series: NashConvSeries | None = None,
    ) -> None:
        self._training, self._players, self._series = training, players, series
        self.equilibria = _equilibria(training.scenario, training.parameters.discount_rate)
        self._ceiling: float | None = None
        self._judged: object = None
        self._latest: NashConv | None = None
        self._seconds = np.inf

    def theory(self, nash_convs: NashConvs, reached: tuple[Reached, ...] = ()) -> Theory:
        """Return what is known now; NashConv is None until the present players are judged."""
        if self._seconds < SHORT:
            self.judge()
        is_present = self._judged == self._players()
        latest = self._latest if is_present else None
        return Theory(self.equilibria, latest, nash_convs, reached, self._ceiling)

    def judge(self) -> bool:
        """Judge the present players; return False if that was done before."""
        players = self._players()
        if players == self._judged:
            return False
        if self._judged is None:
            self._ceiling = ceiling_share(self._training.scenario)
        latest = self._series.latest if self._series else None
        if latest and latest[0] == self._training.episode:
            result: NashConv | None = latest[1]
        else:
            start = time.perf_counter()
            result = self._now()
            self._seconds = time.perf_counter() - start
        if result and self._latest:
            seller, buyer = map(_shared, result.responses, self._latest.responses)
            result = replace(result, responses=(seller, buyer))
        self._latest, self._judged = result, players
        return True

    def _now(self) -> NashConv | None:
        """Return NashConv of the present players; None if it is unknown."""
        training = self._training
        try:
            learns = any(training.strategy(role) is None for role in Role)
            seldom = learns and judged_seldom(training.scenario)
            return None if seldom else nash_conv_of(training)
        except BadInputError:  # a strategy of a recording may not be loaded, or cannot be
            return None


def _equilibria(scenario: Scenario, discount_rate: float) -> Equilibria:
    """Return the equilibria of a game; none with hidden limits, which it has no induction for."""
    if scenario.hidden:
        return (), ()
    seller, buyer = (
        tuple(solve(scenario, opener, discount_rate, rule) for rule in TieBreak) for opener in Role
    )
    return seller, buyer


def _shared(new: BestResponse, earlier: BestResponse) -> BestResponse:
    """Return `earlier` if both are equal, so that snapshots share its arrays; otherwise `new`."""
    values, before = new.offer_values, earlier.offer_values
    if values is None or before is None or not np.array_equal(values, before):
        return new
    return earlier
