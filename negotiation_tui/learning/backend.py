"""Run the inner loop, plain or compiled, with random numbers drawn in blocks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.draws import UNIFORM, drawn, share
from negotiation_tui.game.memory import note, recall
from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning import kernel
from negotiation_tui.learning.best_response_kernel import InnerLoop, respond, responding
from negotiation_tui.learning.frozen_policy import freeze, log_change
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel_arguments import SeatArrays, Setup, is_general
from negotiation_tui.learning.limit_counts import note_limits
from negotiation_tui.learning.q_table import untrained
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import n_columns
from negotiation_tui.runtime.jit import LOADING, cached_njit, prefetch, seconds_until_ready
from negotiation_tui.runtime.progress_bar import say
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.solvers.induction_kernel import induce
from negotiation_tui.solvers.payoffs import rewards

Floats = NDArray[np.float64]
DRAWS, MANY_DRAWS = 1 << 14, 1 << 16  # in a block, at least; a call takes as long as 10,000
_NUMBERS = {"responder_offset"}
_FLOATS = {"learning_rates", "discount_rates", "q", "best", "cumulative", "rewards"}
_NARROW = {"actions", "n_actions", "frozen_actions", "frozen_n_actions"}


@dataclass(frozen=True, slots=True)
class Backend:
    """One way to run the inner loop, and the form of its rows: lists or arrays."""

    name: str
    play: InnerLoop
    play_responding: InnerLoop
    """As `play`, with a best responder that is updated at the start of each cycle."""
    row: Callable[[NDArray[Any]], Any]

    def seat(self, seat: SeatArrays) -> SeatArrays:
        """Return a seat in this backend's form; a table shared by two fields stays shared."""
        converted: dict[int, Any] = {}
        for name, value in seat._asdict().items():
            if name not in _NUMBERS and id(value) not in converted:
                # At most 1002 actions: narrow integers, so that more rows fit into the cache.
                kind: type = np.float64 if name in _FLOATS else np.int64
                if name in _NARROW:
                    kind = np.int16
                converted[id(value)] = self.row(np.asarray(value, kind))
        return SeatArrays(*(converted.get(id(value), value) for value in seat))


PLAIN = Backend(
    "plain", kernel.play, responding(kernel.play, respond), lambda array: array.tolist()
)


def compile_backend() -> Backend | None:
    """Return the compiled backend, None without numba. The first time takes seconds."""
    try:
        with uninterrupted():  # or numpy would report its import as failed
            import numba
    except ImportError:
        return None
    functions = drawn, share, note, recall, freeze, log_change, note_limits
    parts = {each.__name__: cached_njit(each) for each in functions}
    parts |= {"prefetch": prefetch(), "Setup": Setup}  # a change in Setup is one in the loop
    play = cached_njit(kernel.play, parts)
    compiled_respond = cached_njit(
        respond, {"induce": cached_njit(induce, allocates=True)}, allocates=True
    )
    # Compiled on first use and not cached: numba would miss a change in the functions it calls.
    play_responding = numba.njit(nogil=True)(responding(play, compiled_respond))
    backend = Backend("compiled", play, play_responding, np.ascontiguousarray)
    _warm_up(backend)
    return backend


COMPILING = 2.6
"""Seconds of a processor to compile the inner loop (docs/benchmarks.md)."""


@cache
def fastest_backend() -> Backend:
    """Return the compiled backend if numba is installed, otherwise the plain one.

    A bar that is shown says so while it compiles.
    """
    if seconds_to_compile() > LOADING:
        say("compiling the inner loop; it is kept for the next time")
    backend = compile_backend() or PLAIN
    say("")
    return backend


def seconds_to_compile() -> float:
    """Return about how long `fastest_backend` takes: nothing once this process has it."""
    if fastest_backend.cache_info().currsize:
        return 0.0
    return seconds_until_ready(kernel.play, COMPILING)


def _warm_up(backend: Backend) -> None:
    """Compile now, by playing one episode of the smallest game."""
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1})
    seller, buyer = (backend.seat(learner_seat(scenario, role, Parameters())) for role in Role)
    schedule = Schedule((Role.SELLER, Role.BUYER), Opener.ALTERNATE, np.zeros(1))
    play(backend, scenario, (seller, buyer), schedule, UniformStream(np.random.default_rng(0)))


