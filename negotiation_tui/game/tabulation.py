"""A static strategy made into a table."""

from collections.abc import Collection, Sequence
from typing import Protocol

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import memory
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, TabularPolicy, fits, stacked

MAX_EXAMPLES = 100_000
"""The most histories that a table with a memory is made from; that many take a second."""
MAX_ROWS = 2_000_000
"""The most rows of a table with a memory."""


class StaticStrategy(Protocol):
    """The part of `strategies.base.Strategy` that a table is made from."""

    @property
    def depends_on(self) -> Collection[str]:
        """The inputs of `support` besides the standing offer: time, own, opener, history."""

    def support(self, position: Position) -> Sequence[int]:
        """The legal actions that are played with equal probability."""


def recallable(scenario: Scenario, role: Role, strategy: StaticStrategy, history: int) -> bool:
    """True if the table of a strategy with this kind of memory is made in little time."""
    numbers = memory.size(history, scenario, role)
    blocks = 2 if "opener" in strategy.depends_on else 1
    times = scenario.rounds if "time" in strategy.depends_on else 2
    each = blocks * scenario.n_tables(role) * scenario.n_prices * numbers
    examples, rows = each * times, each * scenario.rounds
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
    views = scenario.views[role]
    most = MAX_ENTRIES // len(views)
    return stacked(scenario, [_table(view, role, strategy, history, most) for view in views])


def _table(
    scenario: Scenario, role: Role, strategy: StaticStrategy, history: int, most: int
) -> TabularPolicy:
    """Return the table of one limit, of at most `most` entries.

    `scenario` is the game that the role sees with the limit.
    """
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
    if history and len(rows) * width > most:
        raise BadInputError(f"the strategy's table would have more than {most:,} entries")
    actions = np.zeros((len(rows), width), np.int32)
    used = np.arange(actions.shape[1]) < n_actions[:, None]
    actions[used] = [action for row in rows for action in row]
    return TabularPolicy(scenario, actions, n_actions, opener_aware, kind)
