"""The script docs/hidden_limits_findings.py measures what docs/findings.md says of its limits."""

from dataclasses import replace
from typing import Any

import pytest

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from tests.support import documented

HIDDEN = Scenario.of("hidden")
AWARE = replace(HIDDEN, states=States.OPENER_AWARE)


@pytest.fixture(scope="module")
def script() -> Any:
    return documented.script("hidden_limits_findings")


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
