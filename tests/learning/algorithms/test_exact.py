"""Learners that compute: iterations by hand, and in a training."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Role, Scenario, States, learner, strategy
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked, untrained_policy
from negotiation_tui.learning.algorithms.base import IN_TURN, TOGETHER
from negotiation_tui.learning.algorithms.best_response_dynamics import TIE_BREAKS
from negotiation_tui.learning.algorithms.mmd import Mmd
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.reach import as_policy, decision_rows, legal_decisions
from tests.support.exact import OPENS, SMALLEST, average_over_histories, exact_pair, iterate, played
from tests.support.game import scenarios, some
from tests.support.histories import Decision, Histories
from tests.support.mixed import random_policy

SMALL = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
CONVERGES = {
    "best-response-dynamics": {"cycles": 4},
    "fictitious-play": {"cycles": 20},
    "cfr": {"cycles": 60},
    "mmd": {"cycles": 200},
}
"""Parameters with which NashConv comes below 0.05 on 3 prices and 2 rounds."""


def training(
    seller: str, buyer: str, cycles: int = 4, scenario: Scenario = SMALL
) -> ConcurrentTraining:
    occupants = [learner(s) if s.startswith("learned:") else strategy(s) for s in (seller, buyer)]
    parameters = Parameters.from_dict({"cycles": cycles, "episodes": 100})
    return ConcurrentTraining(scenario, parameters, seller=occupants[0], buyer=occupants[1])


@pytest.mark.parametrize("schedule", [IN_TURN, TOGETHER])
@pytest.mark.parametrize("name", CONVERGES)
def test_it_converges(name: str, schedule: str) -> None:
    spec, cycles = f"learned:{name}:schedule={schedule}", CONVERGES[name]["cycles"]
    course = training(spec, spec, cycles)
    course.run()
    assert some(nash_conv_of(course)).total <= 0.05


@pytest.mark.parametrize("opponent", ["midpoint", "random"])
@pytest.mark.parametrize("name", CONVERGES)
def test_it_learns_to_answer_a_static_strategy(name: str, opponent: str) -> None:
    course = training(opponent, f"learned:{name}", 100)
    course.run()
    assert some(nash_conv_of(course)).exploitability[Role.BUYER] <= 0.03


@pytest.mark.parametrize("schedule", [IN_TURN, TOGETHER])
def test_an_iteration_counts_as_episodes_that_it_learns_from(schedule: str) -> None:
    spec = f"learned:best-response-dynamics:schedule={schedule},counts_as=200"
    course = training(spec, spec)
    begin = [course.q_table(role) for role in Role]
    course.run_episodes(299 if schedule == IN_TURN else 199)
    assert all(np.array_equal(course.q_table(r), begin[r]) for r in Role)
    course.run_episodes(1)
    changed = [not np.array_equal(course.q_table(role), begin[role]) for role in Role]
    assert changed == ([True, False] if schedule == IN_TURN else [True, True])


@pytest.mark.parametrize("name", CONVERGES)
def test_what_it_cannot_do_is_refused_in_one_line(name: str) -> None:
    spec = f"learned:{name}"
    with pytest.raises(BadInputError, match=rf"{name}: expected states that say who opened, got"):
        training(spec, spec, scenario=Scenario.original())
    for pair in ((spec, "micro"), ("micro", spec)):
        with pytest.raises(BadInputError, match=f"{name}: expected an opponent with a table, got"):
            training(*pair)
    if name in {"best-response-dynamics", "fictitious-play"}:
        with pytest.raises(BadInputError, match=f"^{name}: expected a scenario without hidden li"):
            training(spec, "learned:cfr", scenario=Scenario.of("hidden"))


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


@pytest.mark.parametrize(
    ("tie_break", "buyer_at_2", "second_opening"),
    [
        # The seller gets 1/2 for 1, and for 2 as much as the buyer accepts it.
        ("uniform", [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]),
        ("accept", [0, 0, 1, 0], [0, 1, 0, 0]),
        ("reject", [0, 0, 0, 1], [1, 0, 0, 0]),
    ],
)
def test_responses_by_hand(
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
def test_it_stands_still_in_equilibrium(scenario: Scenario, tie_break: str, rate: float) -> None:
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


TINY = Scenario.from_dict({"prices": 2, "rounds": 3, "states": "opener-aware"})
AT_1, AT_2 = (1, 0, 0), (1, 0, 1)
"""The responder's decision about an offer of 1 and of 2."""


