"""A side and the books as they are when a market opens, and as they were when it was kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.kernel_seats import Occupant, greedy_rows, learner_seats, policy_seats
from negotiation_tui.market.ledger import N_GROUPS, N_HISTORY, N_NOTES, Ledger, Side
from negotiation_tui.players.spec import LEARNED

_ACCOUNTS = ("free_at", "meetings", "deals", "money")
_ROWS = ("history", "sold")
State = Mapping[str, NDArray[Any]]


def clock_of(state: State | None) -> tuple[int, int, int]:
    """Ticks, negotiations and draws so far; BadInputError where a state does not say."""
    if state is None:
        return 0, 0, 0
    clock = state["clock"]
    if clock.dtype != np.int64 or clock.shape != (3,) or not (clock >= 0).all():
        raise BadInputError(f"its clock is {clock}, use three whole numbers from 0 on")
    tick, negotiations, draws = map(int, clock)
    return tick, negotiations, draws


def new_side(
    scenario: Scenario,
    role: Role,
    agents: Sequence[Agent],
    wallet_index: Sequence[int],
    scale: int,
    strategy_from_spec: Occupant,
) -> Side:
    """The agents of a role, learners first, before anything happened. Arrays."""
    learners = [agent for agent in agents if agent.strategy == LEARNED]
    others = agents[len(learners) :]
    n = len(agents)
    learning = [agent.learning for agent in learners]
    end = np.array([one.exploration_end for one in learning], np.float64)
    start = np.array([one.exploration_start for one in learning], np.float64)
    decay = np.array([one.exploration_decay for one in learning], np.float64)
    return Side(
        len(learners),
        learner_seats(scenario, role, learners, scale),
        policy_seats(scenario, role, others, strategy_from_spec),
        reservation=np.array([agent.reservation for agent in agents], np.int64),
        wallet_index=np.array(wallet_index, np.int64),
        **{name: np.zeros(n, np.int64) for name in _ACCOUNTS},
        floor=end,
        excess=start - end,
        fall=np.exp(-decay),
        free=np.zeros(n, np.int64),
    )


def new_books(scenario: Scenario, pairs: int, rows: int) -> Ledger:
    """Empty books for so many pairs in a tick. Arrays."""
    return Ledger(
        history=np.zeros((rows, N_HISTORY), np.int64),
        sold=np.zeros((rows, scenario.n_prices), np.int64),
        pairs=np.zeros((N_GROUPS, pairs, 2), np.int32),
        in_group=np.zeros(N_GROUPS, np.int64),
        epsilons=np.zeros(pairs),
        statistics=np.zeros((pairs, N_STATISTICS), np.int64),
        kept=np.zeros(scenario.n_prices),
        starts=np.zeros((1, 2), np.int64),
        **notes(scenario, 1),
    )


def notes(scenario: Scenario, rows: int) -> dict[str, NDArray[Any]]:
    """Empty rows of the books for what is said: one, or as many as there are pairs. Arrays."""
    shape = rows, 2 * scenario.rounds
    return {
        "turns": np.zeros(shape, np.int32),
        "explored": np.zeros(shape, np.int32),
        "notes": np.zeros((rows, N_NOTES), np.int64),
        "chances": np.zeros(rows),
    }


def state_of(sides: Sequence[Side], books: Ledger) -> dict[str, NDArray[Any]]:
    """What changes of sides and books while a market goes on, as arrays by name."""
    found: dict[str, NDArray[Any]] = {}
    for role, side in zip(Role, sides, strict=True):
        for name in _ACCOUNTS:
            found[f"{role}_{name}"] = np.array(getattr(side, name), np.int64)
        found[f"{role}_excess"] = np.array(side.excess, np.float64)
        found[f"{role}_q"] = np.array(side.learners.q, np.float64)
        # The last state's is what being free is worth; the others follow from q.
        states = len(side.learners.best) // max(1, side.n_learners)
        found[f"{role}_free_worth"] = np.array(side.learners.best, np.float64)[states - 1 :: states]
    for name in _ROWS:
        found[name] = np.array(getattr(books, name), np.int64)
    return found


def restored_side(scenario: Scenario, role: Role, side: Side, state: State) -> Side:
    """A new side with what a state says of it; BadInputError where that does not fit. Arrays."""
    kept: dict[str, Any] = {
        name: _like(state, f"{role}_{name}", getattr(side, name)) for name in _ACCOUNTS
    }
    excess = _like(state, f"{role}_excess", side.excess)
    shape = (-1, scenario.n_states, scenario.n_actions)
    seat = side.learners
    q = _like(state, f"{role}_q", seat.q)
    legal, number = seat.legal.reshape(shape), seat.n_legal.reshape(shape[:2])
    ties, count, best = greedy_rows(q.reshape(shape), legal[seat.legal_of], number[seat.legal_of])
    free = best[scenario.n_states - 1 :: scenario.n_states]
    free[:] = _like(state, f"{role}_free_worth", free)
    seat = seat._replace(
        q=q, best=best, actions=ties, n_actions=count, frozen_actions=ties, frozen_n_actions=count
    )
    return side._replace(learners=seat, excess=excess, **kept)


def restored_books(books: Ledger, state: State, each: int) -> Ledger:
    """New books with what a state says; BadInputError where that does not fit. Arrays.

    So many rows of its history as `each` says become one.
    """
    wider = {name: _joined(state[name], each, len(getattr(books, name))) for name in _ROWS}
    state = {**state, **wider}
    return books._replace(**{name: _like(state, name, getattr(books, name)) for name in _ROWS})


def _joined(history: NDArray[Any], each: int, rows: int) -> NDArray[Any]:
    """So many rows of which each is the sum of some there were, zeros behind them."""
    most = rows * each
    if history.ndim != 2 or history[most:].any():
        return history  # refused further on
    found = np.zeros((most, history.shape[1]), np.int64)
    found[: len(history)] = history[:most]
    joined: NDArray[np.int64] = found.reshape(rows, each, -1).sum(1)
    return joined


def _like(state: State, name: str, usual: NDArray[Any]) -> NDArray[Any]:
    found = state[name]
    if found.dtype != usual.dtype or found.shape != usual.shape:
        raise BadInputError(
            f"its {name} are {found.shape} {found.dtype} numbers, use {usual.shape} {usual.dtype}"
        )
    if not np.isfinite(found).all():
        raise BadInputError(f"its {name} are not all finite numbers")
    return found.copy()
