"""How far the seats are from equilibrium, looked at as often as there is time for."""

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
"""A look that takes long is followed by so many times its duration without one."""
SHORT = 0.005
LOOKS = 60
"""About so many looks are taken in a training that runs on."""

Equilibria = tuple[tuple[Equilibrium, ...], tuple[Equilibrium, ...]]


class Judged(Protocol):
    """A training, or one that was recorded."""

    scenario: Scenario
    parameters: Parameters
    episode: int

    @property
    def opener(self) -> Opener:
        """Who opens."""

    @property
    def cycle(self) -> int:
        """The cycle that the next episode belongs to."""

    @property
    def finished(self) -> bool:
        """Whether nothing follows."""

    def strategy(self, role: Role) -> Strategy | None:
        """The static strategy in a seat, None for the learner."""

    def policy(self, role: Role) -> ReadyPlayer:
        """How a seat plays."""


class NashConvMonitor:
    """Judges a training by its learner's own discount; does nothing unless asked to `evaluate`."""

    def __init__(self, scenario: Scenario, discount_rate: float) -> None:
        seller, buyer = (
            tuple(solve(scenario, opener, discount_rate, rule) for rule in TieBreak)
            for opener in Role
        )
        self.equilibria: Equilibria = (seller, buyer)
        """For each opener, the equilibrium with each rule for the indifferent."""
        self.latest: NashConv | None = None
        self.series: tuple[tuple[int, float], ...] = ()
        """Cycles done and NashConv then."""
        self._discount_rate = discount_rate
        self._seen: object = None
        self._ended = self._took = 0.0

    def stride(self, cycles: int) -> int:
        """After how many cycles a look should be taken in a training of so many."""
        return -(-cycles // LOOKS)

    def evaluate(self, training: Judged, busy: bool) -> None:
        """Judge the seats as they are, unless that was just done.

        While the trainer is `busy` running on, not if it would take too much of its time.
        """
        seats = (training.strategy(role) for role in Role)
        seen = training.episode, training.opener, *seats
        begun = time.perf_counter()
        soon = begun < self._ended + REST * self._took and self._took > SHORT
        if seen == self._seen or (busy and soon and not training.finished):
            return
        self._seen = seen
        tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
        if tables is None:
            self.latest = None  # there is no table to judge by
            return
        found = nash_conv(training.scenario, *tables, self._discount_rate)
        self.latest = _sharing(found, self.latest) if self.latest else found
        whole = training.episode % training.parameters.episodes == 0
        if whole and training.cycle > (self.series[-1][0] if self.series else 0):
            self.series = (*self.series, (training.cycle, self.latest.total))
        self._ended = time.perf_counter()
        self._took = self._ended - begun


def _sharing(found: NashConv, before: NashConv) -> NashConv:
    """The same with a best response from before where it is still the best: memory for one."""
    one, other = map(_one_of, found.responses, before.responses)
    return replace(found, responses=(one, other))


def _one_of(new: BestResponse, old: BestResponse) -> BestResponse:
    """The old where both are equal."""
    pairs = zip(
        (*new.action_values[0], *new.action_values[1]),
        (*old.action_values[0], *old.action_values[1]),
        strict=True,
    )
    return old if all(np.array_equal(one, two) for one, two in pairs) else new
