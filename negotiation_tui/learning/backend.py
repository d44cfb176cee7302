"""Running the inner loop: plain or compiled, with random numbers drawn ahead in blocks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Transcript, play_out
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_table
from negotiation_tui.learning import kernel
from negotiation_tui.learning.best_response_kernel import InnerLoop, respond, responding
from negotiation_tui.learning.kernel import SeatArrays, Setup
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.runtime.jit import cached_njit, prefetch
from negotiation_tui.solvers.subgame_perfect import rewards

DRAWS = 1 << 14
_NUMBERS = {"remembers_own_offer", "responder_offset", "first_offer", "n_offers"}
_FLOATS = {"learning_rates", "discount_rates", "q", "best", "rewards"}


@dataclass(frozen=True, slots=True)
class Backend:
    """One way to run the inner loop, and the form its rows of numbers take for it."""

    name: str
    play: InnerLoop
    play_responding: InnerLoop
    """The same where the trainer's seat is formed anew at the start of each cycle."""
    row: Callable[[NDArray[Any]], Any]

    def seat(self, seat: SeatArrays) -> SeatArrays:
        """A seat in this backend's form; a table shared by two fields stays shared."""
        formed: dict[int, Any] = {}
        for name, value in seat._asdict().items():
            if name not in _NUMBERS and id(value) not in formed:
                kind = np.float64 if name in _FLOATS else np.int32
                formed[id(value)] = self.row(np.asarray(value, kind))
        return SeatArrays(*(formed.get(id(value), value) for value in seat))


PLAIN = Backend(
    "plain", kernel.play, responding(kernel.play, respond), lambda array: array.tolist()
)


def compile_backend() -> Backend | None:
    """The compiled backend, or None without numba; takes seconds the first time on a machine."""
    try:
        import numba
    except ImportError:
        return None
    play, formed = (
        cached_njit(kernel.play, {"prefetch": prefetch()}),
        cached_njit(respond, allocates=True),
    )
    # Not kept: numba would not see that what it calls has changed. It is compiled when first used.
    in_cycles = numba.njit(nogil=True)(responding(play, formed))
    backend = Backend("compiled", play, in_cycles, np.ascontiguousarray)
    _warm_up(backend)
    return backend


@cache
def fastest_backend() -> Backend:
    """The fastest there is in this process."""
    return compile_backend() or PLAIN


def _warm_up(backend: Backend) -> None:
    """Have it compile now, on the smallest game there is."""
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1})
    table = np.zeros((scenario.n_states, scenario.n_actions))
    seller, buyer = (backend.seat(learner_seat(scenario, role, table, 0.1, 0.9)) for role in Role)
    schedule = Schedule((Role.SELLER, Role.BUYER), Opener.ALTERNATE, np.zeros(1))
    play(backend, scenario, (seller, buyer), schedule, UniformStream(np.random.default_rng(0)))


class UniformStream:
    """Uniform random numbers in [0, 1) from one generator, handed out in order."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._block: Any = []
        self._room = np.empty(0)
        self._position = 0
        self._form: Backend | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For pickle, without the functions of a backend; the block is formed anew."""
        return {**vars(self), "_form": None}

    def block(self, backend: Backend, at_least: int, ahead: int = 0) -> tuple[Any, int]:
        """A row of at least so many draws that were not used yet, and where it begins.

        `ahead` are drawn at a time, where any must be. The row holds until the next is asked for.
        """
        if len(self._block) - self._position < at_least or backend is not self._form:
            left = np.asarray(self._block[self._position :], np.float64)
            wanted = max(DRAWS, ahead) if len(left) < at_least else 0
            wanted = max(wanted, at_least - len(left))
            size = len(left) + wanted
            if size > len(self._room):  # kept, for fresh memory costs more than the numbers
                self._room = np.empty(size)
            self._room[: len(left)] = left
            self._rng.random(out=self._room[len(left) : size])
            self._block = backend.row(self._room[:size])
            self._position, self._form = 0, backend
        return self._block, self._position

    def used_up_to(self, position: int) -> None:
        """Say how far into the block one got."""
        self._position = position


