"""A saved table in a seat: what was learned plays greedily, and learns no more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables
from negotiation_tui.strategies.base import Dependency, UserSupplied

SUFFIX = ".npz"


@dataclass(frozen=True)
class SavedTable(UserSupplied):
    """The learned table of a file, of whichever role it sits in; ties drawn uniformly.

    It plays scenarios with the prices, rounds and states of its own; what is legal there and how
    often ties are drawn follows from the scenario that is played.
    """

    name: ClassVar[str] = "saved-table"
    summary: ClassVar[str] = "plays a learned table from a file"
    source: ClassVar[str] = "train --save"
    tables: TrainedTables

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """What its states say: the time, and where they are seated who opened."""
        return frozenset({"time", "opener"} if self.tables.scenario.opener_aware else {"time"})

    def support(self, position: Position) -> Sequence[int]:
        """The legal actions that the table holds for the best.

        Raises BadInputError for a scenario of another shape, or where nothing was learned.
        """
        return _policy(self, position.scenario, position.role).support(position)


def saved_table(file: str) -> SavedTable:
    """The tables of a file as a strategy; BadInputError where it cannot be read."""
    return SavedTable(file, load_tables(file))


@lru_cache(maxsize=8)
def _policy(held: SavedTable, scenario: Scenario, role: Role) -> TabularPolicy:
    theirs = held.tables.scenario
    if _shape(theirs) != _shape(scenario):
        alike = _shape(replace(scenario, states=theirs.states)) == _shape(theirs)
        use = f"{theirs.states} states, as with --states {theirs.states}"
        raise BadInputError(
            f"{held.spec} is of {_size(theirs)}, scenario {scenario.name} has {_size(scenario)}:"
            f" use {use if alike else 'tables of the same prices, rounds and states'}"
        )
    q = held.tables.q_tables[role]
    if not q.any():
        sat = held.tables.strategies[role]
        why = f"{sat} sat there" if sat else "it was never trained"
        raise BadInputError(
            f"{held.spec} holds no learned table of the {role}, for {why}: use another file"
        )
    return greedy(scenario, role, q)


def _shape(scenario: Scenario) -> tuple[object, ...]:
    return scenario.prices, scenario.rounds, scenario.states


def _size(scenario: Scenario) -> str:
    prices = f"{scenario.n_prices:,} prices {scenario.prices[0]}…{scenario.prices[-1]}"
    return f"{prices}, {scenario.rounds:,} rounds, {scenario.states} states"
