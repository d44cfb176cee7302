"""Backward induction with one limit a side, up to 7 times as fast as `belief_induction`."""

import sys
import time
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.jit import BackgroundCompiler, cached_njit, numba_compiles
from negotiation_tui.solvers.induction_kernel import (
    FlatGame,
    FlatPolicy,
    Scratch,
    induce,
    induce_both,
)
from negotiation_tui.solvers.payoffs import Payoffs

COMPILE_AFTER = 0.3
"""Seconds of work with numpy after which compiling begins, where numba is loaded."""

_EQUAL = np.ones(1)  # the weights of a policy that has none

N = TypeVar("N", np.int32, np.float64)
Kernel = Callable[..., None]
RoleValues = tuple[tuple[float, float], tuple[float, float]]
"""As opener and as responder: the value of the best response, and of the role's policy."""


class Matchup(NamedTuple):
    """A role and its policy against an opponent's; no policy is worth 0."""

    scenario: Scenario
    role: Role
    policy: TabularPolicy | None
    opponent: TabularPolicy
    discount_rate: float


class Induction:
    """With numpy, or compiled once that has taken long: who asks once waits for no compiler."""

    def __init__(self) -> None:
        self._spent = 0.0
        self.compiling: BackgroundCompiler[Kernel] = BackgroundCompiler(compiled)

    def __call__(self, matchup: Matchup) -> tuple[RoleValues, Floats]:
        """Return a role's values against an opponent, and `BestResponse.offer_values`."""
        if self.compiling.done is not None:
            return by_kernel(self.compiling.done, matchup)
        start = time.perf_counter()
        result = by_numpy(matchup)
        self._spent += time.perf_counter() - start
        if self._spent > COMPILE_AFTER and sys.modules.get("numba") and numba_compiles():
            self.compiling.begin()
        return result


def compiled() -> Kernel:
    """Return the compiled kernel; the first time on a machine takes seconds."""
    inner = cached_njit(induce, inner=True)
    both: Kernel = cached_njit(induce_both, {"induce": inner})
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1})
    policy = TabularPolicy(scenario, np.zeros((6, 1), np.int32), np.ones(6, np.int32))
    by_kernel(both, Matchup(scenario, Role.SELLER, policy, policy, 1.0))
    return both


def by_kernel(kernel: Kernel, matchup: Matchup) -> tuple[RoleValues, Floats]:
    """Return what `Induction` returns, by the kernel: plain or compiled."""
    scenario, role, policy, opponent, discount_rate = matchup
    own, other = (flat_policy(each) for each in (policy or opponent, opponent))
    P, (offers, rewards, _, _) = scenario.n_prices, Payoffs.of(scenario, role)
    offer_values = _offer_values(scenario, opponent)
    # One allocation: each costs as much as a small game.
    sizes = P, P * (1 + own.remembers_own_offer * P), P * (P if other.remembers_own_offer else 1), P
    ends = list(accumulate((4, *sizes)))
    room = np.zeros(ends[-1])
    parts = [room[begin:end] for begin, end in pairwise(ends)]
    n_offers, rounds, rate = offers.stop - offers.start, scenario.rounds, float(discount_rate)
    evaluated = policy is not None
    reward, factors = rewards[:, 0], np.array(scenario.time_factors[role])
    game = FlatGame(own, other, offers.start, n_offers, reward, factors, rounds, rate, evaluated)
    kernel(game, offer_values.reshape(2, -1), Scratch(*parts), room[:4])
    best, mean, later_best, later_mean = room[:4].tolist()
    return ((best, mean), (later_best, later_mean)), offer_values


def flat_policy(policy: TabularPolicy) -> FlatPolicy:
    """Return a policy as the kernel takes it."""
    actions, n_actions = _whole(policy.actions), _whole(policy.n_actions)
    weights = _EQUAL if policy.weights is None else _whole(policy.weights).reshape(-1)
    more = policy.remembers_own_offer, policy.responder_offset
    return FlatPolicy(actions.reshape(-1), n_actions, weights, actions.shape[1], *more)


def _whole(array: NDArray[N]) -> NDArray[N]:
    return array if array.flags.writeable and array.flags.c_contiguous else array.copy()


