"""The script docs/hidden_limits_findings.py measures what docs/findings.md says of its limits."""

import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy, untrained_policy
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from tests.support.paths import DOCS

HIDDEN = Scenario.of("hidden")
AWARE = replace(HIDDEN, states=States.OPENER_AWARE)


@pytest.fixture(scope="module")
def script() -> Any:
    """The program of the page."""
    spec = spec_from_file_location("hidden_limits_findings", DOCS / "hidden_limits_findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["hidden_limits_findings"] = module  # for its dataclasses
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("price", [2, 3])
@pytest.mark.parametrize("rate", [0.99, 1.0])
def test_tables_that_insist_on_a_price_are_in_equilibrium(
    script: Any, price: int, rate: float
) -> None:
    seller, buyer = (greedy(HIDDEN, role, script.insisting(HIDDEN, role, price)) for role in Role)
    assert nash_conv(HIDDEN, seller, buyer, rate).total == 0
    assert expected_play(HIDDEN, seller, buyer).efficiency == pytest.approx(30 / 35)


@pytest.mark.slow
def test_a_pair_of_tables_without_gain_exists_in_a_small_game(script: Any) -> None:
    small = replace(script.small_game([1, 2], [1, 2]), states=States.PUBLISHED)
    total, zeros, least = script.exhaustive(small)
    assert total == (128 * 12) ** 2
    assert 0 < zeros < total
    assert least == 0


def test_no_table_gains_more_than_a_best_response_does(script: Any) -> None:
    tables = untrained_policy(AWARE, Role.SELLER), untrained_policy(AWARE, Role.BUYER)
    found = script.table_gain(AWARE, tables)
    assert 0 < found <= nash_conv(AWARE, *tables, script.RATE).total + 1e-12


def test_against_one_that_cannot_learn_a_table_gains_as_much(script: Any) -> None:
    """The last decision after one offer needs no memory."""
    short = replace(AWARE, rounds=1)
    tables = untrained_policy(short, Role.SELLER), untrained_policy(short, Role.BUYER)
    found = script.table_gain(short, tables)
    assert found == pytest.approx(nash_conv(short, *tables, script.RATE).total, abs=1e-12)


def test_openings_that_say_the_limit_do_not_bluff(script: Any) -> None:
    honest, pooled = (np.zeros((HIDDEN.n_rows(Role.SELLER), HIDDEN.n_actions)) for _ in range(2))
    for limit, (low, high) in enumerate([(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]):
        honest[limit * HIDDEN.n_states, low] = pooled[limit * HIDDEN.n_states, high] = 1
    signals = [
        script.signal(HIDDEN, Role.SELLER, greedy(HIDDEN, Role.SELLER, q)) for q in (honest, pooled)
    ]
    assert signals == [pytest.approx((0, 1)), pytest.approx((1, 0))]