class UniformStream:
    """Uniform random numbers in [0, 1) from one generator, handed out in order."""

    def __init__(self, rng: np.random.Generator, drawn: Sequence[float] | Floats = ()) -> None:
        """`drawn` are the first numbers, drawn already."""
        self._rng = rng
        self._block: Any = drawn
        self._buffer = np.empty(0)
        self._position = 0
        self._backend: Backend | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without the backend, whose functions cannot be pickled."""
        return {**vars(self), "_backend": None}

    @property
    def unused(self) -> Floats:
        """A copy of the numbers that were drawn and not used."""
        return np.array(self._block[self._position :], np.float64)

    def block(self, backend: Backend, at_least: int, ahead: int = 0) -> tuple[Any, int]:
        """Return a row with at least `at_least` unused random numbers and the index of the first.

        Refills in blocks of at least `ahead`. The row is valid until the next call.
        """
        if len(self._block) - self._position < at_least or backend is not self._backend:
            unused = np.asarray(self._block[self._position :], np.float64)
            n_new = max(DRAWS, ahead) if len(unused) < at_least else 0
            n_new = max(n_new, at_least - len(unused))
            size = len(unused) + n_new
            if size > len(self._buffer):  # reused, because new memory costs more than the draws
                self._buffer = np.empty(size)
            self._buffer[: len(unused)] = unused
            self._rng.random(out=self._buffer[len(unused) : size])
            self._block = backend.row(self._buffer[:size])
            self._position, self._backend = 0, backend
        return self._block, self._position

    def used_up_to(self, position: int) -> None:
        """Mark the numbers of the block before `position` as used."""
        self._position = position


def learner_seat(scenario: Scenario, role: Role, parameters: Parameters) -> SeatArrays:
    """Return the arrays of an untrained learner, one table per limit; see `q_table.untrained`."""
    initial_value, views = parameters.initial_value, scenario.views[role]
    n = len(views)
    q, policy = untrained(scenario, role, initial_value), untrained_policy(scenario, role)
    actions = policy.actions.ravel().astype(np.int16)
    return SeatArrays(
        np.full(n, parameters.learning_rate),
        np.full(n, parameters.discount_rate),
        q=q.ravel(),
        best=np.where(policy.n_actions > 0, initial_value, 0.0),
        actions=actions,
        n_actions=policy.n_actions,
        frozen_actions=actions.copy(),
        frozen_n_actions=policy.n_actions.copy(),
        cumulative=np.array([UNIFORM]),
        changed=np.zeros(scenario.n_rows(role), np.int32),
        memories=np.zeros(n, np.int32),
        **stakes(views, role),
        responder_offset=policy.responder_offset,
    )


def greedy_policy(scenario: Scenario, learner: SeatArrays, frozen: bool = False) -> TabularPolicy:
    """Return a copy of the policy that a learner keeps beside its Q-table: greedy, or frozen."""
    held = learner.frozen_actions if frozen else learner.actions
    counts = learner.frozen_n_actions if frozen else learner.n_actions
    actions = np.array(held, np.int32).reshape(-1, scenario.n_actions)
    n_actions = np.array(counts, np.int32)
    return TabularPolicy(
        scenario,
        actions,
        n_actions,
        opener_aware=scenario.opener_aware,
        n_tables=len(learner.memories),
    )


def stakes(views: Sequence[Scenario], role: Role) -> dict[str, NDArray[Any]]:
    """Return the legal offers and the rewards of each limit's game."""
    offers = [view.offers(role) for view in views]
    return {
        "first_offers": np.array([each.start for each in offers]),
        "n_offers": np.array([len(each) for each in offers]),
        "limits": np.array([view.limit(role) for view in views]),
        "rewards": np.concatenate([rewards(view, role) for view in views]),
    }


def policy_seat(policy: TabularPolicy, role: Role) -> SeatArrays:
    """Return the arrays of a seat that plays a fixed policy and does not learn."""
    actions, n_actions = policy.actions.ravel(), policy.n_actions
    no_floats, n = np.zeros(1), policy.n_tables
    return SeatArrays(
        learning_rates=np.zeros(n),
        discount_rates=np.zeros(n),
        q=no_floats,
        best=no_floats,
        actions=actions,
        n_actions=n_actions,
        frozen_actions=actions,
        frozen_n_actions=n_actions,
        cumulative=policy.cumulative,
        changed=np.zeros(1, np.int32),
        memories=np.full(n, policy.memory),
        **stakes(policy.scenario.views[role], role),
        responder_offset=policy.responder_offset,
    )


@dataclass(frozen=True, slots=True)
class EpisodeBatch:
    """The results of some episodes."""

    statistics: NDArray[np.int64]
    """Shape (cycles that have an episode, columns): the kernel's and those of limits."""
    transcript: Transcript
    """The transcript of the last episode."""


def play(
    backend: Backend,
    scenario: Scenario,
    seats: Sequence[SeatArrays],
    schedule: Schedule,
    draws: UniformStream,
    responds: bool = False,
) -> EpisodeBatch:
    """Play the episodes of a schedule; learners among the seats are updated in place.

    The seats are in the backend's form. With `responds`, the seat that does not learn is a best
    responder.
    """
    cycles, starts, pairs = schedule.n_cycles, schedule.starts, schedule.limits
    setup = Setup(
        (seats[0], seats[1]),
        learners=(int(schedule.learners[0]), int(schedule.learners[1])),
        opener=schedule.opener.number,
        first=schedule.start,
        episodes=schedule.episodes,
        epsilons=backend.row(schedule.epsilons),
        expected=schedule.expected,
        prices=backend.row(np.array(scenario.prices, np.int64)),
        rounds=scenario.rounds,
        market=0,
        statistics=backend.row(np.zeros((cycles, n_columns(scenario)), np.int64)),
        starts=backend.row(np.zeros((cycles, 2), np.int64) if starts is None else starts),
        turns=backend.row(np.zeros(2 * scenario.rounds, np.int32)),
        explored=backend.row(np.zeros(2 * scenario.rounds, np.int32)),
    )
    at, stop, opened, first_ply, n_turns = schedule.start, schedule.stop, 0, 0, 0
    played = None if pairs is None else backend.row(pairs)
    offers = None
    if any(map(is_general, seats)):
        offers = backend.row(np.zeros((2, scenario.rounds + 2), np.int32))
    inner_loop = backend.play_responding if responds else backend.play
    ahead = min(len(schedule.epsilons), MANY_DRAWS)
    while at < stop:
        block, position = draws.block(backend, 3 * scenario.rounds + 3, ahead)
        at, position, opened, first_ply, n_turns = inner_loop(
            setup, played, offers, at, stop, block, position
        )
        draws.used_up_to(position)
    actions = iter(setup.turns)
    return EpisodeBatch(
        np.asarray(setup.statistics, np.int64),
        play_out(
            schedule.game_of(scenario, stop - 1),
            Role(int(opened)),
            lambda _: int(next(actions)),
            setup.explored[:n_turns],
            int(first_ply),
        ),
    )
