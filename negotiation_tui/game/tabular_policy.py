"""A tabular policy: for each state, a set of actions that are played with equal probability.

Rows are numbered as the states of a scenario; for an `opener_aware` policy as opener-aware states,
even if the scenario's own states are not. A policy with a memory of m numbers has the rows
`state · m + number` (see `game.memory`). One that remembers its own last offer has m = 1 + P.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import memory
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario

MAX_ENTRIES = 20_000_000
"""The maximum size of a Q-table or of a tabulated strategy."""
_BLOCK = 256
"""The rows that `greedy` compares at once: few enough for the processor's cache."""
MAX_EXAMPLES = 100_000
"""The most histories that a table with a memory is made from; that many take a second."""
MAX_ROWS = 2_000_000
"""The most rows of a table with a memory."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TabularPolicy:
    """In row r the policy draws uniformly from `actions[r, :n_actions[r]]`; see the module."""

    scenario: Scenario
    actions: Ints
    """Shape (rows, width): action indices."""
    n_actions: Ints
    """Shape (rows,): the number of actions in each row."""
    remembers_own_offer: int = 0
    """1 if the rows also depend on the policy's own last offer, else 0."""
    opener_aware: bool = False
    history: int = memory.NOTHING
    """A kind of memory that holds more than the own last offer; solvers do not read such tables."""
    needs_opponent: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"<TabularPolicy {self.scenario.name}, {len(self.n_actions):,} rows>"

    @property
    def responder_offset(self) -> int:
        """The number of states between an opener's state and the responder's."""
        return self.scenario.n_prices * self.scenario.rounds if self.opener_aware else 0

    @property
    def memory(self) -> int:
        """The kind of its memory."""
        return self.history or (memory.OWN_LAST if self.remembers_own_offer else memory.NOTHING)

    @property
    def stride(self) -> int:
        """The number of rows per state."""
        blocks = 2 if self.opener_aware else 1
        return len(self.n_actions) // (blocks * self.scenario.n_prices * self.scenario.rounds + 2)

    def rows(self, time: int, opened: bool) -> Ints:
        """The row of each standing offer at a time, shape (P,), for number 0 (see the module)."""
        first = 1 + time * self.scenario.n_prices + (0 if opened else self.responder_offset)
        states = np.arange(first, first + self.scenario.n_prices, dtype=np.int32)
        return states * self.stride

    def row(self, position: Position) -> int:
        """The row of a position."""
        row = START
        if position.standing_offer is not None:
            row = int(self.rows(position.time, position.opened)[position.standing_offer_index])
        return row + self.number(position)

    def number(self, position: Position) -> int:
        """The number that its memory holds in a position, 0 without a memory."""
        if self.history:
            return memory.of(position, self.history)
        if self.remembers_own_offer and position.own_last_offer is not None:
            return self.scenario.prices.index(position.own_last_offer) + 1
        return 0

    def support(self, position: Position) -> list[int]:
        """The actions that the policy draws from in a position."""
        row = self.row(position)
        actions: list[int] = self.actions[row, : self.n_actions[row]].tolist()
        return actions

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Draw an action in a position."""
        row = self.row(position)
        n = int(self.n_actions[row])
        return int(self.actions[row, int(rng.random() * n) if n > 1 else 0])

    def in_seat(self, *_meeting: object) -> "TabularPolicy":
        """Return the policy itself, which is a table against any opponent."""
        return self

    tabulated = ready = in_seat


class StaticStrategy(Protocol):
    """The part of `strategies.base.Strategy` that a table is made from."""

    @property
    def depends_on(self) -> Collection[str]:
        """The inputs of `support` besides the standing offer: time, own, opener, history."""

    def support(self, position: Position) -> Sequence[int]:
        """The legal actions that are played with equal probability."""


def legal_actions(scenario: Scenario, offers: range) -> Mask:
    """Return the legal actions of a role with these offers, shape (n_states, n_actions)."""
    masks, kinds = _kinds_of_states(scenario, offers)
    legal: Mask = masks[kinds]
    return legal


def untrained_policy(scenario: Scenario, role: Role) -> TabularPolicy:
    """Return the policy that plays all legal actions with equal probability."""
    masks, kinds = _kinds_of_states(scenario, scenario.offers(role))
    actions, n_actions = actions_in(masks)
    return TabularPolicy(
        scenario, actions[kinds], n_actions[kinds], opener_aware=scenario.opener_aware
    )


def _kinds_of_states(scenario: Scenario, offers: range) -> tuple[Mask, Ints]:
    """Return the legal actions of six kinds of states, and the kind of each state.

    0: the start. 1, 2: before the last round, with a standing offer that may be accepted or not.
    3, 4: in the last round. 5: the end.
    """
    P, T = scenario.n_prices, scenario.rounds
    masks = np.zeros((6, scenario.n_actions), bool)
    masks[:3, offers.start : offers.stop] = True
    masks[[1, 3], scenario.accept] = True
    masks[1:5, scenario.walk_away] = True
    kinds = np.zeros(scenario.n_states, np.int32)
    ply_states = kinds[1:-1].reshape(-1, T, P)  # again for each opener
    ply_states[:] = 2
    ply_states[:, :, offers.start : offers.stop] = 1
    ply_states[:, -1] += 2
    kinds[-1] = 5
    return masks, kinds


def greedy(scenario: Scenario, role: Role, q: Floats) -> TabularPolicy:
    """Return the policy that plays the best legal action of a Q-table; ties are drawn uniformly.

    `q` has shape (n_states, n_actions). A table of zeros plays uniformly at random.
    """
    legal = legal_actions(scenario, scenario.offers(role))
    actions, n_actions = np.zeros(q.shape, np.int32), np.zeros(len(q), np.int32)
    for first in range(0, len(q), _BLOCK):
        at = slice(first, first + _BLOCK)
        values = np.where(legal[at], q[at], -np.inf)
        top = legal[at] & (values == values.max(axis=1, keepdims=True))
        actions[at], n_actions[at] = actions_in(top)
    return TabularPolicy(scenario, actions, n_actions, opener_aware=scenario.opener_aware)


def actions_in(mask: Mask) -> tuple[Ints, Ints]:
    """Return the True columns of each row, moved to the left, and their numbers."""
    n_actions = np.count_nonzero(mask, axis=1).astype(np.int32)
    columns = np.arange(mask.shape[1], dtype=np.int32)
    actions = np.zeros(mask.shape, np.int32)
    actions[columns < n_actions[:, None]] = np.broadcast_to(columns, mask.shape)[mask]
    return actions, n_actions


def fits(scenario: Scenario) -> bool:
    """True if Q-tables and tabulated strategies of this scenario have at most MAX_ENTRIES."""
    return scenario.n_states * scenario.n_actions <= MAX_ENTRIES


def recallable(scenario: Scenario, role: Role, strategy: StaticStrategy, history: int) -> bool:
    """True if the table of a strategy with this kind of memory is made in little time."""
    numbers = memory.size(history, scenario, role)
    blocks = 2 if "opener" in strategy.depends_on else 1
    times = scenario.rounds if "time" in strategy.depends_on else 2
    examples = blocks * times * scenario.n_prices * numbers
    rows = blocks * scenario.n_prices * scenario.rounds * numbers
    return history != memory.NOTHING and examples <= MAX_EXAMPLES and rows <= MAX_ROWS


def tabulable(scenario: Scenario, strategy: StaticStrategy) -> bool:
    """True if a strategy does not depend on the history and its table `fits`."""
    return "history" not in strategy.depends_on and fits(scenario)


def tabulate(
    scenario: Scenario, role: Role, strategy: StaticStrategy, history: int = memory.NOTHING
) -> TabularPolicy:
    """Return a static strategy as a policy; raises BadInputError if it is not `tabulable`.

    `history` is a `recallable` kind of memory that its actions depend on, instead of the offers.
    """
    if not (history or tabulable(scenario, strategy)):
        raise BadInputError(
            f"scenario {scenario.name}: the strategy has no table, because it depends on the whole"
            f" history, or because the table would have more than {MAX_ENTRIES:,} entries"
        )
    P, T = scenario.n_prices, scenario.rounds
    opener_aware, time_aware = (part in strategy.depends_on for part in ("opener", "time"))
    kind = history or (memory.OWN_LAST if "own" in strategy.depends_on else memory.NOTHING)
    stride = memory.size(kind, scenario, role)
    blocks = (True, False) if opener_aware else (False,)
    rows: list[Sequence[int]] = [(0,)] * ((len(blocks) * P * T + 2) * stride)
    rows[:stride] = [strategy.support(Position(scenario, role, opened=True))] * stride
    earlier = [memory.examples(kind, scenario, role, standing) for standing in range(P)]
    for block, opened in enumerate(blocks):
        # The opener never faces an offer of the last round.
        times = range(T - 1) if opened else range(T)
        for time in times if time_aware else sorted({*times[:1], *times[T - 1 :]}):
            first = 1 + (block * T + time) * P
            for i, price in enumerate(scenario.prices):
                for number, own, offers in earlier[i]:
                    so_far = offers if history else ()
                    position = Position(scenario, role, time, own, price, opened, so_far)
                    rows[(first + i) * stride + number] = strategy.support(position)
        if not time_aware:
            begin = (1 + block * T * P) * stride
            first_round = rows[begin : begin + P * stride]
            for time in range(1, T - 1):
                rows[begin + time * P * stride : begin + (time + 1) * P * stride] = first_round
    n_actions = np.array([len(row) for row in rows], np.int32)
    width = int(n_actions.max())
    if history and len(rows) * width > MAX_ENTRIES:
        raise BadInputError(f"the strategy's table would have more than {MAX_ENTRIES:,} entries")
    actions = np.zeros((len(rows), width), np.int32)
    used = np.arange(actions.shape[1]) < n_actions[:, None]
    actions[used] = [action for row in rows for action in row]
    return TabularPolicy(
        scenario, actions, n_actions, int(kind == memory.OWN_LAST), opener_aware, history
    )
