"""NashConv of a training as it goes on, computed as often as there is time."""

import time
from dataclasses import replace
from typing import Protocol

import numpy as np

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.solvers.best_response import BestResponse, NashConv, nash_conv
from negotiation_tui.solvers.subgame_perfect import Equilibrium, TieBreak, solve
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import tables_of

REST = 9
"""After a slow evaluation, a busy session waits this many times its duration for the next."""
SHORT = 0.005
"""Seconds; an evaluation that takes longer is slow."""
EVALUATIONS = 60
"""Approximate number of evaluations in a whole training."""
MOST = 1000
"""The most evaluations that are kept; when there are more, every second one goes."""

Equilibria = tuple[tuple[Equilibrium, ...], tuple[Equilibrium, ...]]


class MonitoredTraining(Protocol):
    """A training in progress, or a recorded one that is replayed."""

    scenario: Scenario
    parameters: Parameters
    episode: int

    @property
    def opener(self) -> Opener:
        """The role that opens, or that openers alternate."""

    @property
    def cycle(self) -> int:
        """The cycle of the next episode, from 0."""

    @property
    def finished(self) -> bool:
        """True if no episode is left."""

    def strategy(self, role: Role) -> Strategy | None:
        """The static strategy in a seat, None for the learner."""

    def policy(self, role: Role) -> ReadyPlayer:
        """The player in a seat."""


class NashConvMonitor:
    """NashConv of a training, with the learners' discount rate; computed by `evaluate` only."""

    def __init__(self, scenario: Scenario, discount_rate: float) -> None:
        seller, buyer = (
            tuple(solve(scenario, opener, discount_rate, rule) for rule in TieBreak)
            for opener in Role
        )
        self.equilibria: Equilibria = (seller, buyer)
        """For each opener, the equilibrium with each tie-break rule."""
        self.latest: NashConv | None = None
        self.series: tuple[tuple[int, float], ...] = ()
        """Pairs of a number of finished cycles and NashConv at that time, at most MOST."""
        self._discount_rate = discount_rate
        self._evaluated: object = None
        self._ended = self._duration = 0.0

    def stride(self, cycles: int) -> int:
        """Return the number of cycles from one evaluation to the next in a training of `cycles`."""
        return -(-cycles // EVALUATIONS)

    def evaluate(self, training: MonitoredTraining, busy: bool) -> None:
        """Update NashConv, unless nothing has changed since the last evaluation.

        A session that is `busy` training also skips it if the last one was slow and recent.
        """
        strategies = (training.strategy(role) for role in Role)
        evaluated = training.episode, training.opener, *strategies
        start = time.perf_counter()
        too_soon = self._duration > SHORT and start < self._ended + REST * self._duration
        if evaluated == self._evaluated or (busy and too_soon and not training.finished):
            return
        self._evaluated = evaluated
        tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
        if tables is None:
            self.latest = None  # a player without a table has no NashConv
            return
        result = nash_conv(training.scenario, *tables, self._discount_rate)
        if self.latest:
            seller, buyer = map(_shared, result.responses, self.latest.responses)
            result = replace(result, responses=(seller, buyer))
        self.latest = result
        at_cycle_end = training.episode % training.parameters.episodes == 0
        if at_cycle_end and training.cycle > (self.series[-1][0] if self.series else 0):
            thinned = self.series[:: 2 if len(self.series) >= MOST else 1]
            self.series = (*thinned, (training.cycle, self.latest.total))
        self._ended = time.perf_counter()
        self._duration = self._ended - start


def _shared(new: BestResponse, earlier: BestResponse) -> BestResponse:
    """Return `earlier` if both are equal, so that snapshots share its arrays; otherwise `new`."""
    pairs = zip(
        (*new.action_values[0], *new.action_values[1]),
        (*earlier.action_values[0], *earlier.action_values[1]),
        strict=True,
    )
    return earlier if all(np.array_equal(one, two) for one, two in pairs) else new
