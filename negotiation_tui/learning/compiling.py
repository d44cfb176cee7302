"""Compile the loop with numba: the code that a training needs, how long it takes, and when to wait.

Other code of the loop is compiled for learners that are asked for each action, for opponents with
a memory, and for hidden limits. If all learners are of one kind, it calls their functions directly,
three times as fast as by addresses; pairs of two kinds share one loop with addresses.
"""

import dis
from collections.abc import Callable, Iterable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import TOGETHER, Occupant, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row
from negotiation_tui.learning.backend import PLAIN, AlgorithmType, Backend, Code, UniformStream
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.runtime.jit import (
    LOADING,
    address,
    by_address,
    cached_njit,
    compiled_prefetch,
    numba_compiles,
    seconds_until_ready,
)
from negotiation_tui.runtime.output import say
from negotiation_tui.strategies.base import Strategy

COMPILING, COMPILING_LOOP, COMPILING_LEARNER = 3.0, 4.5, 0.4
"""Seconds of a processor to compile the loop (docs/benchmarks.md), that for learners of one kind or
for all pairs of two, and the functions of a learner for the latter."""
LOADING_LEARNERS = 0.02  # seconds of a processor to load any but the first, if it is kept
_PROGRAM = __name__.partition(".")[0] + "."


@cache
def new_backend() -> Backend | None:
    """Return the compiled backend, None without numba; its functions are compiled when called."""
    return Backend("compiled", _code, np.ascontiguousarray) if numba_compiles() else None


@cache
def jitted(function: Any, kind: AlgorithmType | None = None, inner: bool = False) -> Any:
    """Return the compiled form of a function; by `kind`, that of the only learners.

    Only compiled code may call the form of an `inner` function.
    """
    if function is loop.prefetch:
        return compiled_prefetch()
    if function in {loop.actions_of, loop.learn_from}:
        asks = function is loop.actions_of
        if kind is None:
            return by_address(_signatures()[0 if asks else 1])
        bound = _bound(_policy_alone if asks else _learn_alone, kind)
        parts = (("its_policy", kind.policy), ("its_learn", kind.learn))
        its = {name: jitted(part, inner=True) for name, part in parts}
        return cached_njit(bound, its, inner=True)
    inlined = function.__module__ == loop.__name__ and function.__name__ in loop.INLINED
    lines = (each for each in dis.get_instructions(function) if each.opname == "LOAD_GLOBAL")
    called = {line.argval: function.__globals__.get(line.argval) for line in lines}
    compiled = {
        name: jitted(each, kind, inner=True)
        for name, each in called.items()
        if isinstance(each, FunctionType) and each.__module__.startswith(_PROGRAM)
    }
    return cached_njit(function, compiled, forceinline=inlined, inner=inner)


its_policy: Any = None
its_learn: Any = None  # names that compiled code has for the functions of the only kind of learner


def _policy_alone(_policy: Any, *arguments: Any) -> int:
    n: int = its_policy(*arguments)
    return n


def _learn_alone(_learn: Any, *arguments: Any) -> None:
    its_learn(*arguments)


def _bound(function: Any, kind: AlgorithmType) -> FunctionType:
    copy = FunctionType(function.__code__, function.__globals__, function.__name__)
    copy.__annotations__ = function.__annotations__
    copy.__qualname__ = f"{function.__name__}_{kind.__name__}"
    return copy


@cache
def _code(*kinds: AlgorithmType) -> Code:
    only = kinds if len(kinds) == 1 else ()
    code = Code(jitted(loop.play, *only), jitted(loop.write_policy, *only))
    if len(kinds) < 2:
        return code._replace(functions=np.zeros((2, 1), np.int64)) if kinds else code
    both = [[jitted(each, inner=True) for each in (kind.policy, kind.learn)] for kind in kinds]
    addresses = np.array([list(map(address, each, _signatures())) for each in both], np.int64)
    return code._replace(functions=addresses.T.copy())


@cache
def _signatures() -> tuple[Any, Any]:
    """Return the signatures of the functions `policy` and `learn` of all learners."""
    from numba import typeof, types

    kind_of: Any = typeof  # untyped
    legal = Legal(np.zeros(1, np.int16), np.zeros(1, np.int64), 1)
    row = Row(np.zeros(1, np.int64), np.zeros(1))
    episode = Episode(row.actions, row.actions, 0, 0.0, 0.0, 0.0, 0.0)
    tables, settings, *more = map(kind_of, (np.zeros((1, 1)), row.weights, legal, row))
    policy = tables, settings, types.float64, types.int64, *more
    return types.int64(*policy), types.void(tables, settings, *more, kind_of(episode))


