"""Best-response dynamics: each iteration by hand, and after 2·T iterations an equilibrium."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.best_response_dynamics import TIE_BREAKS
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.reach import decision_rows
from tests.support.exact import OPENS, SMALLEST, exact_pair, iterate, played
from tests.support.game import scenarios


@pytest.mark.parametrize(
    ("tie_break", "buyer_at_2", "second_opening"),
    [
        # The seller gets 1/2 for 1, and for 2 as much as the buyer accepts it.
        ("uniform", [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]),
        ("accept", [0, 0, 1, 0], [0, 1, 0, 0]),
        ("reject", [0, 0, 0, 1], [1, 0, 0, 0]),
    ],
)
def test_two_iterations_by_hand(
    tie_break: str, buyer_at_2: list[float], second_opening: list[float]
) -> None:
    seats = exact_pair(SMALLEST, f"best-response-dynamics:tie_break={tie_break}")
    seller, buyer = seats
    iterate(seats)
    # Against a buyer who accepts half of the time: 1/4 for 1, 1/2 for 2.
    assert played(seller, OPENS) == [0, 1, 0, 0]
    assert played(seller, (1, 0, 0)) == played(seller, (1, 0, 1)) == [0, 0, 1, 0]
    assert played(buyer, OPENS) == [1, 0, 0, 0]
    assert played(buyer, (1, 0, 0)) == [0, 0, 1, 0]
    assert played(buyer, (1, 0, 1)) == buyer_at_2
    iterate(seats)
    assert played(seller, OPENS) == second_opening
    assert nash_conv(SMALLEST, seller.policy, buyer.policy).total == 0


def test_the_better_one_of_equally_good_offers() -> None:
    """Nobody in the last round accepts below its reservation value: all offers are worth 0."""
    apart = {"min": 1, "max": 3, "reservation": 9}, {"min": 1, "max": 3, "reservation": -9}
    table = {"prices": 3, "rounds": 1, "seller": apart[0], "buyer": apart[1]}
    scenario = Scenario.from_dict({**table, "states": "opener-aware"})
    for tie_break in ("accept", "reject"):
        seats = exact_pair(scenario, f"best-response-dynamics:tie_break={tie_break}")
        iterate(seats, 2)
        assert [played(seat, OPENS)[:3] for seat in seats] == [[0, 0, 1], [1, 0, 0]]


@settings(max_examples=15)
@given(scenarios(5, 4), st.sampled_from(TIE_BREAKS), st.sampled_from([0.99, 1.0]))
def test_it_stands_still_in_an_equilibrium_of_every_subgame(
    scenario: Scenario, tie_break: str, rate: float
) -> None:
    scenario = replace(scenario, states=States.OPENER_AWARE)
    seats = exact_pair(scenario, f"best-response-dynamics:tie_break={tie_break}", rate)
    iterate(seats, 2 * scenario.rounds)
    before = [seat.policy.probabilities for seat in seats]
    iterate(seats)
    tables = [seat.policy for seat in seats]
    for role in Role:
        np.testing.assert_array_equal(tables[role].probabilities, before[role])
        best = best_response(scenario, role, tables[role.other], rate).table
        rows = decision_rows(scenario)
        assert best is not None
        assert ((tables[role].probabilities[rows] > 0) <= best[rows]).all()
    assert nash_conv(scenario, tables[0], tables[1], rate).total < 1e-12
