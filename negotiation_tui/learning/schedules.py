"""Schedules of a training: its exploration by episode, and its starting plies by cycle."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.learning.hyperparameters import Parameters


def starts(parameters: Parameters, plies: int, start: int, stop: int) -> NDArray[np.int64]:
    """The window of starts of each cycle that has an episode in `start … stop - 1`.

    Shape (cycles, 2): its first ply and its width, 0 wide where episodes begin with the opening.
    """
    episodes, every = parameters.episodes, parameters.back_every
    cycles = np.arange(start // episodes, (stop - 1) // episodes + 1)
    if not parameters.start_window:
        return np.zeros((len(cycles), 2), np.int64)
    back = cycles // every if every else np.full_like(cycles, plies)
    earliest = np.maximum(0, plies - 1 - back)
    return np.stack([earliest, np.minimum(parameters.start_window, plies - earliest)], axis=1)


def epsilons(parameters: Parameters, start: int, stop: int) -> NDArray[np.float64]:
    """The exploration probability of each episode `start … stop - 1`, counted over all cycles.

    The value after episode e holds for episode e + 1; the first episode has the start value.
    """
    n = stop - start
    if not parameters.exploration_restarts:
        return _fall(parameters, np.arange(start, stop))
    start %= parameters.episodes
    if n < parameters.episodes:
        return _fall(parameters, np.arange(start, start + n) % parameters.episodes)
    cycle = _fall(parameters, np.arange(parameters.episodes))
    return np.resize(np.roll(cycle, -start), n)


def _fall(parameters: Parameters, episode: NDArray[np.int64]) -> NDArray[np.float64]:
    end = parameters.exploration_end
    fall = np.exp(-parameters.exploration_decay * np.maximum(episode - 1, 0))
    return np.asarray(end + (parameters.exploration_start - end) * fall, np.float64)
