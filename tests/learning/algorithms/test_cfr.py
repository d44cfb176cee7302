"""CFR: iterations by hand, and against a traversal of the whole tree."""

from collections import defaultdict

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy, untrained_policy
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.reach import decision_rows
from tests.support.exact import OPENS, SMALLEST, average_over_histories, exact_pair, iterate, played
from tests.support.histories import Decision, Histories

TINY = Scenario.from_dict({"prices": 2, "rounds": 3, "states": "opener-aware"})
AT_1, AT_2 = (1, 0, 0), (1, 0, 1)
"""The responder's decision about an offer of 1 and of 2."""


@pytest.mark.parametrize(
    ("plus", "opening_1", "opening_2"),
    [("false", [-0.125, 0.125], [-0.375, 0.125]), ("true", [0, 0.125], [0, 0.125])],
)
def test_two_iterations_by_hand(plus: str, opening_1: list[float], opening_2: list[float]) -> None:
    seats = exact_pair(SMALLEST, f"cfr:plus={plus},output=last")
    seller, buyer = seats
    iterate(seats)
    # The buyer accepts half of the time: 1/4 for 1, 1/2 for 2, and 3/8 on average.
    assert seller.arrays["regrets"][OPENS][:2].tolist() == opening_1
    assert played(seller, OPENS) == [0, 1, 0, 0]
    # It opens with each price half of the time, and accepting is worth 1/2 or 1, walking away 0.
    assert seller.arrays["regrets"][AT_1][2] == 0.125
    assert seller.arrays["regrets"][AT_2][2] == 0.25
    assert played(seller, AT_1) == played(seller, AT_2) == [0, 0, 1, 0]
    # The buyer is told the new policy of the seller, who accepts everything and opens with 2.
    assert buyer.arrays["regrets"][OPENS][0] == 0.25
    assert played(buyer, OPENS) == [1, 0, 0, 0]
    assert not buyer.arrays["regrets"][AT_1].any(), "1 is never offered"
    assert not buyer.arrays["regrets"][AT_2].any(), "both are worth 0"
    iterate(seats)
    # 1 is accepted half of the time, as is 2: 1/4 and 1/2; the seller gets 1/2.
    assert seller.arrays["regrets"][OPENS][:2].tolist() == opening_2
    assert nash_conv(SMALLEST, seller.policy, buyer.policy).total == 0


def test_later_policies_count_more_with_plus() -> None:
    for plus, weights in (("false", (1, 1)), ("true", (1, 2))):
        seller = exact_pair(SMALLEST, f"cfr:plus={plus}")[Role.SELLER]
        uniform = untrained_policy(SMALLEST, Role.BUYER)
        seller.iterate(uniform)
        assert played(seller, OPENS) == [0, 1, 0, 0]
        dense = uniform.probabilities
        dense[2 + 2] = [0, 0, 0, 1]  # the buyer walks away from an offer of 2
        seller.iterate(TabularPolicy.of_probabilities(SMALLEST, Role.BUYER, dense))
        # The regrets of 1 and 2 are -1/8 + 1/4 = 1/8, and 1/8 + 0; with plus 0 + 1/4 and 1/8.
        second = np.array([0.5, 0.5] if plus == "false" else [2 / 3, 1 / 3])
        expected = (weights[0] * np.array([0, 1]) + weights[1] * second) / sum(weights)
        assert played(seller, OPENS)[:2] == pytest.approx(expected)


@pytest.mark.parametrize("rate", [1.0, 0.9])
def test_the_whole_tree_gives_the_same(rate: float) -> None:
    seats = exact_pair(TINY, "cfr", rate)
    tables = [untrained_policy(TINY, role) for role in Role]
    regrets = [defaultdict[Decision, Floats](lambda: np.zeros(TINY.n_actions)) for _ in Role]
    played_so_far: list[list[TabularPolicy]] = [[], []]
    for _ in range(5):
        iterate(seats)
        for role in Role:
            histories = Histories(TINY, tables)
            for decision, _, theirs, at in histories.decisions(role):
                worth = histories.worth(role, at, rate)
                for action in at.legal:
                    gain = histories.gain(role, at, action, rate) - worth
                    regrets[role][decision][action] += theirs * gain
            dense = untrained_policy(TINY, role).probabilities
            for decision, regret in regrets[role].items():
                if regret.max() > 1e-15:
                    above = np.maximum(regret, 0)
                    dense[decision_rows(TINY)[decision]] = above / above.sum()
            tables[role] = TabularPolicy.of_probabilities(TINY, role, dense)
            played_so_far[role].append(tables[role])
    for role in Role:
        for decision, expected in average_over_histories(TINY, role, played_so_far[role]).items():
            last = tables[role].probabilities[decision_rows(TINY)[decision]]
            assert played(seats[role], decision, behaviour=True) == pytest.approx(last, abs=1e-9)
            assert played(seats[role], decision) == pytest.approx(expected, abs=1e-9)


def test_an_iteration_with_hidden_limits_by_hand() -> None:
    """Regrets are means over the limits of the other: 1 with weight 1/4, 2 with weight 3/4."""
    limits = {"seller": {"limits": [0, 1]}, "buyer": {"limits": [1, 2], "weights": [1, 3]}}
    scenario = Scenario.from_dict({"prices": 2, "rounds": 1, "states": "opener-aware", **limits})
    seller, buyer = exact_pair(scenario, "cfr:output=last")
    iterate([seller, buyer])
    low, high = np.split(seller.arrays["regrets"], 2)
    # An offer of 1 is accepted half of the time; of 2 only by the limit 2, half of the time.
    # To the limit 0 they are worth 1/2 and 1, to the limit 1 nothing and 1/2.
    assert low[OPENS][:2].tolist() == [-1 / 16, 1 / 16]
    assert high[OPENS][:2].tolist() == [-3 / 32, 3 / 32]
    # The limit 1 opens with 1, the limit 2 with either price; accepting is worth 1/4 or 1/2 more.
    assert (low[AT_1][2], low[AT_2][2]) == (5 / 8 * 1 / 4, 3 / 8 * 1 / 2)
    assert (high[AT_1][2], high[AT_2][2]) == (0, 3 / 8 * 1 / 4)
    first, second = seller.policy.tables
    assert first.probabilities[0].tolist() == second.probabilities[0].tolist() == [0, 1, 0, 0]


def test_with_hidden_limits_it_comes_nearer_to_equilibrium() -> None:
    limits = {"seller": {"limits": [0, 2]}, "buyer": {"limits": [2, 4]}}
    scenario = Scenario.from_dict({"prices": 4, "rounds": 2, "states": "opener-aware", **limits})
    seats = exact_pair(scenario, "cfr:plus=true")
    found = []
    for _ in range(2):
        iterate(seats, 20)
        seller, buyer = seats
        found.append(nash_conv(scenario, seller.policy, buyer.policy).total)
    assert found[1] < found[0] < 0.02, "0.30 before"