@pytest.mark.parametrize("plus", [False, True])
@pytest.mark.parametrize("rate", [1.0, 0.9])
def test_regrets_are_those_of_the_whole_tree(rate: float, plus: bool) -> None:
    """With plus they never fall below 0, and the policy of iteration t counts t times."""
    seats = exact_pair(TINY, f"cfr:plus={str(plus).lower()}", rate)
    tables = [untrained_policy(TINY, role) for role in Role]
    regrets = [defaultdict[Decision, Floats](lambda: np.zeros(TINY.n_actions)) for _ in Role]
    played_so_far: list[list[TabularPolicy]] = [[], []]
    for t in range(1, 6):
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
                np.maximum(regret, 0, out=regret, where=plus)
                if regret.max() > 1e-15:
                    above = np.maximum(regret, 0)
                    dense[decision_rows(TINY)[decision]] = above / above.sum()
            tables[role] = TabularPolicy.of_probabilities(TINY, role, dense)
            played_so_far[role] += [tables[role]] * (t if plus else 1)
    for role in Role:
        for decision, expected in average_over_histories(TINY, role, played_so_far[role]).items():
            last = tables[role].probabilities[decision_rows(TINY)[decision]]
            assert played(seats[role], decision, behaviour=True) == pytest.approx(last, abs=1e-9)
            assert played(seats[role], decision) == pytest.approx(expected, abs=1e-9)


def test_an_iteration_of_mirror_descent_by_hand() -> None:
    seller, buyer = exact_pair(SMALLEST, "mmd:step=2,strongest=0.5,accepting=-3,greed=-1")
    iterate([seller, buyer])
    # The buyer accepts half of the time: 1/4 for 1, 1/2 for 2. All logarithms are halved.
    odds = np.exp((2 * (1 / 4 - 1 / 2) + 2 * 0.5 * 1) / 2)
    low, high = played(seller, OPENS)[:2]
    assert low / high == pytest.approx(odds)
    # Accepting 1 is worth 1/2 to the buyer, accepting 2 nothing; walking away is worth nothing.
    for decision, worth in ((AT_1, 1 / 2), (AT_2, 0)):
        odds = np.exp((2 * worth + 2 * 0.5 * -3) / 2)
        accepts, walks = played(buyer, decision)[2:]
        assert accepts / walks == pytest.approx(odds)
    iterate([seller, buyer], 500)
    assert (seller.arrays["last"] > 0).sum() == legal_decisions(SMALLEST, Role.SELLER).sum()


def test_the_magnet_of_mirror_descent_keeps_its_strength_until_it_falls() -> None:
    falls = "strongest=0.5,weakest=0.1,iterations=3,falls=1"
    falling, always = (
        exact_pair(SMALLEST, f"mmd:{each}") for each in (falls, "strongest=0.5,weakest=0.5")
    )
    for iteration in range(1, 6):
        iterate(falling)
        iterate(always)
        equal = played(falling[0], OPENS) == played(always[0], OPENS)
        assert equal == (iteration <= 3)


def test_mirror_descent_values_an_action_by_who_comes_to_it() -> None:
    """An offer of 2 is heard from both limits of the seller, one of 1 from the lower alone."""
    limits = {"seller": {"limits": [0, 1], "weights": [1, 3]}, "buyer": {"limits": [2, 3]}}
    scenario = Scenario.from_dict({"prices": 2, "rounds": 2, "states": "opener-aware", **limits})
    seats = exact_pair(scenario, "mmd:step=1,strongest=0")
    rng, views = np.random.default_rng(3), scenario.views[Role.BUYER]
    tables = [random_policy(view, Role.BUYER, rng) for view in views]
    opponent = stacked(scenario, tables)
    seats[Role.SELLER].iterate(opponent)
    for seat, own in zip(np.split(seats[Role.SELLER].arrays["logs"], 2), (0, 1), strict=True):
        view = scenario.views[Role.SELLER][own]
        uniform = legal_decisions(view, Role.SELLER) / 1.0
        uniform /= uniform.sum(axis=-1, keepdims=True)
        policy = as_policy(view, Role.SELLER, uniform)
        sums = defaultdict[Decision, Floats](lambda: np.zeros(2))
        for table in opponent.tables:
            histories = Histories(view, [policy, table])
            for decision, mine, theirs, at in histories.decisions(Role.SELLER):
                gains = [histories.gain(Role.SELLER, at, a, 0.99) for a in at.legal[:2]]
                sums[decision] += mine * theirs * np.array([1, gains[0] - gains[1]])
        for decision, (reached, difference) in sums.items():
            first, second = np.flatnonzero(legal_decisions(view, Role.SELLER)[decision])[:2]
            expected = difference / reached
            assert seat[decision][first] - seat[decision][second] == pytest.approx(expected)


def test_mirror_descent_nears_0() -> None:
    limits = {"seller": {"limits": [0, 1]}, "buyer": {"limits": [2, 4], "weights": [1, 3]}}
    scenario = Scenario.from_dict({"prices": 4, "rounds": 2, "states": "opener-aware", **limits})
    seats = exact_pair(scenario, "mmd")
    iterate(seats, 100)
    total = nash_conv(scenario, seats[0].policy, seats[1].policy, 0.99).total
    assert total == pytest.approx(0.005650, abs=2e-6)


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


@pytest.mark.parametrize("role", Role)
def test_greed_draws_a_role_to_its_own_best_price(role: Role) -> None:
    """A step further from the worst offer weighs e² as much, and accepting e."""
    magnet = Mmd(greed=2, accepting=1).magnet(SMALL, role)
    offers = [0, 2, 4] if role is Role.SELLER else [4, 2, 0]
    assert magnet.tolist() == [*offers, 1, 0]
