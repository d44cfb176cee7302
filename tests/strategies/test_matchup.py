"""Players ready to meet: as tables where there are tables, as themselves where there are none."""

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import built_in, tabulate
from negotiation_tui.strategies.matchup import tables_of
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.strategies.time_dependent import Boulware

ORIGINAL = Scenario.original()
BEST, MICRO, BOULWARE = (STRATEGIES[name] for name in ("best-response", "micro", "boulware"))


class Mine(Boulware):
    """A rule that is built on one of the list, and is not of the list."""


def untrained(role: Role) -> TabularPolicy:
    return untrained_policy(ORIGINAL, role)


def same(one: object, other: object) -> bool:
    assert isinstance(one, TabularPolicy)
    assert isinstance(other, TabularPolicy)
    return np.array_equal(one.actions, other.actions) and np.array_equal(
        one.n_actions, other.n_actions
    )


def test_a_policy_is_ready_as_it_is() -> None:
    policy = untrained(Role.SELLER)
    assert policy.in_seat(ORIGINAL, Role.SELLER) is policy
    assert policy.tabulated(ORIGINAL, Role.SELLER) is policy
    assert policy.ready(ORIGINAL, Role.SELLER, BEST, 0.9) is policy


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_is_ready_as_its_table_or_itself(name: str) -> None:
    role = Role.SELLER
    held, opponent = STRATEGIES[name], untrained(role.other)
    ready, table = held.ready(ORIGINAL, role, opponent, 0.9), held.tabulated(ORIGINAL, role)
    assert held.needs_opponent == (name == "best-response")
    if held.needs_opponent:
        assert table is None
        assert same(ready, best_response(ORIGINAL, role, opponent, 0.9).policy)
    elif "history" in held.depends_on:
        assert table is None
        assert ready is held
    else:
        assert same(ready, tabulate(ORIGINAL, role, held))
        assert ready is table, "it is not computed twice"


def test_a_table_is_kept_for_built_in_strategies_alone() -> None:
    first = BOULWARE.tabulated(ORIGINAL, Role.SELLER)
    assert Boulware().tabulated(ORIGINAL, Role.SELLER) is first
    mine = Mine().tabulated(ORIGINAL, Role.SELLER)
    assert mine is not Mine().tabulated(ORIGINAL, Role.SELLER)
    assert first is not None
    assert same(mine, first)
    assert not built_in(Mine())
    assert not built_in("boulware")


def test_tables_are_those_of_both_or_none() -> None:
    policy = untrained(Role.BUYER)
    tables = tables_of(ORIGINAL, BOULWARE, policy)
    assert tables is not None
    assert same(tables[Role.SELLER], tabulate(ORIGINAL, Role.SELLER, BOULWARE))
    assert tables[Role.BUYER] is policy
    assert tables_of(ORIGINAL, MICRO, policy) is None
    assert tables_of(ORIGINAL, BOULWARE, MICRO) is None
