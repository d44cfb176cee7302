"""A saved policy as a strategy: it learns no more."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned import WithPolicy
from negotiation_tui.game.limits import Limits
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import SUM_TOLERANCE, TabularPolicy, legal_rows
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.text import abbreviate
from negotiation_tui.strategies.base import Dependency, UserSupplied


@sealed(frozen=True)
class SavedTable(UserSupplied):
    """A policy of a file, by role; Q-tables alone are played greedily, ties drawn uniformly.

    The scenario must have the prices, rounds and states of the file, and the hidden limits of the
    role. Its price ranges and the weights of limits may differ.
    """

    tables: TrainedTables

    @property
    def depends_on(self) -> frozenset[Dependency]:
        return frozenset({"time", "opener"} if self.tables.scenario.opener_aware else {"time"})

    def support(self, position: Position) -> Sequence[int]:
        """Return the actions; raises BadInputError for another shape, or if nothing was learned."""
        return self.tabulated(position.scenario, position.role).support(position)

    def tabulated(self, scenario: Scenario, role: Role) -> TabularPolicy:
        return _policy(self, scenario.origin, role)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        return self.tabulated(position.scenario, position.role).act(position, rng)


@lru_cache(maxsize=8)
def _policy(table: SavedTable, scenario: Scenario, role: Role) -> TabularPolicy:
    saved = table.tables.scenario
    if _shape(saved) != _shape(scenario):
        only_states = _shape(replace(scenario, states=saved.states)) == _shape(saved)
        use = f"--states {saved.states}" if only_states else "tables trained in this scenario"
        expected = f"{_size(scenario)} as in scenario {scenario.name}"
        raise BadInputError(f"{table.spec}: expected {expected}, got {_size(saved)}; use {use}")
    limits, trained = (each.limits[role] for each in (scenario, saved))
    if (limits and limits.values) != (trained and trained.values):
        expected = f"{_text(limits)} of the {role} as in scenario {scenario.name}"
        got = f"{_text(trained)}; use tables trained in this scenario"
        raise BadInputError(f"{table.spec}: expected {expected}, got {got}")
    learned = table.tables.agents[role]
    if isinstance(learned, WithPolicy):
        return _within(scenario, role, learned.policy)
    if not table.tables.rows(role).any():
        strategy = table.tables.strategies[role]
        why = f"one played by {strategy}" if strategy else "an untrained one"
        expected = f"a learned table of the {role}, got {why}; use another file"
        raise BadInputError(f"{table.spec}: expected {expected}")
    return learned.policy_in(scenario, role)


def _within(scenario: Scenario, role: Role, policy: TabularPolicy) -> TabularPolicy:
    """Return a policy without illegal actions; the others, or else all, share their chance."""
    legal = legal_rows(scenario, role)
    dense = np.where(legal, policy.probabilities, 0.0)
    dense[~dense.any(axis=1)] += legal[~dense.any(axis=1)]
    lost = (abs(dense.sum(axis=1) - 1) > SUM_TOLERANCE) & legal.any(axis=1)
    dense[lost] /= dense[lost].sum(axis=1, keepdims=True)
    return TabularPolicy.of_probabilities(scenario, role, dense)


def _shape(scenario: Scenario) -> tuple[object, ...]:
    return scenario.prices, scenario.rounds, scenario.states


def _text(limits: Limits | None) -> str:
    if limits is None:
        return "no hidden limits"
    return f"hidden limits {abbreviate(', '.join(map(str, limits.values)), 40)}"


def _size(scenario: Scenario) -> str:
    prices = f"{scenario.n_prices:,} prices {scenario.prices[0]}…{scenario.prices[-1]}"
    return f"{prices}, {scenario.rounds:,} rounds, {scenario.states} states"
