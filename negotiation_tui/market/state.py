"""The state of a market: new, saved and restored."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.learning.q_table import MOST_COUNT, MOST_VALUE, check_values
from negotiation_tui.learning.spec import learns
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.ledger import N_GROUPS, N_HISTORY, N_NOTES, Ledger, Side
from negotiation_tui.market.traders import all_plain, tables_shape
from negotiation_tui.runtime.validate import refusal

_ACCOUNTS = ("free_at", "meetings", "deals", "money")
_ROWS = ("history", "sold")
State = Mapping[str, NDArray[Any]]


def clock_of(state: State | None) -> tuple[int, int, int]:
    """Return the ticks, negotiations and draws so far; raise BadInputError if they are damaged."""
    if state is None:
        return 0, 0, 0
    clock = state["clock"]
    if clock.dtype != np.int64 or clock.shape != (3,) or not (clock >= 0).all():
        raise refusal("clock", clock, "3 integers of at least 0")
    tick, negotiations, draws = map(int, clock)
    return tick, negotiations, draws


def new_side(first: int, agents: Sequence[Agent], wallet_index: Sequence[int]) -> Side:
    """Return the arrays of a role before the first tick; `agents` has its learners first.

    `first` is the number of its first agent.
    """
    learning = [agent.learning for agent in agents if learns(agent.strategy)]
    n = len(agents)
    end = np.array([each.exploration_end for each in learning], np.float64)
    start = np.array([each.exploration_start for each in learning], np.float64)
    decay = np.array([each.exploration_decay for each in learning], np.float64)
    return Side(
        first,
        len(learning),
        reservation=np.array([agent.reservation for agent in agents], np.int64),
        wallet_index=np.array(wallet_index, np.int64),
        **{name: np.zeros(n, np.int64) for name in _ACCOUNTS},
        floor=end,
        excess=start - end,
        decay=np.exp(-decay),
        free=np.zeros(n, np.int64),
    )


def new_ledger(scenario: Scenario, pairs: int, rows: int) -> Ledger:
    """Return an empty ledger for `pairs` pairs per tick and a history of `rows` rows."""
    return Ledger(
        history=np.zeros((rows, N_HISTORY), np.int64),
        sold=np.zeros((rows, scenario.n_prices), np.int64),
        pairs=np.zeros((N_GROUPS, pairs, 2), np.int32),
        in_group=np.zeros(N_GROUPS, np.int64),
        epsilons=np.zeros(pairs),
        statistics=np.zeros((pairs, N_COUNTS), np.int64),
        saved_rewards=np.zeros(scenario.n_prices),
        starts=np.zeros((1, 2), np.int64),
        **notes(scenario, 1),
    )


def notes(scenario: Scenario, rows: int) -> dict[str, NDArray[Any]]:
    """Return `rows` empty rows for the ledger's notes on negotiations."""
    shape = rows, 2 * scenario.rounds
    return {
        "turns": np.zeros(shape, np.int32),
        "explored": np.zeros(shape, np.int32),
        "notes": np.zeros((rows, N_NOTES), np.int64),
        "note_epsilons": np.zeros(rows),
    }


def kinds_of(
    scenario: Scenario, agents: Sequence[Agent], rows: int
) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Return the kind of number and the shape of each array of a state with `rows` rows."""
    kinds: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
        "clock": (np.int64, (3,)),
        "purses": (np.int64, (len({(each.team or each.name) for each in agents}),)),
        "history": (np.int64, (rows, N_HISTORY)),
        "sold": (np.int64, (rows, scenario.n_prices)),
    }
    for role in Role:
        side = [agent for agent in agents if agent.role is role]
        learners = [agent for agent in side if learns(agent.strategy)]
        n, most, entries = tables_shape(scenario, learners)
        if all_plain(agents):
            kinds[f"{role}_q"] = np.float64, (n * entries,)
        else:
            kinds[f"{role}_tables"] = np.float64, (n, most, entries)
        kinds |= {f"{role}_{name}": (np.int64, (len(side),)) for name in _ACCOUNTS}
        kinds |= {
            f"{role}_excess": (np.float64, (len(learners),)),
            f"{role}_free_worth": (np.float64, (n,)),
        }
    return kinds


def state_of(sides: Sequence[Side], ledger: Ledger) -> dict[str, NDArray[Any]]:
    """Return all that changes during a run in sides and ledger, but tables, as arrays by name."""
    state: dict[str, NDArray[Any]] = {}
    for role, side in zip(Role, sides, strict=True):
        for name in _ACCOUNTS:
            state[f"{role}_{name}"] = np.array(getattr(side, name), np.int64)
        state[f"{role}_excess"] = np.array(side.excess, np.float64)
    for name in _ROWS:
        state[name] = np.array(getattr(ledger, name), np.int64)
    return state


def restored_side(role: Role, side: Side, state: State) -> Side:
    """Return a new side with the values of a saved state; raise BadInputError if it is damaged."""
    accounts: dict[str, Any] = {
        name: like(state, f"{role}_{name}", getattr(side, name)) for name in _ACCOUNTS
    }
    return side._replace(excess=like(state, f"{role}_excess", side.excess), **accounts)


def restored_ledger(ledger: Ledger, state: State, each: int) -> Ledger:
    """Return a new ledger with the values of a saved state; raise BadInputError if it is damaged.

    Every `each` rows of the saved history become one row.
    """
    summed = {name: _summed(state[name], each, len(getattr(ledger, name))) for name in _ROWS}
    state = {**state, **summed}
    return ledger._replace(**{name: like(state, name, getattr(ledger, name)) for name in _ROWS})


def _summed(history: NDArray[Any], each: int, rows: int) -> NDArray[Any]:
    """Sum every `each` rows of the history into one, padding with zeros to `rows` rows."""
    most = rows * each
    if history.ndim != 2 or history[most:].any():
        return history  # refused by `_like`
    padded = np.zeros((most, history.shape[1]), np.int64)
    padded[: len(history)] = history[:most]
    summed: NDArray[np.int64] = padded.reshape(rows, each, -1).sum(1)
    return summed


def like(state: State, name: str, model: NDArray[Any]) -> NDArray[Any]:
    """Return a copy of an array of the state; it must have the model's type and shape."""
    array = state[name]
    if array.dtype != model.dtype or array.shape != model.shape:
        raise BadInputError(
            f"{name}: expected {model.dtype} numbers of shape {model.shape},"
            f" got {array.dtype} of {array.shape}"
        )
    check_values(name, array, MOST_VALUE if array.dtype == np.float64 else MOST_COUNT)
    return array.copy()