_LOOP = "inner loop"
_READY: set[object] = set()


class _Needed(NamedTuple):
    """The needs of a training."""

    learners: list[TabularAlgorithm]  # those that are asked for each action
    memory: bool  # True if an opponent of these has a memory
    hidden: bool
    code: dict[object, tuple[Callable[..., Any], float, float, bool]]
    """Code that this process has not compiled: one of its functions, the seconds to compile it and
    to load it, and if it is inner. First comes the loop of two Q-learners with known limits."""


def _needed(occupants: Iterable[Occupant], hidden: bool) -> _Needed:
    seats = list(occupants)
    learners = [each for each in seats if isinstance(each, TabularAlgorithm)]
    strategies = [each for each in seats if isinstance(each, Strategy)]
    if all(isinstance(each, QLearning) and each.schedule != TOGETHER for each in learners):
        learners = []
    heeds = (each.depends_on & {"own", "history"} for each in strategies)
    memory = bool(learners) and any(heeds)
    kinds: list[AlgorithmType] = list(dict.fromkeys(map(type, learners)))
    more: dict[object, tuple[Callable[..., Any], float]] = {}
    if len(kinds) == 1:
        more[*kinds, memory, hidden] = _bound(_policy_alone, kinds[0]), COMPILING_LOOP
    elif kinds:
        more = {kind: (kind.learn, COMPILING_LEARNER) for kind in kinds}
        more[memory, hidden] = loop.write_row, COMPILING_LOOP  # only such learners need it
    elif hidden:
        more["hidden limits"] = loop.play, COMPILING
    code: dict[object, tuple[Callable[..., Any], float, float, bool]] = {
        key: (part, seconds, LOADING_LEARNERS, part is not loop.play)
        for key, (part, seconds) in more.items()
    }
    code = {_LOOP: (loop.play, COMPILING, LOADING, False), **code}
    missing = {key: each for key, each in code.items() if key not in _READY}
    return _Needed(learners, memory, hidden, missing)


def seconds_to_compile(occupants: Iterable[Occupant] = (), hidden: bool = False) -> float:
    """Return about how long `fastest_backend` takes: nothing once this process has the code."""
    return _seconds(_needed(occupants, hidden))


def _seconds(needed: _Needed) -> float:
    return sum((seconds_until_ready(*each) for each in needed.code.values()), 0.0)


def fastest_backend(occupants: Iterable[Occupant] = (), hidden: bool = False) -> Backend:
    """Return the compiled backend with the code that these need; without numba the plain one.

    A bar says what is compiled if that takes long.
    """
    backend, seats = new_backend(), list(occupants)
    for needs in ([], False), (seats, hidden):
        needed = _needed(*needs)
        if backend is None or not needed.code:
            continue
        if _seconds(needed) > sum(loading for *_, loading, _ in needed.code.values()):
            names = " and ".join(dict.fromkeys(learner.name for learner in needed.learners))
            only = " for hidden limits" * needed.hidden
            say(f"compiling {names or f'the inner loop{only}'}; it is kept for the next time")
        _warm_up(backend, needed)
        _READY.update(needed.code)
        say("")
    return backend or PLAIN


def _warm_up(backend: Backend, needed: _Needed) -> None:
    limits = {"seller": {"limits": [0, 1]}} if needed.hidden else {}
    smallest = {"prices": 2, "rounds": 1, "states": "opener-aware", **limits}
    scenario, learners = Scenario.from_dict(smallest), needed.learners or [Q_LEARNING]
    population, buyer = Population(scenario, backend), Role.BUYER
    seller = TabularPlayer(learners[0], Role.SELLER, population)
    if needed.memory:
        from negotiation_tui.strategies.tit_for_tat import Relative

        population.play_table(buyer, Relative().remembering(scenario, buyer))
    else:
        TabularPlayer(learners[-1], buyer, population)
    drawn = np.zeros((2, 2), np.int32) if needed.hidden else None
    schedule = Schedule((Role.SELLER,) * 2, Opener.ALTERNATE, np.zeros(2), limit_pairs=drawn)
    stream = UniformStream(np.random.default_rng(0))
    population.play(schedule, stream)
    _ = seller.policy
