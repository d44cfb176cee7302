"""Players ready to meet: as tables where there are tables, as themselves where there are none."""

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import built_in, tabulate
from negotiation_tui.strategies.matchup import ready_players, require_table, tables_of
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


@pytest.mark.parametrize("role", Role)
def test_a_policy_is_ready_as_it_is(role: Role) -> None:
    policy = untrained(role)
    assert policy.in_seat(ORIGINAL, role) is policy
    assert policy.tabulated(ORIGINAL, role) is policy
    assert policy.ready(ORIGINAL, role, BEST, 0.9) is policy
    assert not policy.needs_opponent


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("role", Role)
def test_a_strategy_is_ready_as_its_table_or_itself(name: str, role: Role) -> None:
    held, opponent = STRATEGIES[name], untrained(role.other)
    ready, table = held.ready(ORIGINAL, role, opponent, 0.9), held.tabulated(ORIGINAL, role)
    if held.needs_opponent:
        assert table is None
        assert same(ready, best_response(ORIGINAL, role, opponent, 0.9).policy)
    elif "history" in held.depends_on:
        assert table is None
        assert ready is held
    else:
        assert same(ready, tabulate(ORIGINAL, role, held))
        assert ready is table, "it is not computed twice"


def test_only_the_best_response_needs_an_opponent() -> None:
    assert [name for name, held in STRATEGIES.items() if held.needs_opponent] == [BEST.name]


def test_a_best_response_to_a_strategy_is_one_to_its_table() -> None:
    table = tabulate(ORIGINAL, Role.BUYER, BOULWARE)
    answer = best_response(ORIGINAL, Role.SELLER, table, 0.5).policy
    assert same(BEST.ready(ORIGINAL, Role.SELLER, BOULWARE, 0.5), answer)
    assert same(ready_players(ORIGINAL, BEST, BOULWARE, 0.5)[Role.SELLER], answer)


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


def test_what_has_no_table_is_refused_by_its_name() -> None:
    policy = untrained(Role.BUYER)
    assert require_table(Role.BUYER, policy) is policy
    with pytest.raises(BadInputError, match="seller: expected a player with a table, got micro"):
        require_table(Role.SELLER, MICRO)
