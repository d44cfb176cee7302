"""NashConv in the course of a training, after cycles that are fixed beforehand."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.jit import busy_seconds
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import tables_of

if TYPE_CHECKING:
    from negotiation_tui.solvers.best_response import NashConv

PER_DOUBLING = 64  # cycles that are evaluated in each doubling, and at first
SELDOM, MANY_ANSWERS = 4, 100_000
"""As PER_DOUBLING, where the product of rounds, prices, prices and hidden limits is greater than
MANY_ANSWERS. There an evaluation takes tenths of a second."""
LONG, _SHARE = 0.2, 10
"""Seconds of this thread on a processor of a long evaluation, and how many times as long training
takes until the next one of a series that is judged by time. In games that are not evaluated seldom
no evaluation counts as long: the first may load code, and each run must show one series."""

NashConvs = tuple[tuple[int, float], ...]
"""Pairs of a number of finished cycles and NashConv after them. An evaluated cycle is missing if a
player had no table then, or if NashConv is not exact."""


class Reached(NamedTuple):
    """With hidden limits: what the tables reach after an evaluated cycle. Nothing is discounted."""

    cycle: int  # the number of finished cycles
    least: float  # the least NashConv there can be, discounted; itself if exact
    most: float  # the greatest, likewise
    efficiency: float  # mean surplus by the tables, as a share of the first best
    pretending: float  # mean gain of both if each limit played the best table of its role

    @classmethod
    def of(cls, cycle: int, found: "NashConv") -> "Reached | None":
        """Return what is reached; None without hidden limits, or if there is nothing to gain."""
        play = found.play
        if play is None or play.efficiency is None:
            return None
        return cls(cycle, *found.bounds, play.efficiency, sum(map(play.mean_pretending, Role)))


class EvaluatedTraining(Protocol):
    """A training in progress, or a recorded one that is replayed."""

    scenario: Scenario
    parameters: Parameters
    episode: int
    nash_convs: "NashConvSeries | None"

    def strategy(self, role: Role) -> Strategy | None:
        """The static strategy in a seat, None for a learner."""

    def policy(self, role: Role) -> ReadyPlayer:
        """The player in a seat."""


def evaluated_seldom(scenario: Scenario) -> bool:
    """True if evaluating learners takes seconds."""
    return per_doubling(scenario) == SELDOM


def per_doubling(scenario: Scenario) -> int:
    """Return the number of cycles that are evaluated in each doubling of a training."""
    limits = max(map(scenario.n_tables, Role))
    large = scenario.rounds * scenario.n_prices**2 * limits > MANY_ANSWERS
    return SELDOM if scenario.hidden and large else PER_DOUBLING


def next_evaluated(cycle: int, per_doubling: int = PER_DOUBLING) -> int:
    """Return the next evaluated number of cycles: each of the first 64, then 64 per doubling."""
    stride = 1 << max(0, (cycle // per_doubling).bit_length() - 1)
    return cycle // stride * stride + stride


def none_missing(
    evaluated: NDArray[np.int64], per_doubling: int = PER_DOUBLING
) -> NDArray[np.bool_]:
    """True for each evaluated number of cycles that follows the one before; False for the first."""
    before = evaluated[:-1]
    _, bits = np.frexp(before // per_doubling)  # as in `next_evaluated`
    stride = 1 << np.maximum(0, bits.astype(np.int64) - 1)
    return np.append(evaluated[:1] < 0, evaluated[1:] <= before // stride * stride + stride)


class NashConvSeries:
    """NashConv of a training after evaluated cycles (see `next_evaluated`), and after its last one.

    The training stops there, so that neither its pace nor the size of batches changes the series.
    """

    def __init__(self, following: Callable[[int], int] | None = None) -> None:
        self.values: NashConvs = ()
        self.reached: tuple[Reached, ...] = ()  # only with hidden limits
        self.only_last = False  # True to evaluate the end of the training alone
        self.by_time = False  # True to leave out evaluations that would take most of the time
        self._not_before = 0.0  # the processor second of the next evaluation by time
        self.latest: tuple[int, NashConv] | None = None  # after how many episodes
        self._following = following
        self.nash_conv_of: Callable[[EvaluatedTraining], NashConv | None] = nash_conv_of

    def episodes_until_evaluated(self, training: EvaluatedTraining) -> int:
        """Return the number of episodes to the next evaluated cycle's end, or to the training's."""
        episode, parameters = training.episode, training.parameters
        cycle = episode // parameters.episodes
        if self._following is None:
            evaluated = next_evaluated(cycle, per_doubling(training.scenario))
        else:
            evaluated = self._following(cycle)
        stop = parameters.total if self.only_last else evaluated * parameters.episodes
        return (stop if episode >= parameters.total else min(stop, parameters.total)) - episode

    def up_to(self, training: EvaluatedTraining) -> "NashConvSeries":
        """Return the series up to an earlier moment of the training."""
        cut = NashConvSeries(self._following)
        episodes = training.parameters.episodes
        cut.values = tuple(v for v in self.values if v[0] * episodes <= training.episode)
        cut.reached = tuple(v for v in self.reached if v.cycle * episodes <= training.episode)
        return cut

    def evaluate(self, training: EvaluatedTraining) -> None:
        """Add what the tables reach, and NashConv if it is exact; nothing without a table."""
        begun, last = busy_seconds(), training.episode >= training.parameters.total
        if self.by_time and begun < self._not_before and not last:
            return
        result = self.nash_conv_of(training)
        now = busy_seconds()
        if now - begun > LONG and evaluated_seldom(training.scenario):
            self._not_before = now + _SHARE * (now - begun)
        if result is None:
            return
        self.latest = training.episode, result
        cycle = training.episode // training.parameters.episodes
        reached = Reached.of(cycle, result)
        self.reached += () if reached is None else (reached,)
        if result.exact:
            self.values = (*self.values, (cycle, result.total))


def nash_conv_of(training: EvaluatedTraining) -> "NashConv | None":
    """Return NashConv of the players, with the learners' discount rate; None without a table."""
    from negotiation_tui.solvers.best_response import nash_conv

    tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
    rate = training.parameters.discount_rate
    return tables and nash_conv(training.scenario, *tables, rate)