def learner_seat(
    scenario: Scenario,
    role: Role,
    q: NDArray[np.float64],
    learning_rate: float,
    discount_rate: float,
) -> SeatArrays:
    """A learner with this table; as trainer it plays what the table knows now. Arrays."""
    policy = greedy(scenario, role, q)
    legal, n_legal = legal_table(scenario, role)
    return SeatArrays(
        np.array([learning_rate]),
        np.array([discount_rate]),
        q=q.ravel().copy(),
        best=np.where(
            policy.n_actions > 0, np.take_along_axis(q, policy.actions[:, :1], 1)[:, 0], 0.0
        ),
        actions=policy.actions.ravel(),
        n_actions=policy.n_actions,
        frozen_actions=policy.actions.ravel().copy(),
        frozen_n_actions=policy.n_actions.copy(),
        remembers_own_offer=0,
        legal=legal.ravel(),
        n_legal=n_legal,
        legal_of=np.zeros(1, np.int32),
        rewards=rewards(scenario, role),
        responder_offset=policy.responder_offset,
        first_offer=scenario.offers(role)[0],
        n_offers=len(scenario.offers(role)),
    )


def policy_seat(policy: TabularPolicy, role: Role) -> SeatArrays:
    """A seat that plays a policy and learns nothing. Arrays."""
    ties, count = policy.actions.ravel(), policy.n_actions
    unused, nothing = np.zeros(1), np.zeros(1, np.int32)
    scenario = policy.scenario
    return SeatArrays(
        learning_rates=np.zeros(1),
        discount_rates=np.zeros(1),
        q=unused,
        best=unused,
        actions=ties,
        n_actions=count,
        frozen_actions=ties,
        frozen_n_actions=count,
        remembers_own_offer=policy.remembers_own_offer,
        legal=nothing,
        n_legal=nothing,
        legal_of=nothing,
        rewards=rewards(scenario, role),
        responder_offset=policy.responder_offset,
        first_offer=scenario.offers(role)[0],
        n_offers=len(scenario.offers(role)),
    )


@dataclass(frozen=True, slots=True)
class EpisodeBatch:
    """What came of some episodes."""

    statistics: NDArray[np.int64]
    """Shape (cycles touched, N_STATISTICS); the columns are the kernel's."""
    transcript: Transcript
    """The last episode."""


def play(
    backend: Backend,
    scenario: Scenario,
    seats: Sequence[SeatArrays],
    schedule: Schedule,
    draws: UniformStream,
    responds: bool = False,
) -> EpisodeBatch:
    """Play the episodes of a schedule with seats in the backend's form, which are learned into.

    With `responds` the trainer's seat is formed anew at the start of each cycle.
    """
    cycles, opener, starts = schedule.n_cycles, schedule.opener, schedule.starts
    setup = Setup(
        (seats[0], seats[1]),
        trainees=(int(schedule.trainees[0]), int(schedule.trainees[1])),
        opener=kernel.ALTERNATE if opener is Opener.ALTERNATE else int(opener.role()),
        first=schedule.start,
        episodes=schedule.episodes,
        epsilons=backend.row(schedule.epsilons),
        expected=schedule.expected,
        prices=backend.row(np.array(scenario.prices, np.int64)),
        rounds=scenario.rounds,
        statistics=backend.row(np.zeros((cycles, kernel.N_STATISTICS), np.int64)),
        starts=backend.row(np.zeros((cycles, 2), np.int64) if starts is None else starts),
        turns=backend.row(np.zeros(2 * scenario.rounds, np.int32)),
        explored=backend.row(np.zeros(2 * scenario.rounds, np.int32)),
    )
    at, stop, opened, begun, n_turns = schedule.start, schedule.stop, 0, 0, 0
    inner_loop = backend.play_responding if responds else backend.play
    while at < stop:
        block, position = draws.block(backend, 3 * scenario.rounds + 3)
        at, position, opened, begun, n_turns = inner_loop(setup, None, at, stop, block, position)
        draws.used_up_to(position)
    actions = iter(setup.turns)
    return EpisodeBatch(
        np.asarray(setup.statistics, np.int64),
        play_out(
            scenario,
            Role(int(opened)),
            lambda _: int(next(actions)),
            setup.explored[:n_turns],
            int(begun),
        ),
    )
