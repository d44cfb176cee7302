"""The functions of learners and their loop: as Python runs them, or compiled by numba."""

import warnings
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.game.draws import drawn
from negotiation_tui.game.memory import note, recall
from negotiation_tui.learning import learner_loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row, accumulate
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.runtime.jit import cached_njit

_ALGORITHMS = f"{__package__}.algorithms."


class Functions(NamedTuple):
    """The functions of one kind of learner; equal kinds share them."""

    policy: Callable[..., int]
    learn: Callable[..., None]


class LearnerLoop(NamedTuple):
    """The functions that need no kind of learner."""

    play: Callable[..., tuple[int, int, int, int, int]]
    write_policy: Callable[..., None]


_PLAIN_LOOP = LearnerLoop(learner_loop.play_learners, learner_loop.write_policy)


def loop_of(backend: Backend) -> LearnerLoop:
    """Return the loop in a backend's form. Compiled code is compiled when it is first called."""
    return _PLAIN_LOOP if backend is PLAIN else _compiled_loop()


def functions_of(algorithm: TabularAlgorithm, backend: Backend) -> Functions:
    """Return the functions of a learner in a backend's form."""
    kind = type(algorithm)
    return Functions(kind.policy, kind.learn) if backend is PLAIN else _compiled(kind)


@cache
def _compiled_loop() -> LearnerLoop:
    # Functions as arguments are experimental, numba warns.
    warnings.filterwarnings("ignore", message="First-class function type")
    parts = {each.__name__: cached_njit(each) for each in (drawn, note, recall, accumulate)}
    play = cached_njit(learner_loop.play_learners, parts)
    return LearnerLoop(play, cached_njit(learner_loop.write_policy))


@cache
def _compiled(algorithm: type[TabularAlgorithm]) -> Functions:
    """Return the compiled functions of a learner, each for the one kind of arguments it has.

    A function with one kind of arguments can be passed as a pointer.
    """
    functions = _part(algorithm.policy), _part(algorithm.learn)
    tables, settings = np.zeros((algorithm.n_tables, 12)), np.zeros(16)
    legal = Legal(np.zeros(12, np.int64), np.zeros(4, np.int64), 3)
    row = Row(np.zeros(3, np.int64), np.zeros(3))
    functions[0](tables, settings, 0.0, 0, legal, row)
    rounds = np.zeros(1, np.int64)
    functions[1](tables, settings, legal, row, Episode(rounds, rounds, 0, 0.0, 0.0, 0.0))
    for each in functions:
        each.disable_compile()  # numba passes it as a pointer only then
    return Functions(*functions)


@cache
def _part(function: Callable[..., Any]) -> Any:
    """Return the compiled form of a function, and of all functions of `algorithms` it calls."""
    used = {}
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called.__module__.startswith(_ALGORITHMS):
            used[name] = _part(called)
    return cached_njit(function, used)
