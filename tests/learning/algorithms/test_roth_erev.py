"""Roth–Erev reinforcement: updates worked out by hand, after Erev and Roth 1998."""

import pytest

from negotiation_tui.game.scenario import Scenario
from tests.support.learner_alone import (
    ACCEPT,
    HIGH,
    LAST_LOW,
    OFFER_HIGH,
    OFFER_LOW,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

SPEC = "roth-erev:forgetting=0.5,experimentation=0.25,initial=1"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    # R = 1/2, of which the action gets 3/4 and the other one 1/4; half of the old is forgotten.
    (
        [(LAST_LOW, ACCEPT)],
        1 / 2,
        {(LAST_LOW, ACCEPT): 7 / 8, (LAST_LOW, WALK_AWAY): 5 / 8, (S, OFFER_LOW): 1.0},
    ),
    # Four actions: each of the three others gets a third of 1/4.
    (
        [(HIGH, ACCEPT)],
        1.0,
        {
            (HIGH, ACCEPT): 5 / 4,
            (HIGH, OFFER_LOW): 7 / 12,
            (HIGH, OFFER_HIGH): 7 / 12,
            (HIGH, WALK_AWAY): 7 / 12,
        },
    ),
    # Two decisions: the whole reward reaches the first one, discounted by γ = 1/2.
    (
        [(S, OFFER_HIGH), (LAST_LOW, ACCEPT)],
        1 / 2,
        {
            (LAST_LOW, ACCEPT): 13 / 16,
            (LAST_LOW, WALK_AWAY): 7 / 16,
            (S, OFFER_HIGH): 11 / 16,
            (S, OFFER_LOW): 9 / 16,
        },
    ),
    # Without a reward both are forgotten alike.
    ([(LAST_LOW, WALK_AWAY)], 0.0, {(LAST_LOW, ACCEPT): 13 / 32, (LAST_LOW, WALK_AWAY): 7 / 32}),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
    assert seller.chances(LAST_LOW) == pytest.approx([0, 0, 13 / 20, 7 / 20])


def test_the_first_propensity_weakens_early_rewards() -> None:
    for initial, chance in ((0.5, 1.5 / 2), (1, 2 / 3), (3, 4 / 7)):
        seller = LearnerAlone(f"roth-erev:forgetting=0,experimentation=0,initial={initial}")
        assert seller.chances(LAST_LOW)[ACCEPT:] == [1 / 2, 1 / 2]
        seller.learn([(LAST_LOW, ACCEPT)], 1.0)
        assert seller.chances(LAST_LOW)[ACCEPT] == pytest.approx(chance)


def test_rewards_are_measured_from_the_least_if_some_are_below_0() -> None:
    """Prices 1 to 3 earn a seller with reservation value 2 a reward of −1, 0 and 1."""
    prices = {"min": 1, "max": 3}
    losses = Scenario.from_dict(
        {
            "prices": 3,
            "rounds": 1,
            "seller": {**prices, "reservation": 2},
            "buyer": {**prices, "reservation": 3},
        }
    )
    worst, accept, walk_away = 1, 3, 4
    seller = LearnerAlone("roth-erev:forgetting=0,experimentation=0,initial=1", losses)
    seller.learn([(worst, accept)], -1.0)
    assert seller.chances(worst)[accept:] == [1 / 2, 1 / 2]
    seller.learn([(worst, walk_away)], 0.0)
    assert seller.chances(worst)[accept:] == [1 / 3, 2 / 3]
    assert seller.entry(0, worst, walk_away) == 2.0


def test_forgetting_all_without_a_reward_leaves_chances_equal() -> None:
    seller = LearnerAlone("roth-erev:forgetting=1,experimentation=0")
    seller.learn([(LAST_LOW, ACCEPT)], 1.0)
    assert seller.chances(LAST_LOW)[ACCEPT:] == [1.0, 0.0]
    seller.learn([(LAST_LOW, ACCEPT)], 0.0)
    assert seller.chances(LAST_LOW)[ACCEPT:] == [1 / 2, 1 / 2]
