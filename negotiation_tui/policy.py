"""A seat as arrays: which actions it finds equally good in each row, whoever it is.

Rows are numbered as the states of a scenario are, `seated` ones if the policy heeds who opened,
whatever the scenario's own states say. A policy that also remembers its own last price (`memory`
1) has a row for each `state · (1 + P) + own`, where `own` is 1 + the grid index of its last
offer, 0 before the first.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.negotiation import Position
from negotiation_tui.roles import Role
from negotiation_tui.scenario import START, Scenario

MAX_ENTRIES = 20_000_000
"""The largest table a seat may need, Q-table or tabulated strategy."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Policy:
    """In row r a seat draws uniformly from `ties[r, :count[r]]`; see the module for rows."""

    scenario: Scenario
    ties: Ints
    """Shape (rows, width): action indices."""
    count: Ints
    """Shape (rows,): how many of them hold."""
    memory: int = 0
    seated: bool = False

    @property
    def block(self) -> int:
        """How many rows of states the responder's lie below the opener's."""
        return self.scenario.n_prices * self.scenario.rounds if self.seated else 0

    def rows(self, time: int, opened: bool) -> Ints:
        """The first row of each price on the table at a time; add `own` where it remembers."""
        first = 1 + time * self.scenario.n_prices + (0 if opened else self.block)
        states = np.arange(first, first + self.scenario.n_prices, dtype=np.int32)
        return states * (1 + self.memory * self.scenario.n_prices)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Play turn by turn, as `negotiate` asks."""
        row, prices = START, self.scenario.prices
        if position.on_table is not None:
            rows = self.rows(position.time, position.opened)
            row = int(rows[prices.index(position.on_table)])
        if self.memory and position.own is not None:
            row += prices.index(position.own) + 1
        n = int(self.count[row])
        return int(self.ties[row, int(rng.random() * n) if n > 1 else 0])


class Tabulable(Protocol):
    """A player whose answer depends on the position alone; see `strategies.base`."""

    @property
    def heeds_time(self) -> bool:
        """Whether the time matters before the last decision."""

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The index of a legal action in this position."""


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
    if scenario.seated:
        opener, responder = slice(1, 1 + T * P), slice(1 + T * P, 1 + 2 * T * P)
        actions[responder], number[responder] = actions[opener], number[opener]
    return actions, number


def greedy(scenario: Scenario, role: Role, q: Floats) -> Policy:
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
    return Policy(scenario, ties, top.sum(axis=1, dtype=np.int32), seated=scenario.seated)


def fits(scenario: Scenario) -> bool:
    """Whether Q-tables and tabulated strategies of this scenario are of a size to be held."""
    return scenario.n_states * scenario.n_actions <= MAX_ENTRIES


def tabulate(scenario: Scenario, role: Role, player: Tabulable) -> Policy:
    """A deterministic static strategy as a policy with memory, where the scenario `fits`."""
    P, T = scenario.n_prices, scenario.rounds
    rng = np.random.default_rng(0)
    answers = np.zeros((P * T + 2, P + 1), np.int32)
    answers[START] = player.act(Position(scenario, role), rng)
    own_prices: list[int | None] = [None, *(scenario.prices[i] for i in scenario.offers(role))]
    columns = [0, *(i + 1 for i in scenario.offers(role))]
    block = answers[1:-1].reshape(T, P, P + 1)
    asked = range(T) if player.heeds_time else {0, T - 1}
    for time in asked:
        for i, on_table in enumerate(scenario.prices):
            block[time, i, columns] = [
                player.act(Position(scenario, role, time, own, on_table), rng) for own in own_prices
            ]
    if not player.heeds_time and T > 2:
        block[1 : T - 1] = block[0]
    return Policy(scenario, answers.reshape(-1, 1), np.ones(answers.size, np.int32), memory=1)
