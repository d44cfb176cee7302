"""A tabular policy: for each state, some actions and the probability of each.

Rows are numbered as the states of a scenario; for an `opener_aware` policy as opener-aware states,
even if the scenario's own states are not. A policy with a memory of m numbers has the rows
`state · m + number` (see `game.memory`). One that remembers its own last offer has m = 1 + P.
With hidden limits there is one table per limit, end to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game import memory
from negotiation_tui.game.draws import UNIFORM, drawn, scaled_probability
from negotiation_tui.game.memory import NOTHING, OWN_LAST
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.arrays import Floats, Ints32
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.validate import refusal

MAX_ENTRIES = 20_000_000  # the maximum size of a Q-table or of a tabulated strategy
_BLOCK = 256  # the rows that `greedy` compares at once: few enough for the processor's cache
SUM_TOLERANCE = 1e-9  # the greatest difference between 1 and the sum of a row's probabilities

Mask = NDArray[np.bool_]


def legal_kinds(scenario: Scenario, offers: range) -> tuple[Mask, NDArray[np.intp]]:
    """Return the legal actions of each kind of state, and the kind of each state.

    Kinds are the start; a standing offer that may not be accepted, and one that may, before the
    last round and in it; the final state.
    """
    offered, walk_away = slice(offers.start, offers.stop), scenario.walk_away
    legal, kinds = np.zeros((6, scenario.n_actions), bool), np.zeros(scenario.n_states, np.intp)
    legal[:3, offered] = legal[1:5, walk_away] = legal[2:5:2, scenario.accept] = True
    by_round = kinds[1:-1].reshape(-1, scenario.rounds, scenario.n_prices)  # again for each opener
    by_round[:], by_round[:, -1], kinds[-1] = 1, 3, 5
    by_round[:, :, offered] += 1
    return legal, kinds


def legal_actions(scenario: Scenario, offers: range) -> Mask:
    """Return the legal actions of a role with these offers, shape (n_states, n_actions)."""
    legal, kinds = legal_kinds(scenario, offers)
    return legal.take(kinds, axis=0)


@lru_cache(maxsize=4)
def legal_rows(scenario: Scenario, role: Role) -> Mask:
    """Return the legal actions of all tables of a role, end to end, shape (n_rows, n_actions)."""
    masks = [legal_actions(view, view.offers(role)) for view in scenario.views[role]]
    found = masks[0] if len(masks) == 1 else np.concatenate(masks)
    found.flags.writeable = False
    return found


@sealed(frozen=True, eq=False)
class TabularPolicy:
    """In row r the policy draws from `actions[r, :n_actions[r]]`; see the module.

    An action has the weight beside it. Without weights all actions of a row are equally likely.
    Such a row is drawn from by ⌊u·n⌋, with one uniform number u if n > 1; see `game.draws`.
    """

    scenario: Scenario
    actions: NDArray[Any]  # shape (rows, width): action indices
    n_actions: Ints32  # shape (rows,): the number of actions in each row
    opener_aware: bool = False
    memory: int = NOTHING
    """The kind of its memory; solvers read no tables that remember more than OWN_LAST."""
    weights: Floats | None = None
    """Shape (rows, width): the probability of each action; each row sums to 1."""
    n_tables: int = 1  # the number of tables, one per hidden limit, end to end
    needs_opponent: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"<TabularPolicy {self.scenario.name}, {len(self.n_actions):,} rows>"

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in self.arrays)

    @classmethod
    def of(
        cls, scenario: Scenario, role: Role, actions: NDArray[Any], n_actions: Ints32
    ) -> TabularPolicy:
        """Return the policy with these rows, which are the states of a role's tables."""
        aware, n = scenario.opener_aware, scenario.n_tables(role)
        return cls(scenario, actions, n_actions, opener_aware=aware, n_tables=n)

    @classmethod
    def of_probabilities(cls, scenario: Scenario, role: Role, dense: Floats) -> TabularPolicy:
        """Return the policy that plays each action with a given probability in each state.

        `dense` has shape (n_rows, n_actions); rows of the final state are not read. Raises
        BadInputError for a number below 0 or not finite, for a row that does not sum to 1 within
        1e-9, and for a probability of an illegal action.
        """
        played = _check_probabilities(scenario, role, dense)
        actions, n_actions = actions_in(played)
        width = int(n_actions.max())
        used = np.arange(width) < n_actions[:, None]
        weights = np.zeros(used.shape)
        weights[used] = dense[played]
        uniform = bool(_uniform(weights, used).all())
        policy = cls.of(scenario, role, np.ascontiguousarray(actions[:, :width]), n_actions)
        return policy if uniform else replace(policy, weights=weights)

    def check_weights(self) -> None:
        """Raise BadInputError unless each row's weights are finite, at least 0, and sum to 1."""
        weights = self.weights
        if weights is None:
            return
        if weights.shape != self.actions.shape:
            raise refusal("weights", weights.shape, f"the shape {self.actions.shape}")
        chances = self.chances()
        sums = np.where(self.n_actions > 0, chances.sum(axis=1), 1.0)
        wrong = ~(abs(sums - 1) <= SUM_TOLERANCE) | ~((chances >= 0) & (chances < 2)).all(axis=1)
        if wrong.any():
            row = int(wrong.argmax())
            expected = "numbers from 0 to 1 with a sum of 1"
            raise refusal(f"weights of row {row:,}", chances[row].tolist(), expected)

    def chances(self, rows: NDArray[np.integer[Any]] | slice = slice(None)) -> Floats:
        """The probability of each of `actions[rows]`, 0 after a row's last action."""
        n_actions = self.n_actions[rows][..., None]
        each = 1 / np.maximum(n_actions, 1) if self.weights is None else self.weights[rows]
        return np.where(np.arange(self.actions.shape[1]) < n_actions, each, 0.0)

    @cached_property
    def probabilities(self) -> Floats:
        """The probability of each action in each row, shape (rows, P + 2)."""
        dense = np.zeros((len(self.n_actions), self.scenario.n_actions))
        np.add.at(dense, (np.arange(len(dense))[:, None], self.actions), self.chances())
        return dense

    @cached_property
    def cumulative(self) -> Floats:
        """The cumulative weights of all rows, flat; without weights one `UNIFORM` for all rows."""
        if self.weights is None:
            return np.array([UNIFORM])
        chances = self.chances()
        sums = np.add.accumulate(chances, axis=1)
        # No rounding error may leave a number above the last sum.
        width = chances.shape[1]
        last = width - 1 - (chances[:, ::-1] > 0).argmax(axis=1)
        sums[np.arange(width) >= last[:, None]] = 1.0
        sums[_uniform(chances, np.arange(width) < self.n_actions[:, None]), 0] = UNIFORM
        return sums.ravel()

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """Its arrays, with those that were computed so far."""
        return tuple(each for each in vars(self).values() if isinstance(each, np.ndarray))

    @property
    def responder_offset(self) -> int:
        """The number of states between an opener's state and the responder's."""
        return self.scenario.n_prices * self.scenario.rounds if self.opener_aware else 0

    @property
    def remembers_own_offer(self) -> int:
        """1 if the rows also depend on the policy's own last offer, and on no others; else 0."""
        return int(self.memory == OWN_LAST)

    @property
    def stride(self) -> int:
        blocks = 2 if self.opener_aware else 1
        states = blocks * self.scenario.n_prices * self.scenario.rounds + 2
        return len(self.n_actions) // (self.n_tables * states)

    @cached_property
    def tables(self) -> tuple[TabularPolicy, ...]:
        if self.n_tables == 1:
            return (self,)
        size = len(self.n_actions) // self.n_tables
        parts = (slice(first, first + size) for first in range(0, len(self.n_actions), size))
        names = ("actions", "n_actions") + ("weights",) * (self.weights is not None)
        arrays = ({name: getattr(self, name)[at] for name in names} for at in parts)
        return tuple(replace(self, n_tables=1, **each) for each in arrays)

    def rows(self, time: int, opened: bool) -> Ints32:
        """The row of each standing offer at a time, shape (P,), for number 0 of the first table."""
        first = 1 + time * self.scenario.n_prices + (0 if opened else self.responder_offset)
        states = np.arange(first, first + self.scenario.n_prices, dtype=np.int32)
        return states * self.stride

    def row(self, position: Position) -> int:
        row = START
        if position.standing_offer is not None:
            row = int(self.rows(position.time, position.opened)[position.standing_offer_index])
        if self.n_tables > 1:
            table = position.scenario.limit_index(position.role)
            row += table * (len(self.n_actions) // self.n_tables)
        return row + self.number(position)

    def number(self, position: Position) -> int:
        """The number that its memory holds in a position."""
        if self.memory > OWN_LAST:
            return memory.of(position, self.memory)
        if self.memory == NOTHING or position.own_last_offer is None:
            return 0
        return self.scenario.prices.index(position.own_last_offer) + 1

    def support(self, position: Position) -> list[int]:
        row = self.row(position)
        actions: list[int] = self.actions[row, : self.n_actions[row]].tolist()
        return actions

    def shares(self, position: Position) -> list[float]:
        """The probability of each action of `support`, times their number; 1 if all are equal."""
        row = self.row(position)
        n, first = int(self.n_actions[row]), self._first(row)
        return [scaled_probability(self.cumulative, first, n, k) for k in range(n)]

    def _first(self, row: int) -> int:
        return 0 if self.weights is None else row * self.actions.shape[1]

    def act(self, position: Position, rng: np.random.Generator) -> int:
        row, k = self.row(position), 0
        n = int(self.n_actions[row])
        if n > 1:
            k = drawn(self.cumulative, self._first(row), n, rng.random())
        return int(self.actions[row, k])

    def in_seat(self, *_meeting: object) -> TabularPolicy:
        return self

    tabulated = ready = in_seat


Policies = tuple[TabularPolicy | None, TabularPolicy | None]  # seller first; None without a table


def _uniform(weights: Floats, used: Mask) -> Mask:
    equal: Mask = ((weights == weights[:, :1]) | ~used).all(axis=1)
    return equal


def _check_probabilities(scenario: Scenario, role: Role, dense: Floats) -> Mask:
    legal, name = legal_rows(scenario, role), f"probabilities of the {role}"
    if dense.shape != legal.shape:
        raise refusal(name, dense.shape, f"the shape {legal.shape}")
    decisions = legal.any(axis=1, keepdims=True)
    sums = dense.sum(axis=1, keepdims=True)
    for wrong, values, expected in (
        (~((dense >= 0) & (dense <= 1 + SUM_TOLERANCE)), dense, "a number from 0 to 1"),
        ((dense > 0) & ~legal, dense, "0 for an illegal action"),
        (abs(sums - 1) > SUM_TOLERANCE, sums, "a sum of 1"),
    ):
        found = np.argwhere(wrong & decisions)
        if len(found):
            state, action = found[0].tolist()
            name += f", state {scenario.state_label(state % scenario.n_states)}"
            if scenario.limits[role]:
                name += f" of limit {scenario.views[role][state // scenario.n_states].limit(role)}"
            if values is dense:
                name += f", action {scenario.action_label(action)}"
            raise refusal(name, float(values[state, action]), expected)
    above: Mask = (dense > 0) & legal
    return above


def untrained_policy(scenario: Scenario, role: Role) -> TabularPolicy:
    return TabularPolicy.of(scenario, role, *actions_in(legal_rows(scenario, role)))


def greedy(scenario: Scenario, role: Role, q: Floats) -> TabularPolicy:
    """Return the policy that plays the best legal action of a Q-table; ties are drawn uniformly.

    `q` has shape (n_rows, n_actions). A table of zeros plays uniformly at random. Rows beyond are
    those of a role with more hidden limits, to which this one's were filled up.
    """
    legal = legal_rows(scenario, role)
    q = q[: len(legal)]
    actions = np.zeros(q.shape, width_of(scenario))
    n_actions = np.zeros(len(q), np.int32)
    for first in range(0, len(q), _BLOCK):
        at = slice(first, first + _BLOCK)
        values = np.where(legal[at], q[at], -np.inf)
        top = legal[at] & (values == values.max(axis=1, keepdims=True))
        actions[at], n_actions[at] = actions_in(top)
    return TabularPolicy.of(scenario, role, actions, n_actions)


def width_of(scenario: Scenario) -> type[np.signedinteger[Any]]:
    """Return the kind of actions in a learner's table: compiled solvers take the wide one alone."""
    return np.int16 if scenario.hidden else np.int32


def actions_in(mask: Mask) -> tuple[Ints32, Ints32]:
    """Return the True columns of each row, moved to the left, and their numbers."""
    n_actions = np.count_nonzero(mask, axis=1).astype(np.int32)
    columns = np.arange(mask.shape[1], dtype=np.int32)
    actions = np.zeros(mask.shape, np.int32)
    actions[columns < n_actions[:, None]] = np.broadcast_to(columns, mask.shape)[mask]
    return actions, n_actions


def fits(scenario: Scenario) -> bool:
    rows = max(map(scenario.n_rows, Role))
    return rows * scenario.n_actions <= MAX_ENTRIES


def stacked(scenario: Scenario, policies: Sequence[TabularPolicy]) -> TabularPolicy:
    """Return the policy with one table per limit, from tables of the same kind of memory."""
    if len(policies) == 1:
        return policies[0]
    aware = any(policy.opener_aware for policy in policies)
    stride = max(policy.stride for policy in policies)
    width = max(policy.actions.shape[1] for policy in policies)

    def shaped(policy: TabularPolicy, table: NDArray[Any], columns: int) -> NDArray[Any]:
        rows = table.reshape(-1, policy.stride, table.size // len(policy.n_actions))
        if aware and not policy.opener_aware:
            rows = np.concatenate([rows[:-1], rows[1:]])
        more = stride - policy.stride  # numbers that this policy's memory does not have
        wider = columns - rows.shape[2]
        if more or wider:
            rows = np.pad(rows, ((0, 0), (0, more), (0, wider)))
        return rows.reshape(-1, columns)

    weights = None
    if any(policy.weights is not None for policy in policies):
        weights = np.concatenate([shaped(each, each.chances(), width) for each in policies])
    return TabularPolicy(
        scenario,
        np.concatenate([shaped(each, each.actions, width) for each in policies]),
        np.concatenate([shaped(each, each.n_actions, 1)[:, 0] for each in policies]),
        aware,
        policies[0].memory,
        weights,
        len(policies),
    )
