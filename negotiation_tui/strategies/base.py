"""The base class of static strategies, rules from a position to actions, and their tables."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game import memory
from negotiation_tui.game.memory import NOTHING
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import MAX_ENTRIES, TabularPolicy, fits, stacked
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import Checked

Dependency = Literal["time", "own", "opener", "history"]

MAX_EXAMPLES = 100_000
"""The most histories that a table with a memory is made from; that many take a second."""
MAX_ROWS = 2_000_000  # the most rows of a table with a memory


@sealed(frozen=True)
class Strategy(Checked, ABC):
    """A rule without memory: equal positions must give equal actions.

    An instance may hold settings only. So one instance can play both roles, and its actions can
    be tabulated unless they depend on the history.
    """

    name: ClassVar[str]
    summary: ClassVar[str]  # one line for a menu
    source: ClassVar[str]  # the publication or program that the rule comes from
    needs_opponent: ClassVar[bool] = False
    """True if the strategy can play only after its opponent's table is known; see `ready`."""

    @property
    @abstractmethod
    def depends_on(self) -> frozenset[Dependency]:
        """The parts of a position that the actions depend on.

        `time`, the `own` last offer, the `opener`, or the whole `history` of offers. The standing
        offer and the last decision are always allowed. Each part makes the strategy's table
        larger; with `history` there is no table, unless a `memory` stands for it.
        """

    @property
    def memory(self) -> int:
        """The kind of memory (see `game.memory`) that stands for the history; NOTHING if none."""
        return NOTHING

    @abstractmethod
    def support(self, position: Position) -> Sequence[int]:
        """Return the legal actions, at least one, that are played with equal probability."""

    def in_seat(self, scenario: Scenario, role: Role) -> Strategy:
        """Return the strategy that plays in a role: itself, unless one is made per role."""
        return self

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return the table in a role; None if too large, or depending on history or opponent."""
        strategy = self.in_seat(scenario, role)
        if strategy.needs_opponent or not tabulable(scenario, strategy):
            return None
        return (_cached_table if built_in(strategy) else tabulate)(scenario, role, strategy)

    def remembering(self, scenario: Scenario, role: Role) -> TabularPolicy | None:
        """Return the table for the inner loop: as `tabulated`, or one with a memory."""
        strategy = self.in_seat(scenario, role)
        if "history" not in strategy.depends_on or not built_in(strategy):
            return strategy.tabulated(scenario, role)
        numbers = memory.size(strategy.memory, scenario, role)
        blocks = 2 if "opener" in strategy.depends_on else 1
        times = scenario.rounds if "time" in strategy.depends_on else 2
        each = blocks * scenario.n_tables(role) * scenario.n_prices * numbers
        slow = each * times > MAX_EXAMPLES or each * scenario.rounds > MAX_ROWS
        if slow or strategy.memory == NOTHING:
            return None
        try:
            return _cached_table(scenario, role, strategy, strategy.memory)
        except BadInputError:  # too many actions in a row
            return None

    def ready(
        self, scenario: Scenario, role: Role, opponent: ReadyPlayer, discount_rate: float
    ) -> ReadyPlayer:
        """Return the strategy's table in a role, or the strategy itself if it has no table."""
        return self.tabulated(scenario, role) or self.in_seat(scenario, role)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        actions = self.support(position)
        return actions[int(rng.random() * len(actions)) if len(actions) > 1 else 0]


@sealed(frozen=True)
class UserSupplied(Strategy):
    """A strategy from a file, a program or another installed package, named by its spec."""

    name: ClassVar[str] = "user-supplied"
    summary: ClassVar[str] = "supplied by the user"
    source: ClassVar[str] = "the user"
    spec: str  # the text that names the strategy, with its settings


ReadyPlayer = TabularPolicy | Strategy
"""Both have `needs_opponent`, `in_seat`, `tabulated` and `ready`."""


def built_in(player: object) -> bool:
    """True for a strategy of this package, with any settings."""
    return type(player).__module__.startswith(f"{__package__}.")


def tabulable(scenario: Scenario, strategy: Strategy) -> bool:
    """True if a strategy does not depend on the history and its table `fits`."""
    return "history" not in strategy.depends_on and fits(scenario)


def tabulate(
    scenario: Scenario, role: Role, strategy: Strategy, history: int = NOTHING
) -> TabularPolicy:
    """Return a strategy that is `tabulable`, or has the kind of memory `history`, as a policy.

    Raises BadInputError if a table with a memory is too large.
    """
    views = scenario.views[role]
    most = MAX_ENTRIES // len(views)
    return stacked(scenario, [_table(view, role, strategy, history, most) for view in views])


_cached_table = lru_cache(maxsize=2)(tabulate)  # one per role: a table may be large
"""Built-in strategies only: equal ones are guaranteed to play alike."""


def _table(
    scenario: Scenario, role: Role, strategy: Strategy, history: int, most: int
) -> TabularPolicy:
    """Return the table of the limit in a game that the role sees, of at most `most` entries."""
    P, T = scenario.n_prices, scenario.rounds
    opener_aware, time_aware = (part in strategy.depends_on for part in ("opener", "time"))
    kind = history or (memory.OWN_LAST if "own" in strategy.depends_on else NOTHING)
    stride = memory.size(kind, scenario, role)
    blocks = (True, False) if opener_aware else (False,)
    rows: list[Sequence[int]] = [(0,)] * ((len(blocks) * P * T + 2) * stride)
    rows[:stride] = [strategy.support(Position(scenario, role, opened=True))] * stride
    earlier = [memory.examples(kind, scenario, role, standing) for standing in range(P)]
    for block, opened in enumerate(blocks):
        for time in range(T - 1 if opened else T):  # the opener faces no offer of the last round
            begin = (1 + (block * T + time) * P) * stride
            if 0 < time < T - 1 and not time_aware:
                rows[begin : begin + P * stride] = rows[begin - P * stride : begin]
                continue
            for i, price in enumerate(scenario.prices):
                for number, own, offers in earlier[i]:
                    so_far = offers if history else ()
                    position = Position(scenario, role, time, own, price, opened, so_far)
                    rows[begin + i * stride + number] = strategy.support(position)
    n_actions = np.array([len(row) for row in rows], np.int32)
    width = int(n_actions.max())
    if history and len(rows) * width > most:
        raise BadInputError(f"the strategy's table would have more than {most:,} entries")
    actions = np.zeros((len(rows), width), np.int32)
    used = np.arange(actions.shape[1]) < n_actions[:, None]
    actions[used] = [action for row in rows for action in row]
    return TabularPolicy(scenario, actions, n_actions, opener_aware, kind)
