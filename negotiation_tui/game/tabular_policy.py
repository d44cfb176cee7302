"""A seat as arrays: which actions it finds equally good in each row, whoever it is.

Rows are numbered as the states of a scenario are, `seated` ones if the policy heeds who opened,
whatever the scenario's own states say. A policy that also remembers its own last price (`memory`
1) has a row for each `state · (1 + P) + own`, where `own` is 1 + the grid index of its last
offer, 0 before the first.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario

MAX_ENTRIES = 20_000_000
"""The largest table a seat may need, Q-table or tabulated strategy."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TabularPolicy:
    """In row r a seat draws uniformly from `ties[r, :count[r]]`; see the module for rows."""

    scenario: Scenario
    actions: Ints
    """Shape (rows, width): action indices."""
    n_actions: Ints
    """Shape (rows,): how many of them hold."""
    remembers_own_offer: int = 0
    opener_aware: bool = False
    needs_opponent: ClassVar[bool] = False

    def __repr__(self) -> str:
        return f"<Policy {self.scenario.name}, {len(self.n_actions):,} rows>"

    @property
    def responder_offset(self) -> int:
        """How many rows of states the responder's lie below the opener's."""
        return self.scenario.n_prices * self.scenario.rounds if self.opener_aware else 0

    def rows(self, time: int, opened: bool) -> Ints:
        """The first row of each price on the table at a time; add `own` where it remembers."""
        first = 1 + time * self.scenario.n_prices + (0 if opened else self.responder_offset)
        states = np.arange(first, first + self.scenario.n_prices, dtype=np.int32)
        return states * (1 + self.remembers_own_offer * self.scenario.n_prices)

    def row(self, position: Position) -> int:
        """The row of a position."""
        row = START
        if position.standing_offer is not None:
            row = int(self.rows(position.time, position.opened)[position.standing_offer_index])
        if self.remembers_own_offer and position.own_last_offer is not None:
            row += self.scenario.prices.index(position.own_last_offer) + 1
        return row

    def support(self, position: Position) -> list[int]:
        """What it draws from in a position."""
        row = self.row(position)
        held: list[int] = self.actions[row, : self.n_actions[row]].tolist()
        return held

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Play turn by turn, as `negotiate` asks."""
        row = self.row(position)
        n = int(self.n_actions[row])
        return int(self.actions[row, int(rng.random() * n) if n > 1 else 0])

    def in_seat(self, *_meeting: object) -> "TabularPolicy":
        """Return the policy itself: it is a table already, whoever the opponent."""
        return self

    tabulated = ready = in_seat


class Rule(Protocol):
    """What a static strategy is to the tables; see `strategies.base.Strategy`."""

    @property
    def depends_on(self) -> Collection[str]:
        """What the choices depend on: time, own, opener, history."""

    def support(self, position: Position) -> Sequence[int]:
        """The legal actions it takes with equal probability."""


def legal_table(scenario: Scenario, role: Role) -> tuple[Ints, Ints]:
    """The legal actions of a role in every state, shape (n_states, n_actions), and their number."""
    P, T = scenario.n_prices, scenario.rounds
    actions = np.zeros((scenario.n_states, scenario.n_actions), np.int32)
    number = np.zeros(scenario.n_states, np.int32)
    # Before the last round the states of every round look alike.
    for state in (START, *range(1, P + 1), *range(1 + (T - 1) * P, 1 + T * P)):
        legal = scenario.legal_actions(state, role)
        actions[state, : len(legal)] = legal
        number[state] = len(legal)
    if T > 2:
        inner = slice(1 + P, 1 + (T - 1) * P)
        actions[inner] = np.tile(actions[1 : P + 1], (T - 2, 1))
        number[inner] = np.tile(number[1 : P + 1], T - 2)
    if scenario.opener_aware:
        opener, responder = slice(1, 1 + T * P), slice(1 + T * P, 1 + 2 * T * P)
        actions[responder], number[responder] = actions[opener], number[opener]
    return actions, number


def greedy(scenario: Scenario, role: Role, q: Floats) -> TabularPolicy:
    """The policy that takes the best legal action of a Q-table, ties drawn uniformly.

    `q` has shape (n_states, n_actions). A table of zeros plays uniformly at random.
    """
    legal, number = legal_table(scenario, role)
    allowed = np.zeros(q.shape, bool)
    rows, columns = np.nonzero(np.arange(scenario.n_actions) < number[:, None])
    allowed[rows, legal[rows, columns]] = True
    values = np.where(allowed, q, -np.inf)
    top = allowed & (values == values.max(axis=1, keepdims=True))
    ties = np.zeros(q.shape, np.int32)
    rows, columns = np.nonzero(top)
    ties[rows, (np.cumsum(top, axis=1) - 1)[rows, columns]] = columns
    return TabularPolicy(
        scenario, ties, top.sum(axis=1, dtype=np.int32), opener_aware=scenario.opener_aware
    )


def fits(scenario: Scenario) -> bool:
    """Whether Q-tables and tabulated strategies of this scenario are of a size to be held."""
    return scenario.n_states * scenario.n_actions <= MAX_ENTRIES


def tabulable(scenario: Scenario, rule: Rule) -> bool:
    """Whether a static strategy can be a policy: it heeds no history, and its table `fits`."""
    return "history" not in rule.depends_on and fits(scenario)


def tabulate(scenario: Scenario, role: Role, rule: Rule) -> TabularPolicy:
    """A static strategy as a policy; BadInputError where that is not `tabulable`."""
    if not tabulable(scenario, rule):
        raise BadInputError(
            f"scenario {scenario.name}: the strategy has no table, for it heeds the whole"
            f" negotiation, or the table would have more than {MAX_ENTRIES:,} entries"
        )
    P, T = scenario.n_prices, scenario.rounds
    remembers, seated, timed = (word in rule.depends_on for word in ("own", "opener", "time"))
    stride = 1 + P if remembers else 1
    seats = (True, False) if seated else (False,)
    rows: list[Sequence[int]] = [(0,)] * ((len(seats) * P * T + 2) * stride)
    rows[:stride] = [rule.support(Position(scenario, role, opened=True))] * stride
    offers = scenario.offers(role) if remembers else range(0)
    owns = [(0, None), *((i + 1, scenario.prices[i]) for i in offers)]
    for block, opened in enumerate(seats):
        # The opener never faces an offer of the last round.
        times = range(T - 1) if opened else range(T)
        for time in times if timed else sorted({*times[:1], *times[T - 1 :]}):
            first = 1 + (block * T + time) * P
            for i, price in enumerate(scenario.prices):
                for column, own in owns:
                    position = Position(scenario, role, time, own, price, opened)
                    rows[(first + i) * stride + column] = rule.support(position)
        if not timed:
            begin = (1 + block * T * P) * stride
            whole = rows[begin : begin + P * stride]
            for time in range(1, T - 1):
                rows[begin + time * P * stride : begin + (time + 1) * P * stride] = whole
    count = np.array([len(row) for row in rows], np.int32)
    ties = np.zeros((len(rows), int(count.max())), np.int32)
    ties[np.arange(ties.shape[1]) < count[:, None]] = [action for row in rows for action in row]
    return TabularPolicy(scenario, ties, count, int(remembers), seated)