def _offer_values(scenario: Scenario, opponent: TabularPolicy) -> Floats:
    P = scenario.n_prices
    blocks = P if opponent.remembers_own_offer else 1
    return np.full((2, scenario.rounds, blocks, P), -np.inf)


def by_numpy(matchup: Matchup) -> tuple[RoleValues, Floats]:
    """Return what `Induction` returns, all standing offers of a ply at once."""
    offer_values = _offer_values(matchup.scenario, matchup.opponent)
    as_opener, as_responder = (_induce(matchup, n, offer_values[n]) for n in range(2))
    return (as_opener, as_responder), offer_values


def _induce(matchup: Matchup, first_ply: int, offer_values: Floats) -> tuple[float, float]:
    scenario, role, policy, opponent, discount_rate = matchup
    P, opened = scenario.n_prices, first_ply == 0
    payoffs, factors = Payoffs.of(scenario, role), scenario.time_factors[role]
    legal, reward, closing = payoffs.offers, payoffs.rewards[:, 0], payoffs.closing[:, 0]
    # The value of each answer of the opponent to each offer: the best of it, and both playing on.
    best_answers, mean_answers = np.zeros((2, P, scenario.n_actions))
    best, mean = np.zeros(P), np.zeros((P, 1))
    for ply in reversed(range(first_ply, 2 * scenario.rounds, 2)):
        rate = discount_rate if ply > 1 else 1.0
        later, now = factors[ply], factors[max(ply - 1, 0)]  # for the offer made, and the standing
        options = np.zeros((P if ply else 1, scenario.n_actions))
        tops: Any = -np.inf
        if ply < 2 * scenario.rounds - 1:
            best_answers[:, scenario.accept] = mean_answers[:, scenario.accept] = reward * later
            best_answers[:, :P], mean_answers[:, :P] = best, mean.T
            rows = _rows_at(opponent, ply + 1, opened=not opened, first=ply == 0)
            values = offer_values[ply // 2, : len(rows[0])]
            values[:, legal] = _mean(best_answers, opponent, rows).T[:, legal]
            tops = values.max(axis=1)
            if policy is not None:
                options[:, :P] = _mean(mean_answers, opponent, rows).T
        best = rate * (np.maximum(closing * now, tops) if ply else tops)
        if policy is not None:
            options[:, scenario.accept] = reward * now if ply else 0.0
            mean = rate * _mean(options, policy, _rows_at(policy, ply, opened, first=ply <= 1))
    if opened:
        return float(best[0]), float(mean[0, 0])
    opening = np.zeros((2, 1, scenario.n_actions))
    opening[0, 0, :P], opening[1, 0, :P] = best, mean[:, 0]
    start = np.full((1, 1), START, np.int32)
    return pair(float(_mean(values, opponent, start)[0, 0]) for values in opening)


def _rows_at(
    policy: TabularPolicy, ply: int, opened: bool, first: bool = False
) -> NDArray[np.int32]:
    """The rows at a ply, standing offer × own last offer; `first`: it has made no offer yet."""
    if ply == 0:
        return np.full((1, 1), START, np.int32)
    rows = policy.rows((ply - 1) // 2, opened)[:, None]
    if not policy.remembers_own_offer:
        return rows
    own = np.arange(policy.scenario.n_prices, dtype=np.int32) + 1
    return rows + (0 if first else own)


def _mean(values: Floats, policy: TabularPolicy, rows: NDArray[np.int32]) -> Floats:
    """Return the mean of a policy's action values, of which `values` has one row per row."""
    n_actions = policy.n_actions[rows]
    width = int(n_actions.max())
    actions = policy.actions[rows, :width]
    used = np.arange(width) < n_actions[..., None]
    each = values[np.arange(len(rows))[:, None, None], actions]
    if policy.weights is not None:
        each *= policy.weights[rows, :width]
    # Added one after the other, as the kernel does: `sum` adds in pairs.
    total: Floats = np.add.accumulate(np.where(used, each, 0.0), axis=-1)[..., -1]
    return total if policy.weights is not None else total / n_actions
