"""Compiled code of the learners in a training: when it is ready, and how to make it ready.

Each loop has code of its own for scenarios with hidden limits.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import kernel, learner_loop
from negotiation_tui.learning.algorithms.base import TOGETHER, Occupant, TabularAlgorithm
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING, QLearning
from negotiation_tui.learning.backend import COMPILING, PLAIN, Backend, fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.jit import seconds_until_ready
from negotiation_tui.runtime.progress_bar import say
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.tit_for_tat import Relative

COMPILING_LOOP, COMPILING_LEARNER = 2.3, 0.7
"""Seconds of a processor to compile the learners' loop, and the functions of one learner."""
LOADING_LEARNERS = 0.02
"""Seconds of a processor to load either, if it is kept."""


class _Needed(NamedTuple):
    """The compiled code that a training needs besides the inner loop."""

    learners: list[TabularAlgorithm]
    memory: bool
    """True if an opponent has a memory, for which the loop has code of its own."""
    hidden: bool
    """True if limits are hidden; without such learners the inner loop plays them."""

    @classmethod
    def by(cls, occupants: Iterable[Occupant], hidden: bool) -> "_Needed":
        seats = list(occupants)
        learners = [each for each in seats if isinstance(each, TabularAlgorithm)]
        if all(isinstance(each, QLearning) and each.schedule != TOGETHER for each in learners):
            learners = []  # the inner loop plays them
        memory = any(
            isinstance(each, Strategy) and bool(each.depends_on & {"own", "history"})
            for each in seats
        )
        return cls(learners, memory and bool(learners), hidden)

    @property
    def missing(self) -> set[object]:
        """The kinds of learners, and of loops, that this process has not compiled."""
        loops: set[object] = {(self.memory, self.hidden)} if self.learners else set()
        if self.hidden and not self.learners:
            loops = {_INNER_LOOP}
        return {*map(type, self.learners), *loops} - _READY


_READY: set[object] = set()
_INNER_LOOP = "inner loop"


def seconds_for_learners(occupants: Iterable[Occupant], hidden: bool = False) -> float:
    """Return about how long `compile_learners` takes: nothing once this process has the code."""
    total = 0.0
    for part in _Needed.by(occupants, hidden).missing:
        function: Callable[..., Any] = learner_loop.play_learners
        seconds = COMPILING_LOOP
        if part == _INNER_LOOP:
            function, seconds = kernel.play, COMPILING
        if isinstance(part, type) and issubclass(part, TabularAlgorithm):
            function, seconds = part.learn, COMPILING_LEARNER
        total += seconds_until_ready(function, seconds, LOADING_LEARNERS)
    return total


def compile_learners(occupants: Iterable[Occupant], backend: Backend, hidden: bool = False) -> None:
    """Compile what the learners among these need, which a bar says if it takes long.

    `backend` is the compiled one; `hidden` is True if limits are.
    """
    seats = list(occupants)
    needed = _Needed.by(seats, hidden)
    missing = needed.missing
    if not missing:
        return
    if seconds_for_learners(seats, hidden) > LOADING_LEARNERS * len(missing):
        names = " and ".join(dict.fromkeys(learner.name for learner in needed.learners))
        names = names or "the inner loop for hidden limits"
        say(f"compiling {names}; it is kept for the next time")
    _warm_up(needed, backend)
    _READY.update(missing)
    say("")


def compiled_for(occupants: Iterable[Occupant], hidden: bool = False) -> Backend | None:
    """Return the compiled backend with the code that these need; None without numba."""
    backend = fastest_backend()
    if backend is PLAIN:
        return None
    compile_learners(occupants, backend, hidden)
    return backend


def _warm_up(needed: _Needed, backend: Backend) -> None:
    """Compile now, by a training in the smallest game."""
    limits = {"seller": {"limits": [0, 1]}} if needed.hidden else {}
    smallest = {"prices": 2, "rounds": 1, "states": "opener-aware", **limits}
    scenario, learners = Scenario.from_dict(smallest), needed.learners or [Q_LEARNING]
    learner, opponent = learners[0], learners[-1]
    training = ConcurrentTraining(
        scenario,
        Parameters(cycles=2, episodes=2),
        seller=learner,
        buyer=Relative() if needed.memory else opponent,
        backend=backend,
    )
    training.run()
    training.policy(Role.SELLER)
