"""The schedule of a training: the learner of each cycle, the start and ε of each episode."""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.limits import LimitStream
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.records import dataclass, replace

NOBODY_LEARNS = Role.BUYER, Role.BUYER  # if openers alternate, the seller opens the first


class Fade(NamedTuple):
    """The value from which ε falls from an episode on: one of its settings changed there."""

    since: int
    value: float


@dataclass(frozen=True, eq=False, slots=True)
class Schedule:
    """The course of `len(epsilons)` episodes from number `start` on, counted over all cycles."""

    learners: tuple[Role, Role]  # the roles that learn in even and in odd cycles
    opener: Opener  # if they alternate, the opponent opens even episodes of a cycle
    epsilons: NDArray[np.float64]  # the exploration probability of each episode
    start: int = 0
    episodes: int = 1 << 62  # episodes per cycle
    starts: NDArray[np.int64] | None = None  # the result of `starts`; None: all at the opening
    expected: bool = False  # True to learn from the mean over the opponent's possible answers
    limit_pairs: NDArray[np.int32] | None = None  # indices of hidden limits, (episodes, 2)

    @property
    def stop(self) -> int:
        return self.start + len(self.epsilons)

    @property
    def n_cycles(self) -> int:
        return (self.stop - 1) // self.episodes - self.start // self.episodes + 1

    def part(self, start: int, stop: int) -> "Schedule":
        """Return the course of the episodes `start … stop - 1`, which are of one cycle."""
        row = start // self.episodes - self.start // self.episodes
        at = slice(start - self.start, stop - self.start)
        starts = None if self.starts is None else self.starts[row : row + 1]
        pairs = None if self.limit_pairs is None else self.limit_pairs[at]
        epsilons = self.epsilons[at]
        return replace(self, start=start, epsilons=epsilons, starts=starts, limit_pairs=pairs)

    def game_of(self, scenario: Scenario, episode: int) -> Scenario:
        if self.limit_pairs is None:
            return scenario
        seller, buyer = self.limit_pairs[episode - self.start].tolist()
        return scenario.drawn(seller, buyer)

    def opener_of(self, episode: int) -> Role:
        """Return the role that opens an episode which begins with the opening offer."""
        cycle, in_cycle = divmod(episode, self.episodes)
        opener = self.opener.role(in_cycle)
        flipped = self.opener is Opener.ALTERNATE and self.learners[cycle % 2] is Role.SELLER
        return opener.other if flipped else opener


def schedule_of(
    parameters: Parameters,
    scenario: Scenario,
    learners: tuple[Role, Role] | None,
    start: int,
    stop: int,
    first_cycles: Collection[int] = (0, 1),
    seed: int = 0,
    fade: Fade | None = None,
) -> Schedule:
    """Return the schedule of the episodes `start … stop - 1`; `learners` is None if none learns."""
    opener, episodes = scenario.opener, parameters.episodes
    pairs = LimitStream(scenario.limits, seed).pairs(start, stop) if scenario.hidden else None
    if learners is None:
        none = np.zeros(stop - start)
        return Schedule(NOBODY_LEARNS, opener, none, start, episodes, limit_pairs=pairs)
    falling = epsilons(parameters, start, stop, first_cycles, fade)
    expected = parameters.expected_updates
    begins = starts(parameters, 2 * scenario.rounds, start, stop)
    return Schedule(learners, opener, falling, start, episodes, begins, expected, pairs)


def starts(parameters: Parameters, plies: int, start: int, stop: int) -> NDArray[np.int64]:
    """Return first ply and width of random starts per cycle; width 0: all at the opening offer."""
    episodes, every = parameters.episodes, parameters.curriculum_shift_every
    cycles = np.arange(start // episodes, (stop - 1) // episodes + 1)
    if not parameters.curriculum_window:
        return np.zeros((len(cycles), 2), np.int64)
    back = cycles // every if every else np.full_like(cycles, plies)
    earliest = np.maximum(0, plies - 1 - back)
    return np.stack([earliest, np.minimum(parameters.curriculum_window, plies - earliest)], axis=1)


def epsilons(
    parameters: Parameters,
    start: int,
    stop: int,
    first_cycles: Collection[int] = (0, 1),
    fade: Fade | None = None,
) -> NDArray[np.float64]:
    """Return ε for each of the episodes `start … stop - 1`, numbered over all cycles.

    A very first episode, at the beginning of one of `first_cycles`, has the start value. A `fade`
    holds from its episode on. If ε restarts it holds to the end of that cycle, and as ever for the
    first episode of the next, unless that is a very first one.
    """
    usual, per, until = _usual(parameters, start, stop, first_cycles), parameters.episodes, stop
    if fade and parameters.exploration_restarts:
        after = fade.since // per + 1
        until = min(stop, after * per + (after not in first_cycles))
    first = max(start, fade.since) if fade else stop
    if fade is None or first >= until:
        return usual
    faded, end = usual.copy(), parameters.exploration_end  # the usual one may be kept: see `_falls`
    fall = np.exp(-parameters.exploration_decay * (np.arange(first, until) - fade.since))
    faded[first - start : until - start] = end + (fade.value - end) * fall
    return faded


def _usual(
    parameters: Parameters, start: int, stop: int, first_cycles: Collection[int]
) -> NDArray[np.float64]:
    if not parameters.exploration_restarts:
        return _fall(parameters, np.arange(start, stop))
    n, episodes = stop - start, parameters.episodes
    before = (start - 1) % episodes + 1  # the first of a cycle follows the last of an earlier one
    firsts = [cycle * episodes - start for cycle in first_cycles]
    firsts = [first for first in firsts if 0 <= first < n]
    if n >= episodes:
        return _falls(parameters, before, n, *firsts)
    falling = _fall(parameters, (np.arange(before, before + n) - 1) % episodes + 1)
    falling[firsts] = parameters.exploration_start
    return falling


@lru_cache(maxsize=1)
def _falls(parameters: Parameters, before: int, n: int, *firsts: int) -> NDArray[np.float64]:
    """Return ε for `n` episodes of many cycles: most often those asked for last. Not to be changed.

    New memory of this size costs 4 ns per episode. A read-only array would be compiled for again.
    """
    fall = _fall(parameters, np.arange(1, parameters.episodes + 1))
    falls = np.tile(np.roll(fall, 1 - before), -(-n // len(fall)))[:n]
    falls[[*firsts]] = parameters.exploration_start
    return falls


def _fall(parameters: Parameters, episode: NDArray[np.int64]) -> NDArray[np.float64]:
    end = parameters.exploration_end
    fall = np.exp(-parameters.exploration_decay * np.maximum(episode - 1, 0))
    return np.asarray(end + (parameters.exploration_start - end) * fall, np.float64)
