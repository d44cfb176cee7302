"""The functions of learners and their loop: as Python runs them, or compiled by numba."""

import warnings
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.learning import learner_loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.runtime.jit import cached_njit

_PROGRAM = __name__.partition(".")[0] + "."


class Functions(NamedTuple):
    """The functions of one kind of learner; equal kinds share them."""

    policy: Callable[..., int]
    learn: Callable[..., None]


class LearnerLoop(NamedTuple):
    """The functions that need no kind of learner."""

    play: Callable[..., tuple[int, int, int, int, int]]
    write_policy: Callable[..., None]
    write_table: Callable[..., None]


_PLAIN_LOOP = LearnerLoop(
    learner_loop.play_learners, learner_loop.write_policy, learner_loop.write_table
)


def loop_of(backend: Backend) -> LearnerLoop:
    """Return the loop in a backend's form. Compiled code is compiled when it is first called."""
    return _PLAIN_LOOP if backend is PLAIN else _compiled_loop()


def functions_of(algorithm: TabularAlgorithm, backend: Backend) -> Functions:
    """Return the functions of a learner in a backend's form."""
    kind = type(algorithm)
    return Functions(kind.policy, kind.learn) if backend is PLAIN else _compiled(kind)


@cache
def _compiled_loop() -> LearnerLoop:
    return LearnerLoop(*map(jitted, _PLAIN_LOOP))


@cache
def _compiled(algorithm: type[TabularAlgorithm]) -> Functions:
    """Return the compiled functions of a learner, each for the one kind of arguments it has.

    A function with one kind of arguments can be passed as a pointer.
    """
    # Not shared with learners that call them: those may compile them for more kinds of arguments.
    functions = [cached_njit(each, _called(each)) for each in (algorithm.policy, algorithm.learn)]
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
def jitted(function: Any) -> Any:
    """Return the compiled form of a function and of all that it calls; compiled when called."""
    # Functions as arguments are experimental, numba warns.
    warnings.filterwarnings("ignore", message="First-class function type")
    return cached_njit(function, _called(function))


def _called(function: Any) -> dict[str, Any]:
    """Return the compiled form of all functions of this program that a function calls, by name.

    Functions called by these are there too, under their full names: a change in one of them is a
    change in `function`.
    """
    called: dict[str, Any] = {}
    for name in function.__code__.co_names:
        each = function.__globals__.get(name)
        if isinstance(each, FunctionType) and each.__module__.startswith(_PROGRAM):
            called |= {f"{each.__module__}.{n}": one for n, one in _called(each).items()}
            called[name] = jitted(each)
    return called
