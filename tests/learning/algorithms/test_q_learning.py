"""Q-learning: updates worked out by hand, after Sutton and Barto 2018, section 6.5."""

import pytest

from tests.support.learner_alone import (
    ACCEPT,
    HIGH,
    LOW,
    OFFER_HIGH,
    WALK_AWAY,
    Decisions,
    LearnerAlone,
    S,
)

SPEC = "q-learning:learning_rate=0.5"
Expected = dict[tuple[int, int], float]

STEPS: list[tuple[Decisions, float, Expected]] = [
    # Nothing is known of 1.0 yet, so `s` learns nothing.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 0.0, (LOW, ACCEPT): 1 / 4}),
    # At `s` the target is γ·1/4 = 1/8. At 1.0 half of the way from 1/4 to 1/2 is left.
    ([(S, OFFER_HIGH), (LOW, ACCEPT)], 1 / 2, {(S, OFFER_HIGH): 1 / 16, (LOW, ACCEPT): 3 / 8}),
    # Walking away earns nothing, but `s` learns from the best action of 1.0: γ·3/8 = 3/16.
    (
        [(S, OFFER_HIGH), (LOW, WALK_AWAY)],
        0.0,
        {(S, OFFER_HIGH): 1 / 8, (LOW, ACCEPT): 3 / 8, (LOW, WALK_AWAY): 0.0},
    ),
    # An offer that was accepted is a last decision too.
    ([(HIGH, OFFER_HIGH)], 1.0, {(HIGH, OFFER_HIGH): 1 / 2, (S, OFFER_HIGH): 1 / 8}),
]


def test_updates_worked_out_by_hand() -> None:
    seller = LearnerAlone(SPEC, discount_rate=0.5)
    for decisions, reward, expected in STEPS:
        seller.learn(decisions, reward)
        assert {at: seller.entry(0, *at) for at in expected} == pytest.approx(expected)
    assert seller.chances(LOW) == [0, 0, 1, 0]


def test_equally_good_actions_are_equally_likely() -> None:
    seller = LearnerAlone(SPEC)
    assert seller.chances(LOW) == [1 / 4] * 4
    for action in (ACCEPT, OFFER_HIGH):
        seller.learn([(LOW, action)], 1.0)
    assert seller.chances(LOW) == [0, 1 / 2, 1 / 2, 0]
