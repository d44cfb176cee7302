"""Fictitious play: iterations by hand, and its average over all histories."""

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.reach import decision_rows
from tests.support.exact import OPENS, SMALLEST, average_over_histories, exact_pair, iterate, played
from tests.support.mixed import random_policy


def test_two_iterations_by_hand() -> None:
    average, last = (
        exact_pair(SMALLEST, f"fictitious-play:output={output}") for output in ("average", "last")
    )
    for seats in (average, last):
        seller, buyer = seats
        iterate(seats)
        # Against a buyer who accepts half of the time: 1/4 for 1, 1/2 for 2.
        assert played(seller, OPENS) == [0, 1, 0, 0]
        assert played(buyer, OPENS) == [1, 0, 0, 0]
        assert played(buyer, (1, 0, 0)) == [0, 0, 1, 0]
        assert played(buyer, (1, 0, 1)) == [0, 0, 0.5, 0.5]
        iterate(seats)
    # Now both offers are worth 1/2, so the response is any of them.
    assert played(last[0], OPENS) == [0.5, 0.5, 0, 0]
    for seats in (average, last):
        assert played(seats[0], OPENS, behaviour=True) == [0.25, 0.75, 0, 0]
        assert nash_conv(SMALLEST, seats[0].policy, seats[1].policy).total == 0
    assert played(average[0], OPENS) == [0.25, 0.75, 0, 0]


@pytest.mark.parametrize("role", Role)
def test_responses_count_by_their_own_reach(role: Role) -> None:
    scenario = Scenario.from_dict({"prices": 3, "rounds": 3, "states": "opener-aware"})
    rng = np.random.default_rng(5)
    one, other = (
        exact_pair(scenario, f"fictitious-play:output={output}", 0.6)[role]
        for output in ("average", "last")
    )
    responses = []
    for _ in range(6):
        opponent = random_policy(scenario, role.other, rng)
        one.iterate(opponent)
        other.iterate(opponent)
        responses.append(other.policy)
    unequal = 0
    for decision, expected in average_over_histories(scenario, role, responses).items():
        assert played(one, decision) == pytest.approx(expected, abs=1e-9), decision
        row = decision_rows(scenario)[decision]
        plain = np.mean([response.probabilities[row] for response in responses], axis=0)
        unequal += plain != pytest.approx(expected, abs=1e-3)
    assert unequal, "an average without weights is another one"
